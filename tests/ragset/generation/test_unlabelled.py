from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.generation.unlabelled import unlabelled_candidates
from ragset.models import Span


def test_rankings_take_turns_and_each_chunk_is_there_once() -> None:
    bm25, dense = ["a:0-10", "b:0-10", "c:0-10"], ["b:0-10", "d:0-10"]
    assert unlabelled_candidates([bm25, dense], ()) == ["a:0-10", "b:0-10", "d:0-10", "c:0-10"]


def test_what_shares_a_character_with_evidence_is_labelled_already() -> None:
    evidence = [Span(doc_id="a", start=10, end=20)]
    # a:0-10 ends where the evidence begins, and b is another document
    assert unlabelled_candidates([["a:0-11", "a:0-10", "a:19-30", "b:10-20", "a:20-30"]], evidence) == [
        "a:0-10",
        "b:10-20",
        "a:20-30",
    ]


def test_of_neighbours_that_are_much_alike_the_better_one_is_taken() -> None:
    # a:20-40 shares half of the shorter with a:10-30, and a:25-40 a third
    assert unlabelled_candidates([["a:10-30", "a:20-40", "a:30-50", "a:25-40"]], ()) == ["a:10-30", "a:30-50"]
    assert unlabelled_candidates([["a:10-30", "a:25-40"]], ()) == ["a:10-30", "a:25-40"]


def test_a_neighbour_that_shares_little_with_the_first_chunk_is_looked_at() -> None:
    first = [Span(doc_id="d", start=0, end=58)]
    assert unlabelled_candidates([["d:0-58", "d:38-115", "d:0-40"]], (), first) == ["d:38-115"]


PLACES = st.tuples(st.sampled_from("ab"), st.integers(0, 30), st.integers(1, 12))
RANKINGS = st.lists(st.lists(PLACES.map(lambda place: f"{place[0]}:{place[1]}-{place[1] + place[2]}")), max_size=3)


@settings(max_examples=50, deadline=None)
@given(RANKINGS)
def test_no_two_pooled_chunks_are_much_alike_and_nothing_else_is_left_out(rankings: list[list[str]]) -> None:
    found = unlabelled_candidates(rankings, ())
    spans = [span_of(one) for one in found]
    assert not any(alike(one, other) for place, one in enumerate(spans) for other in spans[:place])
    every = [span_of(one) for ranking in rankings for one in ranking]
    assert all(any(alike(one, taken) for taken in spans) for one in every)


def alike(one: Span, other: Span) -> bool:
    return one.doc_id == other.doc_id and 2 * one.overlap(other) >= min(one.end - one.start, other.end - other.start)


def span_of(chunk_id: str) -> Span:
    doc_id, _, place = chunk_id.partition(":")
    start, _, end = place.partition("-")
    return Span(doc_id=doc_id, start=int(start), end=int(end))
