"""Characters by what Unicode says of them, each as the inside of a class of a regular expression."""

import unicodedata
from itertools import chain

_SCANNED = chain(range(0x80, 0x3400), range(0xA000, 0xAC00), range(0xF900, 0x12000), range(0x1D000, 0x1FB00))
"""All but ideographs, Hangul, what is for private use, and scripts of antiquity."""
_LEFT_OUT = {*map(chr, chain(range(0x20D0, 0x2100), range(0xFE00, 0xFE10))), *"¬©®°"}
"""Frames around digits, how an emoji is to be drawn, and typography."""
_CHARACTERS = [character for character in map(chr, _SCANNED) if character not in _LEFT_OUT]


def _of(*categories: str) -> str:
    return "".join(character for character in _CHARACTERS if unicodedata.category(character) in categories)


MARKS = _of("Mn", "Mc")
"""What belongs to the letter before it: accents, and signs of vowels and tones."""
CURRENCIES = "$" + _of("Sc")
SYMBOLS = "+<=>" + _of("Sm", "So")
"""What says something by itself: signs of mathematics, arrows, pictures."""
