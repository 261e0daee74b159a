"""Is a query in the language that it should be in?"""

import re

from ragset.text.languages import count_small_words, guess_language
from ragset.text.rules import LANGUAGES
from ragset.text.rules.question_words import rules

_WORD = re.compile(r"[^\W\d_]+")
_FEWEST = 4
"""Words below which a query says too little about its language: names are the same in many."""
_PLAINLY = 2
"""How many times the small words of the language wanted there must be of another."""


def in_another(query: str, language: str) -> str | None:
    """The language that `query` is plainly in, where that is not `language`; None where it is, or nobody can tell.

    Of a language that is known by no small words here, only English is told apart, which models slip into.
    """
    if len(_WORD.findall(query)) < _FEWEST:
        return None
    found = guess_language(query)
    if found is None or found == language:
        return None
    counts = count_small_words(query)
    if language not in counts:
        return "en" if found == "en" else None
    if counts[found] < _PLAINLY * counts[language] or (language == "es" and "¿" in query):
        return None
    known = rules(language) if language in LANGUAGES else None
    opening = query.lstrip("¿ \"'“«").lower()
    return None if known is not None and known.asks.match(opening) else found
