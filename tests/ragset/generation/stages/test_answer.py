from typing import Any

import pytest

from ragset.generation.stage import Setup
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import ContextAnswer, GroundedAnswer
from ragset.models import Candidate, Chunk, Reject, Span, Step
from ragset.settings import ContextWritingSettings
from tests.samples import CHUNK, QUERY, TEXT, TRAMS, candidate, outcome_of
from tests.scripted import Scripted

PROMPT = load_prompt("answer_query")


def reply(**fields: Any) -> GroundedAnswer:
    given = {
        "reason": "As it seems.",
        "verdict": "answered",
        "answer": "Three smiths from Delft.",
        "quotes": ["three smiths"],
    }
    return GroundedAnswer.model_validate({**given, **fields})


async def answered(*replies: GroundedAnswer | str) -> tuple[Candidate | Reject, Scripted]:
    llm = Scripted({"answer_query": replies})
    return await outcome_of("answer", candidate(QUERY), llm), llm


async def test_the_answer_of_the_draft_is_not_asked_for_again() -> None:
    llm = Scripted({})
    given = candidate(QUERY, "Three smiths.").model_copy(update={"evidence": (CHUNK.span,)})
    assert await outcome_of("answer", given, llm) == given
    assert llm.requests == []
    # but where a query must need two chunks, an answer from one is none
    refused = await outcome_of("answer", given, llm, Setup(ContextWritingSettings(), min_chunks=2))
    assert isinstance(refused, Reject)
    assert refused.reason == "needs_too_few_chunks"


def test_another_query_leaves_the_answer_of_the_old_one_behind() -> None:
    given = candidate(QUERY, "Three smiths.").model_copy(update={"evidence": (CHUNK.span,)})
    step = Step(stage="evolve", prompt="p", model="m")
    assert given.grown(step, query=QUERY).answer == given.grown(step).answer == "Three smiths."
    changed = given.grown(step, query="Who made it?")
    assert (changed.answer, changed.evidence) == ("", ())
    # unless it comes with an answer of its own
    assert given.grown(step, query="Who made it?", answer="Smiths.").answer == "Smiths."


async def test_an_answer_comes_with_the_spans_of_its_quotes() -> None:
    outcome, _ = await answered(reply(quotes=["four seconds", "three smiths  from Delft", " "]))
    smiths, seconds = 100 + TEXT.index("three"), 100 + TEXT.index("four")
    evidence = (
        Span(doc_id=CHUNK.doc_id, start=smiths, end=smiths + len("three smiths from Delft")),
        Span(doc_id=CHUNK.doc_id, start=seconds, end=seconds + len("four seconds")),
    )
    assert outcome == Candidate(
        chunks=(CHUNK,),
        query=QUERY,
        answer="Three smiths from Delft.",
        evidence=evidence,
        lineage=(Step(stage="answer", prompt=PROMPT.id, model="scripted"),),
    )


@pytest.mark.parametrize(
    "fields",
    [{"answer": None, "quotes": []}, {"answer": "", "quotes": [""]}, {"answer": "Nobody.", "quotes": ["nowhere"]}],
)
async def test_not_in_the_passage_is_never_an_answer(fields: dict[str, Any]) -> None:
    outcome, llm = await answered(reply(verdict="not_in_passage", **fields))
    assert outcome == Reject(
        stage="answer", reason="not_in_passage", detail="As it seems.", chunks=(CHUNK.id,), query=QUERY
    )
    assert len(llm.requests) == 1


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"quotes": ["four smiths from Delft"]}, "quote_not_found"),
        ({"quotes": ["three smiths", "in the year 1387"]}, "quote_not_found"),
        ({"quotes": []}, "no_quote"),
        ({"quotes": [" "]}, "no_quote"),
        ({"answer": None}, "empty_answer"),
        ({"answer": " "}, "empty_answer"),
    ],
)
async def test_an_answer_that_cannot_stand_is_asked_for_once_more_then_a_reject(
    fields: dict[str, Any], reason: str
) -> None:
    outcome, llm = await answered(reply(**fields), reply())
    assert isinstance(outcome, Candidate)
    assert len(llm.requests) == 2
    outcome, llm = await answered(reply(**fields))
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason, outcome.query) == ("answer", reason, QUERY)
    assert len(llm.requests) == 2


async def test_a_model_that_gives_in_when_asked_again_is_believed() -> None:
    outcome, _ = await answered(
        reply(quotes=["invented words"]), reply(verdict="not_in_passage", answer=None, quotes=[])
    )
    assert isinstance(outcome, Reject)
    assert outcome.reason == "not_in_passage"


@pytest.mark.parametrize("text", ["", '{"reason": "x", "verdict": "perhaps", "answer": "a", "quotes": []}'])
async def test_a_reply_that_cannot_be_read_is_a_reject(text: str) -> None:
    outcome, llm = await answered(text)
    assert isinstance(outcome, Reject)
    assert outcome.reason == "malformed_reply"
    assert len(llm.requests) == 3


async def from_context(
    *quotes: list[tuple[int, str]], chunks: tuple[Chunk, ...] = TRAMS[:2]
) -> tuple[Candidate | Reject, Scripted]:
    replies = [
        ContextAnswer.model_validate(
            {
                "reason": "As it seems.",
                "verdict": "answered",
                "answer": "Brill's, by three years.",
                "quotes": [{"chunk": number, "quote": quote} for number, quote in said],
            }
        )
        for said in quotes
    ]
    llm = Scripted({"answer_multi_query": replies})
    context = Candidate(chunks=chunks, query="Which opened first?")
    return await outcome_of("answer", context, llm, Setup(ContextWritingSettings(), min_chunks=2)), llm


async def test_an_answer_from_several_chunks_has_its_evidence_in_each_of_them() -> None:
    outcome, _ = await from_context([(2, "opened in 1899"), (1, "opened in 1902")])
    assert isinstance(outcome, Candidate)
    first, second = TRAMS[0].text.index("opened"), 40 + TRAMS[1].text.index("opened")
    assert outcome.evidence == (
        Span(doc_id=TRAMS[0].doc_id, start=first, end=first + 14),
        Span(doc_id=TRAMS[1].doc_id, start=second, end=second + 14),
    )


async def test_a_quote_with_the_wrong_number_counts_for_the_chunk_that_holds_it() -> None:
    outcome, llm = await from_context([(2, "opened in 1902"), (7, "opened in 1899")])
    assert isinstance(outcome, Candidate)
    assert {span.doc_id for span in outcome.evidence} == {TRAMS[0].doc_id, TRAMS[1].doc_id}
    assert len(llm.requests) == 1


@pytest.mark.parametrize(
    ("quotes", "reason"),
    [
        ([(1, "opened in 1902"), (2, "opened in 1950")], "quote_not_found"),
        ([], "no_quote"),
    ],
)
async def test_quotes_that_are_nowhere_are_asked_for_again_then_rejected(
    quotes: list[tuple[int, str]], reason: str
) -> None:
    outcome, llm = await from_context(quotes)
    assert isinstance(outcome, Reject)
    assert outcome.reason == reason
    assert len(llm.requests) == 2
    mended, _ = await from_context(quotes, [(1, "opened in 1902"), (2, "opened in 1899")])
    assert isinstance(mended, Candidate)


async def test_a_chunk_without_a_quote_is_not_needed() -> None:
    said = [(1, "opened in 1902"), (3, "burnt down in 1911")]
    outcome, llm = await from_context(said, chunks=TRAMS)
    assert isinstance(outcome, Candidate)
    assert (outcome.chunks, outcome.spare, len(llm.requests)) == ((TRAMS[0], TRAMS[2]), TRAMS[1:2], 1)
    assert [left["chunk"] for left in outcome.metadata["left_out"]] == [TRAMS[1].id]
    outcome, _ = await from_context(said[:1], chunks=TRAMS)
    assert isinstance(outcome, Reject)
    assert outcome.reason == "needs_too_few_chunks"
