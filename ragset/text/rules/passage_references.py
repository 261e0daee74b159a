"""Does a query lean on a text that whoever reads it does not see?"""

import logging
import re
import unicodedata
from functools import lru_cache

from ragset.text.rules import LANGUAGES
from ragset.text.rules.blocks import prose
from ragset.text.rules.tables import table

logger = logging.getLogger(__name__)

_SPACE = re.compile(r"\s+")
_LONGEST = 2_000
"""Characters looked at; no query is longer on purpose."""


def leans(query: str, language: str = "en") -> str | None:
    """The phrase with which `query` leans on an unseen text ("according to the passage"), or None.

    Looks for wordings of `language` and, as models slip into it, of English. A language that has no table of
    wordings gives None, and a notice in the log once. A table, code or a formula in the query is no unseen text.
    """
    if language not in LANGUAGES:
        _say_unknown(language)
        return None
    text = _SPACE.sub(" ", unicodedata.normalize("NFC", prose(query)[:_LONGEST])).strip(" \"'“”«»")
    for known in dict.fromkeys((language, "en")):
        for wording in _wordings(known):
            found = wording.search(text)
            if found:
                return (found.groupdict().get("shown") or found[0]).strip()
    return None


@lru_cache
def _wordings(language: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in table(language).leaning.patterns)


@lru_cache(maxsize=64)
def _say_unknown(language: str) -> None:
    """Once for each language."""
    logger.warning("no rules for queries in %s: they are not checked for leaning on the passage", language)
