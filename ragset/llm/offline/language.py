"""Which language a text is in, by its commonest small words."""

import re

_SMALL_WORDS = {
    "en": "the of and to in is was were that for with as by on from are at which his their has be it this an had have",
    "es": "el la los las de del y en que un una es fue por con para se su como más al lo fueron son entre también",
    "de": "der die das und ist ein eine den dem von mit des im zu für auf wurde sich nicht als auch werden sind einer",
    "fr": "le la les des et est un une du en dans que qui par pour sur au aux avec il elle sont été plus ce cette",
}
_SETS = {language: frozenset(words.split()) for language, words in _SMALL_WORDS.items()}
_WORD = re.compile(r"[^\W\d_]+")
_LOOKED_AT = 2_000
"""Characters; the first page decides."""


def guess_language(text: str) -> str | None:
    """`en`, `es`, `de` or `fr`; None where the small words of none of them hold the text together."""
    found = [word.lower() for word in _WORD.findall(text[:_LOOKED_AT])]
    counts = {language: sum(word in small for word in found) for language, small in _SETS.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if found and counts[best] >= 0.15 * len(found) else None
