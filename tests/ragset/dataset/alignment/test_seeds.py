from ragset.dataset.alignment.letters import letters_of
from ragset.dataset.alignment.seeds import MOST_HITS, Sought, find_seeds
from ragset.models import Document


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
