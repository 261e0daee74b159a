"""Which chunks stay: those that the critic names, and those that it misses when they are left out."""

import pytest

from ragset.generation.stage import Setup
from ragset.llm.replies import NeededChunks, Sufficiency
from ragset.models import Candidate, Reject
from ragset.settings import ContextWritingSettings
from tests.samples import TRAMS, outcome_of
from tests.scripted import Scripted

SETUP = Setup(ContextWritingSettings())
QUERY = "Had Brill an electric tramway when the tramway of Aldmoor opened?"


def needs(*numbers: int) -> NeededChunks:
    return NeededChunks(reason="As it seems.", chunks=numbers)


def verdicts(*said: str) -> list[Sufficiency]:
    return [Sufficiency.model_validate({"reason": "As it seems.", "verdict": verdict}) for verdict in said]


async def relevant(*replies: NeededChunks) -> tuple[Candidate | Reject, Scripted]:
    llm = Scripted({"relevant_chunks": replies})
    return await outcome_of("relevant", Candidate(chunks=TRAMS, query=QUERY), llm, SETUP), llm


async def test_chunks_that_nobody_needs_leave_the_context_with_the_reason() -> None:
    outcome, _ = await relevant(needs(2, 1))
    assert isinstance(outcome, Candidate)
    assert outcome.chunks == TRAMS[:2]
    assert outcome.spare == TRAMS[2:]
    assert outcome.metadata["left_out"] == [
        {"chunk": TRAMS[2].id, "stage": "relevant", "reason": "answered without it: As it seems."}
    ]
    assert outcome.lineage[-1].kind == "2 of 3"


async def test_a_query_that_the_chunks_do_not_answer_is_rejected() -> None:
    outcome, _ = await relevant(needs())
    assert isinstance(outcome, Reject)
    assert outcome.reason == "not_answered"


@pytest.mark.parametrize("wrong", [needs(0, 1), needs(1, 4)])
async def test_numbers_that_are_not_there_are_asked_for_again(wrong: NeededChunks) -> None:
    outcome, llm = await relevant(wrong, needs(1, 2))
    assert isinstance(outcome, Candidate)
    assert len(llm.requests) == 2
    outcome, _ = await relevant(wrong)
    assert isinstance(outcome, Reject)
    assert outcome.reason == "wrong_chunks"


async def test_one_chunk_is_not_asked_about() -> None:
    llm = Scripted({})
    single = Candidate(chunks=TRAMS[:1], query=QUERY)
    assert await outcome_of("relevant", single, llm, SETUP) == single
    assert await outcome_of("necessity", single, llm, SETUP) == single


async def left(*said: str) -> tuple[Candidate | Reject, Scripted]:
    llm = Scripted({"judge_sufficiency": verdicts(*said)})
    return await outcome_of("necessity", Candidate(chunks=TRAMS, query=QUERY), llm, SETUP), llm


async def test_chunks_that_are_all_missed_all_stay() -> None:
    outcome, llm = await left("in_part", "not_at_all", "in_part")
    assert isinstance(outcome, Candidate)
    assert outcome.chunks == TRAMS
    shown = [[TRAMS[1].text, TRAMS[2].text], [TRAMS[0].text, TRAMS[2].text], [TRAMS[0].text, TRAMS[1].text]]
    assert [request.inputs["chunks"] for request in llm.requests] == shown


async def test_a_chunk_without_which_it_can_be_answered_goes_and_the_rest_is_tested_again() -> None:
    outcome, llm = await left("in_part", "in_part", "in_full", "in_part", "in_part")
    assert isinstance(outcome, Candidate)
    assert outcome.chunks == TRAMS[:2]
    assert outcome.metadata["left_out"][0]["reason"] == "not missed: As it seems."
    assert outcome.lineage[-1].kind == "2 of 3"
    assert len(llm.requests) == 5


async def test_of_two_that_say_the_same_only_the_later_goes() -> None:
    # Either of the last two is dispensable, but not both.
    outcome, _ = await left("in_part", "in_full", "in_full", "in_part", "in_part")
    assert isinstance(outcome, Candidate)
    assert outcome.chunks == TRAMS[:2]


async def test_what_one_chunk_answers_is_left_with_that_chunk() -> None:
    outcome, llm = await left("in_full", "in_full", "in_full", "in_full", "in_full")
    assert isinstance(outcome, Candidate)
    assert outcome.chunks == TRAMS[:1]
    assert outcome.kind == "single-chunk"
    assert len(llm.requests) == 5
