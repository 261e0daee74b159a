from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.dataset.importers.letters import letters_of
from ragset.dataset.importers.seeds import MOST_HITS, Sought, find_seeds, hashes
from ragset.models import Document

ALPHABET = st.text("abc", max_size=60)


@settings(deadline=None)
@given(ALPHABET, st.integers(1, 20))
def test_windows_with_one_hash_have_the_same_letters(text: str, width: int) -> None:
    windows = [text[at : at + width] for at in range(len(text) - width + 1)]
    found = hashes(letters_of(text).codes, width).tolist()
    assert len(found) == len(windows)
    assert len(set(found)) == len(set(windows))
    assert len(set(zip(found, windows, strict=True))) == len(set(windows))


def rows(passages: list[Sought], *texts: str) -> list[tuple[int, ...]]:
    found = find_seeds(passages, [Document.of(text, source="a") for text in texts])
    return list(zip(*(column.tolist() for column in found), strict=True))


def sought(text: str, width: int, document: str = "") -> Sought:
    return Sought(letters_of(text).codes, width, document)


def test_a_run_is_found_in_each_document() -> None:
    # "cdef" is the run at 0, and the only one
    assert rows([sought("cdef", 4)], "ab cd ef", "x", "cdef cdef") == [(0, 0, 0, 2), (0, 2, 0, 0), (0, 2, 0, 4)]


def test_passages_that_share_a_run_both_have_it() -> None:
    assert {row[0] for row in rows([sought("cdef", 4), sought("cdefgh", 4)], "abcdefgh")} == {0, 1}


def test_a_frequent_run_is_cut_off_but_in_the_document_that_is_named() -> None:
    texts = [f"cdef {number}" for number in range(MOST_HITS + 5)]
    last = Document.of(texts[-1], source="a").id
    assert len(rows([sought("cdef", 4)], *texts)) == MOST_HITS
    assert len(rows([sought("cdef", 4, last)], *texts)) == MOST_HITS + 1
