import numpy as np
import pytest

from ragset.generation.hardness import level_of
from ragset.generation.selection import drop_repeats, fitting, labelled, take, unanswerable_shortfall, unmet
from ragset.models import Candidate, Chunk, Golden, Reject, Span

TEXT = "The water clock of Aldmoor was built by three smiths in 1612."


def grown(query: str, start: int = 0, score: int = 4, **metadata: object) -> Candidate:
    chunk = Chunk(doc_id="d", start=start, end=start + len(TEXT), text=TEXT)
    return Candidate(
        chunks=(chunk,),
        query=query,
        answer="Three smiths.",
        evidence=(chunk.span,),
        scores={"clarity": score},
        metadata=metadata,
    )


def repeats(*queries: str, before: tuple[str, ...] = (), how: str = "near") -> tuple[list[str], list[Reject]]:
    there = [Golden.of(grown(query)) for query in before]
    kept, rejects = drop_repeats([grown(query) for query in queries], there, how=how)  # pyright: ignore
    return [one.query for one in kept], rejects


def test_a_query_turned_round_is_a_duplicate() -> None:
    asked = ("How does a sundial differ from a water clock?", "How does a water clock differ from a sundial?")
    kept, (reject,) = repeats(*asked)
    assert len(kept) == 1
    assert (reject.stage, reject.reason) == ("keep", "duplicate_query")


def test_a_query_that_is_there_already_is_a_duplicate_whatever_its_case_and_spaces() -> None:
    kept, (reject,) = repeats("what is a clock", "What is a bell?", before=("What is a  clock?",))
    assert kept == ["What is a bell?"]
    assert reject.detail == f"1.00: {Golden.of(grown('What is a  clock?')).id}"


def test_near_duplicates_go_unless_only_the_same_words_count() -> None:
    asked = ("Who built the water clock of Aldmoor?", "Who was it that built the water clock of Aldmoor?")
    kept, (reject,) = repeats(*asked)
    assert len(kept) == 1
    assert reject.reason == "near_duplicate"
    assert repeats(*asked, how="exact") == (list(asked), [])


def test_of_duplicates_the_one_that_the_critic_scored_better_stays() -> None:
    worse, better = grown("Who built the clock?", score=4), grown("who built the clock", score=5)
    kept, _ = drop_repeats([worse, better], [], how="exact")
    assert kept == [better]


def test_queries_are_compared_by_meaning_where_there_are_vectors() -> None:
    asked = [grown("Who made the water clock of Aldmoor?"), grown("Which craftsmen built the Aldmoor water clock?")]
    vectors = np.ones((2, 4), dtype=np.float32)
    assert len(drop_repeats(asked, [], how="near")[0]) == 2
    kept, (reject,) = drop_repeats(asked, [], how="semantic", vectors=vectors)
    assert len(kept) == 1
    assert reject.reason == "same_meaning"


def test_a_candidate_is_labelled_with_its_overlap_and_its_hardness() -> None:
    overlap = labelled(grown("The water clock of Aldmoor was built by whom?")).metadata["overlap"]
    # "the water clock of aldmoor was built by" are 8 of 9 words
    assert (overlap["longest"], overlap["share"]) == (8, 0.8889)
    easy = labelled(grown("The water clock of Aldmoor was built by whom?", round_trip={"rank": 1}))
    assert easy.metadata["hardness"]["level"] == "easy"


def halves(text: str, cut: int, *, gap: int = 0, shared: int = 0) -> Candidate:
    """Its evidence is the text, in two chunks: with `gap` characters of white space between them, or `shared` ones in both."""
    first = Chunk(doc_id="d", start=50, end=50 + cut, text=text[:cut])
    second = Chunk(doc_id="d", start=50 + cut + gap - shared, end=50 + len(text) + gap, text=text[cut - shared :])
    whole = Span(doc_id="d", start=50, end=second.end)
    return Candidate(chunks=(second, first), query="", answer="x", evidence=(whole,))


@pytest.mark.parametrize(
    ("cut", "gap", "shared"), [(28, 0, 0), (28, 1, 0), (28, 2, 0), (40, 0, 12), (10, 0, 0), (52, 0, 0)]
)
def test_evidence_that_runs_over_two_chunks_is_compared_whole(cut: int, gap: int, shared: int) -> None:
    text = "The boiler is cleaned in May. The chimney is swept in June by a sweep."
    asked = halves(text, cut, gap=gap, shared=shared).model_copy(
        update={"query": "Is the chimney swept in June by a sweep?"}
    )
    overlap = labelled(asked).metadata["overlap"]
    # "swept in June by a sweep"
    assert (overlap["longest"], overlap["covered"]) == (6, 1.0)


def test_the_first_ones_are_taken_and_the_rest_is_surplus() -> None:
    goldens, (reject,) = take([grown("one?"), grown("two?"), grown("three?")], 2, {})
    assert [golden.query for golden in goldens] == ["one?", "two?"]
    assert (reject.reason, reject.query) == ("surplus", "three?")
    assert len(take([grown("one?"), grown("two?")], None, {})[0]) == 2


def test_a_query_worded_as_its_evidence_is_the_first_to_be_surplus() -> None:
    copied = "What water clock of Aldmoor was built by three smiths?"
    pool = [labelled(grown(query)) for query in (copied, "Who made the Aldmoor timepiece?", "Who were its makers?")]
    goldens, (reject,) = take(pool, 2, {})
    assert [golden.query for golden in goldens] == ["Who made the Aldmoor timepiece?", "Who were its makers?"]
    assert (reject.query, reject.reason) == (copied, "surplus")
    # where there is no surplus it stays, and the order is that of the pool
    assert [golden.query for golden in take(pool, 3, {})[0]] == [candidate.query for candidate in pool]


@pytest.fixture
def pool() -> list[Candidate]:
    """Four easy ones, and two hard ones."""
    easy = [labelled(grown(f"The water clock of Aldmoor built by {n}?", n, round_trip={"rank": 1})) for n in range(4)]
    return easy + [labelled(grown(f"Whose work is {n}?", n, round_trip={"rank": None})) for n in (4, 5)]


def test_a_mix_takes_what_it_asks_for_in_the_order_of_the_pool(pool: list[Candidate]) -> None:
    assert [level_of(Golden.of(one)) for one in pool] == ["easy"] * 4 + ["hard"] * 2
    goldens, rejects = take(pool, 4, {"easy": 1, "hard": 1})
    assert [level_of(golden) for golden in goldens] == ["easy", "easy", "hard", "hard"]
    assert [reject.detail for reject in rejects] == ["hardness: easy"] * 2


def test_more_of_a_level_than_the_mix_has_room_for_does_not_count(pool: list[Candidate]) -> None:
    assert fitting(pool, 8, {"easy": 1, "hard": 1}) == 6  # four and two of four and four
    assert fitting(pool, 4, {"easy": 1, "hard": 1}) == 4
    assert fitting(pool, 4, {"hard": 1}) == 2
    assert fitting(pool, 4, {}) == 6


def test_a_mix_is_that_of_the_whole_set_with_what_is_there_already(pool: list[Candidate]) -> None:
    there = [Golden.of(one) for one in pool[:3]]  # three easy ones
    # Of eight in all four are to be hard, and one more easy.
    assert fitting(pool[3:], 5, {"easy": 1, "hard": 1}, there) == 3
    assert "4 hard goldens wanted and 2 made" in unmet(pool[3:], 5, {"easy": 1, "hard": 1}, there)
    goldens, (reject,) = take(pool[3:], 2, {"easy": 1, "hard": 1}, there)
    assert [level_of(golden) for golden in goldens] == ["hard", "hard"]
    assert reject.detail == "hardness: easy"


def test_a_golden_is_known_by_its_query_and_evidence() -> None:
    first, second = take([grown("a?"), grown("b?")], None, {})[0]
    assert first.id != second.id
    assert first.evidence == (Span(doc_id="d", start=0, end=len(TEXT)),)


@pytest.mark.parametrize(("made", "told"), [(4, False), (2, False), (1, True), (0, True)])
def test_far_fewer_than_asked_for_are_told(made: int, told: bool) -> None:
    ordinary = Golden.of(grown("Who built the clock?"))
    unanswerable = ordinary.model_copy(update={"kind": "unanswerable"})
    # a fifth of 20 are four
    said = unanswerable_shortfall([unanswerable] * made + [ordinary] * (20 - made), 0.2)
    assert bool(said) is told
    assert not told or said.startswith(f"{made} of 20 goldens are unanswerable, and 4 were to be")
