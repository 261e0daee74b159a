"""Does a query speak of something that it does not name?"""

import re

from ragset.text.rules import LANGUAGES
from ragset.text.rules.blocks import prose
from ragset.text.rules.tables import FUNCTION_WORDS, table

_ASKING = frozenset[str]().union(*(table(language).words.questions for language in LANGUAGES))
_WORD = re.compile(r"[^\W\d_][\w'’]*")


def unnamed(query: str, language: str = "en") -> str | None:
    """The pronoun that comes before anything it could stand for ("In what year did it open?"), or None.

    After a word of content it is let pass: "What happens to water when it freezes?". So is everything in a language
    that has no table here.
    """
    if language not in LANGUAGES:
        return None
    told = table(language)
    text = prose(query)
    # "How long does it take to …": such a pronoun stands for nothing.
    empty = re.compile(told.leaning.nothing or "(?!)", re.IGNORECASE)
    nothing = {place for found in empty.finditer(text) for place in range(found.start(), found.end())}
    for found in _WORD.finditer(text):
        word = found[0].casefold()
        if word in told.words.pronouns and found.start() not in nothing:
            return found[0]
        # In German the verb stands before its subject, and nouns have a capital.
        noun = language != "de" or (found[0][0].isupper() and found.start() > 0)
        if noun and word not in FUNCTION_WORDS and word not in _ASKING and len(word) > 2:
            return None
    return None
