"""Pooled queries that are graded, answered and compared."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.completeness import judged_of
from ragset.dataset.relevance.qrels import is_relevant
from ragset.generation.checks import CheckSettings
from ragset.generation.labelling.stages import label_stages, pool_passages, pooled
from ragset.generation.stage import Case, Models, Setup
from ragset.llm.replies import ContextAnswer, GroundedAnswer, PassageGrades, Quote, Supports
from ragset.models import Candidate, Chunk, Golden, Reject, Span
from ragset.settings import WritingSettings
from tests.samples import prompts
from tests.scripted import Scripted

QUERY = "When did the Aldmoor tramway open, and with what?"


def chunk(document: str, text: str) -> Chunk:
    return Chunk(doc_id=document, start=50, end=50 + len(text), text=text)


EXACT = chunk("a", "The Aldmoor tramway opened in 1902 with horse-drawn trams. A depot followed.")
ALSO = chunk("b", "In 1902 the Aldmoor tramway opened, with trams drawn by horses.")
OTHER = chunk("c", "The tramway of Brill opened in 1899.")
ASKED = Candidate(chunks=(), query=QUERY, metadata={"weight": 2}, ranked=(OTHER.id, EXACT.id))


def grades(*given: int) -> PassageGrades:
    rows = [{"passage": n, "reason": f"grade {grade}", "grade": grade} for n, grade in enumerate(given, start=1)]
    return PassageGrades.model_validate({"reason": "A year.", "grades": rows})


def answer(text: str | None, *quotes: str) -> GroundedAnswer:
    verdict = "answered" if text else "not_in_passage"
    return GroundedAnswer(reason="As it says.", verdict=verdict, answer=text, quotes=quotes)


def supports(*verdicts: tuple[str, str]) -> Supports:
    rows = [
        {"passage": n, "reason": "As it says.", "verdict": verdict, "quotes": [quote] if quote else []}
        for n, (verdict, quote) in enumerate(verdicts, start=1)
    ]
    return Supports.model_validate({"reason": "As they say.", "passages": rows})


async def labelled(*found: Chunk, **replies: Any) -> tuple[Candidate | Reject, Scripted]:
    llm = Scripted(replies)
    setup = Setup(WritingSettings(), CheckSettings())
    pool = {one.span: {"bm25": rank} for rank, one in enumerate(found, start=1)}
    outcome: Any = pooled(ASKED, pool, found)
    for stage in label_stages(10):
        (outcome,) = await stage.run(outcome, Case(setup, prompts(*stage.prompts), Models(llm, llm, llm)))
        if isinstance(outcome, Reject):
            break
    return outcome, llm


async def test_a_query_is_answered_from_the_best_passage_and_the_others_that_say_as_much_are_equivalents() -> None:
    outcome, llm = await labelled(
        OTHER,
        ALSO,
        EXACT,
        grade_passage=[grades(1, 2, 3)],
        answer_query=[answer("In 1902, with horse-drawn trams.", "opened in 1902 with horse-drawn trams")],
        judge_support=[supports(("full", ALSO.text))],
    )
    assert isinstance(outcome, Candidate)
    golden = Golden.of(outcome)
    assert (golden.kind, golden.answer) == ("single-chunk", "In 1902, with horse-drawn trams.")
    assert golden.chunks == (EXACT.id,)
    # the whole sentence: 58 characters from 50 on
    assert [span.id for span in golden.evidence] == ["a:50-108"]
    assert golden.equivalents == (ALSO.span,)
    assert [(one.passage, one.grade, one.depth) for one in judged_of(golden)] == [
        (OTHER.id, 1, 1),
        (ALSO.id, 2, 2),
        (EXACT.id, 3, 3),
    ]
    assert golden.metadata["weight"] == 2
    assert golden.metadata["round_trip"] == {"rank": 2, "k": 10, "by": "bm25"}
    assert [step.stage for step in golden.lineage] == ["grade", "answer", "support"]
    assert [one.prompt for one in llm.requests] == ["grade_passage", "answer_query", "judge_support"]
    assert llm.requests[2].inputs["chunks"] == [ALSO.text]


async def test_an_overlapping_passage_with_the_same_sentence_is_no_second_place() -> None:
    again = Chunk(doc_id="a", start=20, end=127, text=f"It grew. {'x' * 20}\n{EXACT.text}")
    outcome, llm = await labelled(
        EXACT, again, grade_passage=[grades(3, 3)], answer_query=[answer("In 1902.", "opened in 1902")]
    )
    assert isinstance(outcome, Candidate)
    assert outcome.equivalents == ()
    assert [one.prompt for one in llm.requests] == ["grade_passage", "answer_query"]


async def test_without_an_exact_passage_the_answer_is_joined_from_the_relevant_ones() -> None:
    both = ContextAnswer(
        reason="Each says a part.",
        verdict="answered",
        answer="1902, by horses.",
        quotes=(Quote(chunk=1, quote="opened in 1902"), Quote(chunk=2, quote="trams drawn by horses")),
    )
    outcome, _ = await labelled(EXACT, OTHER, ALSO, grade_passage=[grades(2, 0, 2)], answer_multi_query=[both])
    assert isinstance(outcome, Candidate)
    assert Golden.of(outcome).kind == "multi-chunk"
    assert [span.doc_id for span in outcome.evidence] == ["a", "b"]


async def test_where_the_exact_passage_does_not_answer_all_relevant_ones_are_asked() -> None:
    joined = ContextAnswer(
        reason="2.", verdict="answered", answer="1902.", quotes=(Quote(chunk=2, quote="In 1902 the Aldmoor"),)
    )
    outcome, llm = await labelled(
        EXACT,
        ALSO,
        grade_passage=[grades(3, 2)],
        answer_query=[answer(None)],
        answer_multi_query=[joined],
        judge_support=[supports(("none", ""))],
    )
    assert isinstance(outcome, Candidate)
    assert outcome.chunks == (ALSO,)
    assert [one.prompt for one in llm.requests][1:3] == ["answer_query", "answer_multi_query"]


async def test_a_query_without_a_relevant_passage_has_no_answer_in_the_documents() -> None:
    outcome, _ = await labelled(EXACT, OTHER, grade_passage=[grades(0, 1)])
    assert isinstance(outcome, Candidate)
    golden = Golden.of(outcome)
    assert (golden.kind, golden.answer, golden.evidence, golden.chunks) == ("unanswerable", None, (), (OTHER.id,))
    assert golden.metadata["unanswerable"] == {"missing": "grade 1", "near": OTHER.id}
    assert "round_trip" not in golden.metadata


async def test_a_query_for_which_nothing_was_found_has_no_answer_either() -> None:
    outcome, llm = await labelled()
    assert isinstance(outcome, Candidate)
    assert Golden.of(outcome).chunks == ()
    assert llm.requests == []


async def test_a_query_whose_passages_could_not_be_graded_is_undecided() -> None:
    outcome, _ = await labelled(EXACT, grade_passage=["no json"])
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason, outcome.query) == ("grade", "malformed_reply", QUERY)
    assert "1 of 1 passages could not be graded" in outcome.detail


async def test_a_query_with_relevant_passages_and_no_answer_is_undecided() -> None:
    outcome, _ = await labelled(EXACT, grade_passage=[grades(3)], answer_query=[answer(None)])
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason) == ("answer", "not_in_passage")
    assert outcome.detail == "1 relevant passages, and no answer from them: As it says."


async def test_a_relevant_passage_is_enough_though_others_could_not_be_graded() -> None:
    many = [chunk(str(place), f"Line {place} of the timetable.") for place in range(5)]
    outcome, _ = await labelled(
        *many,
        EXACT,
        grade_passage=["no json", "no json", "no json", grades(3)],
        answer_query=[answer("In 1902.", "opened in 1902")],
    )
    # the first five, then the last
    assert isinstance(outcome, Candidate)
    assert len(judged_of(Golden.of(outcome))) == 1


async def test_grades_that_skip_a_passage_are_asked_for_again() -> None:
    outcome, llm = await labelled(
        EXACT, OTHER, grade_passage=[grades(3), grades(3, 0)], answer_query=[answer("In 1902.", "opened in 1902")]
    )
    assert isinstance(outcome, Candidate)
    assert "Grade each passage once, in order, 1 to 2." in llm.requests[1].messages[-1].content


def span(start: int, end: int, doc_id: str = "d") -> Span:
    return Span(doc_id=doc_id, start=start, end=end)


A, B, C = span(0, 100), span(100, 200), span(0, 100, "e")


def test_all_first_ranks_come_before_all_second_ones() -> None:
    pool = pool_passages({"bm25": [[A], [B]], "dense": [[C], [A]]}, 10)
    assert list(pool.items()) == [(A, {"bm25": 1, "dense": 2}), (C, {"dense": 1}), (B, {"bm25": 2})]


def test_a_passage_that_half_repeats_an_earlier_one_counts_as_that() -> None:
    # 60 of its 80 characters are of A
    pool = pool_passages({"bm25": [[A]], "mine": [[span(40, 120)]]}, 10)
    assert list(pool.items()) == [(A, {"bm25": 1, "mine": 1})]


def test_no_rank_is_deeper_than_the_pool() -> None:
    assert list(pool_passages({"bm25": [[A], [B]]}, 1)) == [A]


spans = st.tuples(st.integers(0, 60), st.integers(1, 30)).map(lambda place: span(place[0], sum(place)))
rankings = st.dictionaries(st.sampled_from("abc"), st.lists(st.lists(spans, max_size=2), max_size=6))


@given(rankings, st.integers(1, 6))
def test_every_hit_is_in_the_pool_at_its_rank_or_above(ranked: dict[str, list[list[Span]]], depth: int) -> None:
    pool = pool_passages(ranked, depth)
    for name, hits in ranked.items():
        for rank, places in enumerate(hits[:depth], start=1):
            for one in places:
                same = [known for known in pool if is_relevant(known.start, known.end, one)]
                assert any(pool[known].get(name, depth + 1) <= rank for known in same)
    assert all(1 <= rank <= depth for ranks in pool.values() for rank in ranks.values())
    known = list(pool)
    assert not any(is_relevant(one.start, one.end, other) for place, one in enumerate(known) for other in known[:place])
