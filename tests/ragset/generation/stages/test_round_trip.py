from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.generation.checks import CheckSettings
from ragset.generation.stages.round_trip import first_relevant, search_for_evidence, unlabelled_passages, update_rank
from ragset.models import Candidate, Chunk, Reject, Span
from ragset.retrieval.search import Mode


def chunk(place: int) -> Chunk:
    """The characters 10 times `place` to 10 times `place` and 10 of document d."""
    return Chunk(doc_id="d", start=10 * place, end=10 * place + 10, text=f"Chunk {place}: 3.")


class Ranks:
    """A search with the same rankings, of chunks by place, for every query; it remembers what it was asked."""

    def __init__(self, **rankings: list[int]) -> None:
        self._rankings = rankings
        self.asked: list[tuple[list[str], Mode, int]] = []
        self.read: list[list[str]] = []

    def ranked(self, queries: Sequence[str], mode: Mode, limit: int) -> list[list[str]]:
        self.asked.append((list(queries), mode, limit))
        return [[chunk(place).id for place in self._rankings[mode][:limit]] for _ in queries]

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        self.read.append(list(ids))
        return [chunk(int(key.partition(":")[2].partition("-")[0]) // 10) for key in ids]


class Manuals:
    """A search that finds all chunks of some manuals, always in the same order."""

    def __init__(self, *chunks: Chunk) -> None:
        self._chunks = {chunk.id: chunk for chunk in chunks}

    def ranked(self, queries: Sequence[str], mode: Mode, limit: int) -> list[list[str]]:
        return [list(self._chunks)[:limit] for _ in queries]

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        return [self._chunks[key] for key in ids]


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
    found = search_for_evidence(
        [candidate(), candidate(5)], search, CheckSettings(round_trip_by="dense", round_trip_k=3)
    )
    labels = [one.metadata["round_trip"] for one in found if isinstance(one, Candidate)]
    assert labels == [{"rank": 2, "k": 3, "by": "dense"}, {"rank": None, "k": 3, "by": "dense"}]
    assert search.asked == [(["About 1?", "About 5?"], "dense", 3)]


def test_a_filter_rejects_what_is_not_found_again() -> None:
    kept, lost = search_for_evidence(
        [candidate(), candidate(5)], Ranks(bm25=[7, 1]), CheckSettings(round_trip="filter")
    )
    assert isinstance(kept, Candidate)
    assert isinstance(lost, Reject)
    assert (lost.stage, lost.reason, lost.chunks) == ("find", "not_found_again", (chunk(5).id,))
    assert "first 10 of bm25" in lost.detail


def test_switched_off_nothing_is_searched_for() -> None:
    search = Ranks()
    assert search_for_evidence([candidate()], search, CheckSettings(round_trip="off")) == [candidate()]
    assert search.asked == []


def test_holes_are_looked_for_in_the_best_of_both_searches_without_the_evidence() -> None:
    search = Ranks(bm25=[1, 2, 3], dense=[6, 2, 9])
    (found,) = search_for_evidence([candidate()], search, CheckSettings(round_trip="off", holes=True, pool=2))
    assert isinstance(found, Candidate)
    # of 1, 2 and 6, 2 the first is the evidence's own
    assert found.found == (chunk(6), chunk(2))
    assert "round_trip" not in found.metadata


def test_without_holes_only_unanswerable_queries_are_looked_into_beginning_with_their_chunk() -> None:
    search = Ranks(bm25=[1, 4], dense=[3, 4])
    answerable, near_miss = search_for_evidence([candidate(), NEAR_MISS], search, CheckSettings())
    assert isinstance(answerable, Candidate)
    assert isinstance(near_miss, Candidate)
    assert answerable.found == ()
    assert near_miss.found == (chunk(4), chunk(1), chunk(3))
    assert "round_trip" not in near_miss.metadata
    assert search.asked == [(["About 1?"], "bm25", 10), (["About 44?"], "bm25", 10), (["About 44?"], "dense", 10)]


def test_a_filter_has_nothing_against_a_query_without_evidence() -> None:
    (found,) = search_for_evidence([NEAR_MISS], Ranks(bm25=[], dense=[]), CheckSettings(round_trip="filter"))
    assert isinstance(found, Candidate)
    assert found.found == (chunk(4),)


NOTE = "Unplug it before you open the lid."


def manual(document: str, *texts: str) -> list[Chunk]:
    """Chunks that follow each other after one space."""
    chunks: list[Chunk] = []
    for text in texts:
        start = chunks[-1].end + 1 if chunks else 0
        chunks.append(Chunk(doc_id=document, start=start, end=start + len(text), text=text))
    return chunks


def noted(own: Chunk) -> Candidate:
    start = own.start + own.text.index(NOTE)
    evidence = (Span(doc_id=own.doc_id, start=start, end=start + len(NOTE)),)
    return Candidate(chunks=(own,), query="What must be done before the lid is opened?", answer="x", evidence=evidence)


@pytest.mark.parametrize(
    ("others", "rank"),
    [
        (manual("a", f"The kiln. {NOTE}"), 1),
        (manual("a", "The kiln. Unplug it\nbefore  you open the lid. Then wait."), 1),
        # begun alike and ended otherwise
        (manual("a", "The kiln. Unplug it before you open", "the door of the cellar, and wait."), 3),
        (manual("a", "The kiln. Unplug it before you open the lids."), 2),
        (manual("a", "The kiln.", "Unplug it before you lift the lid."), 3),
    ],
)
def test_a_chunk_that_says_the_evidence_word_for_word_is_as_good(others: list[Chunk], rank: int) -> None:
    (own,) = manual("b", f"The loom. {NOTE}")
    (found,) = search_for_evidence([noted(own)], Manuals(*others, own), CheckSettings())
    assert isinstance(found, Candidate)
    assert found.metadata["round_trip"]["rank"] == rank
    assert (found.copies, found.ranked) == ((), None)


def test_what_many_places_say_is_found_again_in_any_of_them() -> None:
    own, *others = (manual(name, f"{name}. {NOTE}")[0] for name in "abcdefgh")
    checks = CheckSettings(round_trip="filter", round_trip_k=3)
    (found,) = search_for_evidence([noted(own)], Manuals(*others, own), checks)
    assert isinstance(found, Candidate)
    assert found.metadata["round_trip"]["rank"] == 1


def test_what_is_said_in_few_letters_is_said_in_many_places_by_chance() -> None:
    own, other = manual("b", "In June 1954, it is said.")[0], manual("a", "In June 1954, they left.")[0]
    short = noted(manual("b", NOTE)[0]).model_copy(
        update={"chunks": (own,), "evidence": (Span(doc_id="b", start=0, end=12),)}
    )
    (found,) = search_for_evidence([short], Manuals(other, own), CheckSettings())
    assert isinstance(found, Candidate)
    assert found.metadata["round_trip"]["rank"] == 2


def test_copies_count_when_the_holes_have_been_looked_for() -> None:
    own, other = manual("b", f"The loom. {NOTE}")[0], manual("a", f"The kiln. {NOTE}")[0]
    checks = CheckSettings(round_trip="filter", round_trip_k=1, holes=True)
    (found,) = search_for_evidence([noted(own)], Manuals(other, own), checks)
    assert isinstance(found, Candidate)
    ranked = update_rank(found, checks, "support")
    assert isinstance(ranked, Candidate)
    assert (ranked.metadata["round_trip"]["rank"], ranked.copies, ranked.ranked) == (1, (), None)


def test_a_query_that_finds_nothing_at_all_is_not_found_again_after_the_holes_either() -> None:
    checks = CheckSettings(round_trip="filter", holes=True)
    (found,) = search_for_evidence([candidate()], Ranks(bm25=[], dense=[]), checks)
    assert isinstance(found, Candidate)
    assert found.ranked == ()
    lost = update_rank(found, checks, "support")
    assert isinstance(lost, Reject)
    assert lost.reason == "not_found_again"


def test_what_nobody_searched_for_is_not_ranked() -> None:
    assert update_rank(NEAR_MISS, CheckSettings(round_trip="filter", holes=True), "support") == NEAR_MISS


def test_rankings_take_turns_and_each_chunk_is_there_once() -> None:
    bm25, dense = ["a:0-10", "b:0-10", "c:0-10"], ["b:0-10", "d:0-10"]
    assert unlabelled_passages([bm25, dense], ()) == ["a:0-10", "b:0-10", "d:0-10", "c:0-10"]


def test_what_shares_a_character_with_evidence_is_labelled_already() -> None:
    evidence = [Span(doc_id="a", start=10, end=20)]
    # a:0-10 ends where the evidence begins, and b is another document
    assert unlabelled_passages([["a:0-11", "a:0-10", "a:19-30", "b:10-20", "a:20-30"]], evidence) == [
        "a:0-10",
        "b:10-20",
        "a:20-30",
    ]


def test_of_neighbours_that_are_much_alike_the_better_one_is_taken() -> None:
    # a:20-40 shares half of the shorter with a:10-30, and a:25-40 a third
    assert unlabelled_passages([["a:10-30", "a:20-40", "a:30-50", "a:25-40"]], ()) == ["a:10-30", "a:30-50"]
    assert unlabelled_passages([["a:10-30", "a:25-40"]], ()) == ["a:10-30", "a:25-40"]


def test_a_neighbour_that_shares_little_with_the_first_chunk_is_looked_at() -> None:
    first = [Span(doc_id="d", start=0, end=58)]
    assert unlabelled_passages([["d:0-58", "d:38-115", "d:0-40"]], (), first) == ["d:38-115"]


PLACES = st.tuples(st.sampled_from("ab"), st.integers(0, 30), st.integers(1, 12))
RANKINGS = st.lists(st.lists(PLACES.map(lambda place: f"{place[0]}:{place[1]}-{place[1] + place[2]}")), max_size=3)


@given(RANKINGS)
def test_no_two_pooled_chunks_are_much_alike_and_nothing_else_is_left_out(rankings: list[list[str]]) -> None:
    found = unlabelled_passages(rankings, ())
    spans = [Span.of_id(one) for one in found]
    assert not any(alike(one, other) for place, one in enumerate(spans) for other in spans[:place])
    every = [Span.of_id(one) for ranking in rankings for one in ranking]
    assert all(any(alike(one, taken) for taken in spans) for one in every)


def alike(one: Span, other: Span) -> bool:
    return one.doc_id == other.doc_id and 2 * one.overlap(other) >= min(one.end - one.start, other.end - other.start)


def test_the_chunks_before_those_of_a_whole_batch_are_read_at_once_and_each_once() -> None:
    search = Ranks(bm25=[5, 1, 2])
    search_for_evidence([candidate(1), candidate(2)], search, CheckSettings(round_trip="label", round_trip_by="bm25"))
    # 5 ranks before 1; 5 and 1 rank before 2
    assert search.read == [[chunk(5).id, chunk(1).id]]
