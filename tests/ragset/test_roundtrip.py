from collections.abc import Sequence
from typing import Any

from ragset.checks import CheckSettings
from ragset.models import Candidate, Chunk, Reject, Span
from ragset.roundtrip import find_again, first_relevant
from ragset.search import Mode


def chunk(place: int) -> Chunk:
    """The characters 10 times `place` to 10 times `place` and 10 of document d."""
    return Chunk(doc_id="d", start=10 * place, end=10 * place + 10, text=f"Chunk {place}: 3.")


class Ranks:
    """A search with the same rankings, of chunks by place, for every query; it remembers what it was asked."""

    def __init__(self, **rankings: list[int]) -> None:
        self._rankings = rankings
        self.asked: list[tuple[list[str], Mode, int]] = []

    def ranked(self, queries: Sequence[str], mode: Mode, limit: int) -> list[list[str]]:
        self.asked.append((list(queries), mode, limit))
        return [[chunk(place).id for place in self._rankings[mode][:limit]] for _ in queries]

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        return [chunk(int(key.partition(":")[2].partition("-")[0]) // 10) for key in ids]


def candidate(place: int = 1, **fields: Any) -> Candidate:
    """Its evidence is the first five characters of its chunk."""
    evidence = (Span(doc_id="d", start=10 * place, end=10 * place + 5),)
    return Candidate(chunks=(chunk(place),), query=f"About {place}?", answer="3.", evidence=evidence, **fields)


NEAR_MISS = Candidate(
    chunks=(chunk(4),), query="About 44?", metadata={"unanswerable": {"missing": "44", "near": chunk(4).id}}
)


def test_the_rank_is_that_of_the_first_chunk_that_shares_half_of_the_shorter() -> None:
    evidence = [Span(doc_id="d", start=8, end=16)]
    # d:0-10 shares 2 of the 8 characters of the evidence, d:10-20 shares 6; e is another document
    assert first_relevant(["e:8-16", "d:0-10", "d:10-20"], evidence) == 3
    assert first_relevant(["d:0-10"], evidence) is None


def test_a_label_says_rank_depth_and_retriever() -> None:
    search = Ranks(dense=[7, 1, 2])
    found = find_again([candidate(), candidate(5)], search, CheckSettings(round_trip_by="dense", round_trip_k=3))
    labels = [one.metadata["round_trip"] for one in found if isinstance(one, Candidate)]
    assert labels == [{"rank": 2, "k": 3, "by": "dense"}, {"rank": None, "k": 3, "by": "dense"}]
    assert search.asked == [(["About 1?", "About 5?"], "dense", 3)]


def test_a_filter_rejects_what_is_not_found_again() -> None:
    kept, lost = find_again([candidate(), candidate(5)], Ranks(bm25=[7, 1]), CheckSettings(round_trip="filter"))
    assert isinstance(kept, Candidate)
    assert isinstance(lost, Reject)
    assert (lost.stage, lost.reason, lost.chunks) == ("find", "not_found_again", (chunk(5).id,))
    assert "first 10 of bm25" in lost.detail


def test_switched_off_nothing_is_searched_for() -> None:
    search = Ranks()
    assert find_again([candidate()], search, CheckSettings(round_trip="off")) == [candidate()]
    assert search.asked == []


def test_holes_are_looked_for_in_the_best_of_both_searches_without_the_evidence() -> None:
    search = Ranks(bm25=[1, 2, 3], dense=[6, 2, 9])
    (found,) = find_again([candidate()], search, CheckSettings(round_trip="off", holes=True, pool=2))
    assert isinstance(found, Candidate)
    # of 1, 2 and 6, 2 the first is the evidence's own
    assert found.found == (chunk(6), chunk(2))
    assert "round_trip" not in found.metadata


def test_without_holes_only_unanswerable_queries_are_looked_into_beginning_with_their_chunk() -> None:
    search = Ranks(bm25=[1, 4], dense=[3, 4])
    answerable, near_miss = find_again([candidate(), NEAR_MISS], search, CheckSettings())
    assert isinstance(answerable, Candidate)
    assert isinstance(near_miss, Candidate)
    assert answerable.found == ()
    assert near_miss.found == (chunk(4), chunk(1), chunk(3))
    assert "round_trip" not in near_miss.metadata
    assert search.asked == [(["About 1?"], "bm25", 10), (["About 44?"], "bm25", 10), (["About 44?"], "dense", 10)]


def test_a_filter_has_nothing_against_a_query_without_evidence() -> None:
    (found,) = find_again([NEAR_MISS], Ranks(bm25=[], dense=[]), CheckSettings(round_trip="filter"))
    assert isinstance(found, Candidate)
    assert found.found == (chunk(4),)
