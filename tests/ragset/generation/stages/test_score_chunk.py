import pytest

from ragset.generation.checks import CheckSettings
from ragset.generation.stage import Setup
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import ChunkScores
from ragset.models import Candidate, Reject, Step
from ragset.settings import WritingSettings
from tests.samples import CHUNK, TRAMS, candidate, outcome_of
from tests.scripted import Scripted

PROMPT = load_prompt("score_chunk")


def grades(clarity: int, depth: int, structure: int, relevance: int) -> ChunkScores:
    return ChunkScores.model_validate(
        {"reason": "As seen.", "clarity": clarity, "depth": depth, "structure": structure, "relevance": relevance}
    )


async def scored(
    *replies: ChunkScores | str, least: float = 1.5, given: Candidate | None = None
) -> tuple[Candidate | Reject, Scripted]:
    llm = Scripted({"score_chunk": replies})
    checks = CheckSettings(score_chunks=True, min_chunk_score=least)
    return await outcome_of("score", given or candidate(), llm, Setup(WritingSettings(), checks)), llm


async def test_a_chunk_that_reaches_the_least_score_goes_on_with_its_grades() -> None:
    # (1 + 1 + 1 + 3) / 4 = 1.5
    outcome, llm = await scored(grades(1, 1, 1, 3))
    step = Step(stage="score", prompt=PROMPT.id, model="scripted")
    told = {"clarity": 1, "depth": 1, "structure": 1, "relevance": 3}
    assert outcome == Candidate(chunks=(CHUNK,), lineage=(step,), metadata={"chunk_scores": told})
    assert llm.requests[0].inputs == {"chunk": CHUNK.text, "title": CHUNK.section}


async def test_a_chunk_below_it_is_a_reject_with_its_grades_and_the_reason() -> None:
    # (1 + 1 + 1 + 2) / 4 = 1.25
    outcome, _ = await scored(grades(1, 1, 1, 2))
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason, outcome.chunks) == ("score", "low_chunk_score", (CHUNK.id,))
    assert outcome.detail == "1.25 (clarity 1, depth 1, structure 1, relevance 2): As seen."


async def test_the_least_score_is_as_asked_for() -> None:
    assert isinstance((await scored(grades(3, 3, 2, 3), least=3))[0], Reject)
    assert isinstance((await scored(grades(1, 1, 1, 1), least=1))[0], Candidate)


async def test_several_chunks_are_scored_together() -> None:
    _, llm = await scored(grades(3, 3, 3, 3), given=Candidate(chunks=TRAMS))
    assert [request.inputs["chunk"] for request in llm.requests] == [Candidate(chunks=TRAMS).text]


@pytest.mark.parametrize("broken", ["3", '{"reason": "x", "clarity": 3}', grades(3, 3, 3, 3).model_dump_json()[:-2]])
async def test_grades_that_cannot_be_read_are_a_reject_after_three_tries_and_never_a_grade(broken: str) -> None:
    outcome, llm = await scored(broken)
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason) == ("score", "malformed_reply")
    assert len(llm.requests) == 3


async def test_a_grade_out_of_range_is_asked_for_again() -> None:
    outcome, llm = await scored(
        '{"reason": "x", "clarity": 4, "depth": 3, "structure": 3, "relevance": 3}', grades(3, 3, 3, 3)
    )
    assert isinstance(outcome, Candidate)
    assert len(llm.requests) == 2
