"""Hashes of every run of characters of one length, and a table that finds known hashes among them."""

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint32]
Hashes = NDArray[np.uint64]
Ints = NDArray[np.int64]

_FACTOR = 0x9E3779B97F4A7C15
_BITS = 20


def codes_of(text: str) -> Codes:
    """The code points of `text`."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint32)


def rolling_hashes(codes: Codes, width: int) -> Hashes:
    """A polynomial hash, modulo 2**64, of each `width` code points in a row."""
    whole = np.zeros(len(codes), dtype=np.uint64)
    power, done = codes.astype(np.uint64), 0
    size = 1
    while size <= width:
        if width & size:
            # What is hashed already, followed by the next `size` code points.
            length = len(codes) - done - size + 1
            if length <= 0:
                return np.zeros(0, dtype=np.uint64)
            whole = whole[:length] * np.uint64(pow(_FACTOR, size, 2**64)) + power[done : done + length]
            done += size
        power = power[:-size] * np.uint64(pow(_FACTOR, size, 2**64)) + power[size:]
        size *= 2
    return whole


class HashTable:
    """Distinct hashes to look for. A bitmap of their first bits skips nearly all others quickly."""

    def __init__(self, hashes: Hashes) -> None:
        self.hashes = np.unique(hashes)
        self._marked = np.zeros(1 << _BITS, dtype=bool)
        self._marked[self.hashes >> np.uint64(64 - _BITS)] = True

    def find(self, hashes: Hashes) -> tuple[Ints, Ints]:
        """The positions, rising, of those that are in the table, and the number of each in `self.hashes`."""
        positions = np.flatnonzero(self._marked[hashes >> np.uint64(64 - _BITS)])
        numbers = np.minimum(np.searchsorted(self.hashes, hashes[positions]), len(self.hashes) - 1)
        kept = self.hashes[numbers] == hashes[positions]
        return positions[kept], numbers[kept]
