"""What a text is about: its words of substance and its names."""

import re

from ragset.generation.offline.text import stem, words
from ragset.text.rules.boilerplate import FUNCTION_WORDS

_ASKING = frozenset(
    """what who whom whose when where why how which did does do much many long old far explain define state describe compare
    name happens happened kind role qué quién quiénes cuándo dónde cómo cuál cuáles por was wer wann wo wie warum wem von quand
    où comment pourquoi qui est-ce que explica indica erkläre nenne explique indique""".split()  # noqa: SIM905
)


def content(text: str) -> list[str]:
    """Stems of the words that carry meaning."""
    return [stem(word) for word in words(text) if word not in FUNCTION_WORDS and word not in _ASKING]


def names(query: str) -> set[str]:
    """Stems of the capitalised words after the first."""
    return {stem(word.lower()) for word in re.findall(r"(?<=[\w,] )[A-ZÀ-Þ][\w'’-]+", query)}
