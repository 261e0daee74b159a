"""Texts reduced to letters and digits, in which two programs that extract the text of one file hardly ever differ."""

import unicodedata
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class Letters(NamedTuple):
    """The letters and digits of a text, casefolded, ligatures taken apart, accents dropped."""

    text: str
    places: Ints  # for each letter the offset of the character that it comes from


def letters_of(text: str) -> Letters:
    """The letters and digits of `text`."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    distinct, which = np.unique(codes, return_inverse=True)
    folded = [_fold(chr(code)) for code in distinct.tolist()]
    sizes = np.array([len(letters) for letters in folded], dtype=np.int64)
    places = np.repeat(np.arange(len(which), dtype=np.int64), sizes[which])
    return Letters("".join([folded[number] for number in which.tolist()]), places)


@lru_cache(maxsize=2**16)
def _fold(character: str) -> str:
    compatible = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", character).casefold())
    letters = "".join(one for one in compatible if one.isalnum())
    if len(letters) != 1:
        return letters
    # A Hangul syllable comes apart into several letters and stays whole.
    base = [one for one in unicodedata.normalize("NFKD", letters) if one.isalnum()]
    return base[0] if len(base) == 1 else letters
