"""Does a query speak of something that it does not name?"""

import re

from ragset.text.rules import LANGUAGES
from ragset.text.rules.blocks import prose
from ragset.text.rules.boilerplate import FUNCTION_WORDS
from ragset.text.rules.tables import pattern, table, words_of_all

_ASKING = words_of_all("questions")
_WORD = re.compile(r"[^\W\d_][\w'’]*")


def unnamed(query: str, language: str = "en") -> str | None:
    """The pronoun that comes before anything it could stand for ("In what year did it open?"), or None.

    After a word of content it is let pass: "What happens to water when it freezes?". So is everything in a language
    that has no table here.
    """
    pronouns = table(language).words.pronouns.split() if language in LANGUAGES else []
    for found in _WORD.finditer(prose(query)):
        word = found[0].casefold()
        if word in pronouns and not _stands_for_nothing(found, language):
            return found[0]
        # In German the verb stands before its subject, and nouns have a capital.
        noun = language != "de" or (found[0][0].isupper() and found.start() > 0)
        if noun and word not in FUNCTION_WORDS and word not in _ASKING and len(word) > 2:
            return None
    return None


def _stands_for_nothing(found: re.Match[str], language: str) -> bool:
    nothing = table(language).leaning.nothing
    return bool(nothing) and any(
        one.start() <= found.start() < one.end() for one in pattern(nothing).finditer(found.string)
    )
