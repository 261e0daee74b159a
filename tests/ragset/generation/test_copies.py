from collections.abc import Sequence
from itertools import pairwise

import pytest

from ragset.generation.copies import find_copies
from ragset.models import Chunk
from ragset.text.passages import text_of

SAID = "Rinse the filter, then dry it."


def cut(text: str, *places: int) -> list[Chunk]:
    """The text in chunks that end at these places and at its end."""
    edges = [0, *places, len(text)]
    return [Chunk(doc_id="d", start=start, end=end, text=text[start:end]) for start, end in pairwise(edges)]


def copies(said: str, chunks: Sequence[Chunk]) -> list[tuple[int, int]]:
    found = find_copies(said, chunks, lambda span: text_of(span, chunks))
    assert all(span.doc_id == "d" for span in found)
    return [(span.start, span.end) for span in found]


@pytest.mark.parametrize(
    ("text", "places", "wanted"),
    [
        (f"First: {SAID} Last.", [], [(7, 37)]),
        (f"First: {SAID} Last.", [20], [(7, 37)]),  # in two chunks, found once
        (f"First: {SAID} Last.", [14, 25], [(7, 37)]),  # in three
        (f"First: {SAID} Again: {SAID}", [], [(7, 37), (45, 75)]),
        ("Rinse the\n\nfilter,  then dry\tit.", [10], [(0, 32)]),
        ("Rinse the filter, then dry its rim.", [20], []),
        ("Never Rinse the filters, then dry it.", [], []),
        ("rinse the filter, then dry it.", [], []),  # a benchmark tells case apart, too
    ],
)
def test_copies_are_found_wherever_the_text_is_cut(text: str, places: list[int], wanted: list[tuple[int, int]]) -> None:
    assert copies(SAID, cut(text, *places)) == wanted


def test_a_word_that_is_cut_is_no_copy_where_words_have_ends() -> None:
    assert copies("dry it and put it away", cut("Laundry it and put it away.")) == []
    assert copies("dry it and put it away", cut("Dry it; dry it and put it awayward.")) == []
    han = "冲洗过滤器然后晾干再把它放回原处并且关上盖子即可"
    assert copies(han, cut(f"先{han}了")) == [(1, 25)]


def test_fewer_than_twenty_characters_have_no_copies() -> None:
    assert copies("x" * 19, cut("x" * 19)) == []
    assert copies("x" * 20, cut("x" * 20)) == [(0, 20)]
