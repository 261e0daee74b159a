"""Characters by what Unicode says of them, each as the inside of a class of a regular expression."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain

_SCANNED = (range(0x80, 0x3400), range(0xA000, 0xAC00), range(0xF900, 0x12000), range(0x1D000, 0x1FB00))
"""All but ideographs, Hangul, what is for private use, and scripts of antiquity."""
_NO_LETTERS = frozenset(chain(range(0x20D0, 0x2100), range(0xFE00, 0xFE10)))
"""Frames around digits, and how an emoji is to be drawn."""
_TYPOGRAPHY = frozenset(map(ord, "¬©®°"))


def _ranges(codes: Iterable[int]) -> Iterator[str]:
    first = last = -1
    for code in sorted(codes):
        if code != last + 1:
            if last >= 0:
                yield f"{chr(first)}-{chr(last)}"
            first = code
        last = code
    yield f"{chr(first)}-{chr(last)}"


_codes: dict[str, list[int]] = defaultdict(list)
for _code in chain(*_SCANNED):
    _codes[unicodedata.category(chr(_code))].append(_code)

MARKS = "".join(_ranges({*_codes["Mn"], *_codes["Mc"]} - _NO_LETTERS))
"""What belongs to the letter before it: accents, and signs of vowels and tones."""
CURRENCIES = "$" + "".join(_ranges(_codes["Sc"]))
SYMBOLS = "+<=>" + "".join(_ranges({*_codes["Sm"], *_codes["So"]} - _TYPOGRAPHY))
"""What says something by itself: signs of mathematics, arrows, pictures."""

del _codes
