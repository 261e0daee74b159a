import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.relevance.qrels import Layout, Place, place_of
from ragset.errors import InputError
from ragset.models import Span

RANGES = st.tuples(st.integers(0, 60), st.integers(1, 30)).map(lambda pair: (pair[0], pair[0] + pair[1]))


def test_a_place_is_read_off_the_id() -> None:
    assert place_of("d:10-25") == Place("d", 10, 25)


def test_the_id_of_a_document_may_hold_colons_and_hyphens() -> None:
    assert place_of("https://a-b:8-9:1-2") == Place("https://a-b:8-9", 1, 2)


@pytest.mark.parametrize("chunk_id", ["d", "d:1", "d:2-2", "d:5-3", ":1-2", "d:a-b", "d:-1-2"])
def test_another_form_of_id_is_refused(chunk_id: str) -> None:
    with pytest.raises(InputError, match="doc_id:start-end"):
        place_of(chunk_id)


def test_a_chunk_that_only_touches_does_not_overlap() -> None:
    layout = Layout(["d:0-10", "d:10-20", "d:20-30", "e:0-100"])
    assert [chunk.id for chunk in layout.overlapping(Span(doc_id="d", start=10, end=20))] == ["d:10-20"]


def test_a_long_chunk_before_short_ones_is_found() -> None:
    layout = Layout(["d:0-100", "d:5-6", "d:7-8", "d:50-60"])
    assert [chunk.id for chunk in layout.overlapping(Place("d", 40, 55))] == ["d:0-100", "d:50-60"]


def test_an_unknown_document_has_no_chunks() -> None:
    assert Layout(["d:0-1"]).overlapping(Place("e", 0, 1)) == []


@given(st.lists(RANGES, max_size=12), RANGES)
def test_what_overlaps_is_what_shares_a_character(ranges: list[tuple[int, int]], wanted: tuple[int, int]) -> None:
    found = Layout(f"d:{start}-{end}" for start, end in ranges).overlapping(Place("d", *wanted))
    shared = {(start, end) for start, end in ranges if set(range(start, end)) & set(range(*wanted))}
    assert [(chunk.start, chunk.end) for chunk in found] == sorted(shared)
