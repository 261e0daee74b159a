"""Does a query lean on a text that its reader does not see, or on a thing that it does not name?"""

import logging
import re
from functools import lru_cache

from ragset.text.rules import LANGUAGES
from ragset.text.rules.blocks import plain_prose, prose
from ragset.text.rules.tables import FUNCTION_WORDS, table

logger = logging.getLogger(__name__)

_ASKING = frozenset[str]().union(*(table(language).words.questions for language in LANGUAGES))
_WORD = re.compile(r"[^\W\d_][\w'’]*")


def leans(query: str, language: str = "en") -> str | None:
    """The phrase in `language` or English with which `query` leans on an unseen text ("in the passage"), or None."""
    if language not in LANGUAGES:
        _say_unknown(language)
        return None
    text = plain_prose(query).strip(" \"'“”«»")
    for known in dict.fromkeys((language, "en")):
        for wording in _wordings(known):
            if found := wording.search(text):
                return (found.groupdict().get("shown") or found[0]).strip()
    return None


def unnamed(query: str, language: str = "en") -> str | None:
    """The pronoun that comes before anything it could stand for ("In what year did it open?"), or None.

    After a word of content any pronoun passes ("What happens to water when it freezes?"), as does everything in a
    language without a table.
    """
    if language not in LANGUAGES:
        return None
    told = table(language)
    text = prose(query)
    # "How long does it take to …": such a pronoun stands for nothing.
    empty = re.compile(told.leaning.nothing or "(?!)", re.IGNORECASE)
    nothing = {place for found in empty.finditer(text) for place in range(*found.span())}
    for found in _WORD.finditer(text):
        word = found[0].casefold()
        if word in told.words.pronouns and found.start() not in nothing:
            return found[0]
        # In German the verb stands before its subject, and nouns have a capital.
        noun = language != "de" or (found[0][0].isupper() and found.start() > 0)
        if noun and word not in FUNCTION_WORDS and word not in _ASKING and len(word) > 2:
            return None
    return None


@lru_cache
def _wordings(language: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in table(language).leaning.patterns)


@lru_cache(maxsize=64)
def _say_unknown(language: str) -> None:
    logger.warning("no rules for queries in %s: they are not checked for leaning on the passage", language)
