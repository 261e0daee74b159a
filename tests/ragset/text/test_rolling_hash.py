import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.text.rolling_hash import HashTable, codes_of, rolling_hashes


@settings(deadline=None)
@given(st.text("abc", max_size=60), st.integers(1, 20))
def test_windows_with_one_hash_have_the_same_letters(text: str, width: int) -> None:
    windows = [text[at : at + width] for at in range(len(text) - width + 1)]
    found = rolling_hashes(codes_of(text), width).tolist()
    assert len(found) == len(windows)
    assert len(set(found)) == len(set(windows))
    assert len(set(zip(found, windows, strict=True))) == len(set(windows))


def test_a_table_finds_its_hashes_and_no_others() -> None:
    hashes = rolling_hashes(codes_of("abcabd"), 3)
    table = HashTable(np.append(hashes[:1], hashes[:1]))
    places, numbers = table.find(hashes)
    # "abc" stands at 0 alone: "bca", "cab" and "abd" are others
    assert (places.tolist(), numbers.tolist()) == ([0], [0])
    assert table.find(hashes[:0])[0].tolist() == []
