"""Is a query in the language that it should be in?"""

import re

from ragset.text.languages import count_small_words, guess_language
from ragset.text.rules import LANGUAGES
from ragset.text.rules.tables import rules_of

_WORD = re.compile(r"\b[^\W\d_]+\b")
_FEWEST = 4  # words below which a query says too little about its language: names are the same in many
_FEWEST_SMALL = 2  # small words of the other language: one is often part of a name ("Tyne and Wear", "Carl von Linde")
_PLAINLY = 2  # how many times the small words of the language wanted there must be of another


def in_another(query: str, language: str) -> str | None:
    """The language that `query` is plainly in, if it is not `language`; else None.

    A language without a list of small words is told apart from English alone, which models slip into.
    """
    if len(_WORD.findall(query)) < _FEWEST:
        return None
    found = guess_language(query)
    if found is None or found == language:
        return None
    counts = count_small_words(query)
    if found in counts and counts[found] < _FEWEST_SMALL:
        return None
    if language not in counts:
        return "en" if found == "en" else None
    if counts[found] < _PLAINLY * counts[language] or (language == "es" and "¿" in query):
        return None
    opening = query.lstrip("¿ \"'“«").lower()
    return None if language in LANGUAGES and rules_of(language).asks.match(opening) else found
