"""Texts reduced to their letters and digits.

Two programs that extract the text of one file differ in white space, list bullets, hyphens at line ends, ligatures,
quotation marks and markup. They hardly ever differ in the letters.
"""

import unicodedata
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint32]


class Letters(NamedTuple):
    """The letters and digits of a text, casefolded, ligatures taken apart, accents dropped."""

    text: str
    codes: Codes
    """The same as code points."""
    places: NDArray[np.int64]
    """For each letter the character of the original text that it comes from."""


def letters_of(text: str) -> Letters:
    """The letters and digits of `text`."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint32)
    distinct, which = np.unique(codes, return_inverse=True)
    folded = [_fold(chr(code)) for code in distinct.tolist()]
    counts = np.array([len(letters) for letters in folded], dtype=np.int64)[which]
    first = np.array([ord(letters[0]) if letters else 0 for letters in folded], dtype=np.uint32)[which]
    made = np.repeat(first, counts)
    ends = np.cumsum(counts)
    for number, letters in enumerate(folded):
        if len(letters) > 1:
            at = ends[which == number]
            for back, letter in enumerate(reversed(letters), start=1):
                made[at - back] = ord(letter)
    return Letters(
        made.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass"),
        made,
        np.repeat(np.arange(len(codes), dtype=np.int64), counts),
    )


@lru_cache(maxsize=2**16)
def _fold(character: str) -> str:
    compatible = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", character).casefold())
    letters = "".join(one for one in compatible if one.isalnum())
    if len(letters) != 1:
        return letters
    # A Hangul syllable comes apart into several letters and stays whole.
    base = [one for one in unicodedata.normalize("NFKD", letters) if one.isalnum()]
    return base[0] if len(base) == 1 else letters
