import pytest

from ragset.generation.stage import Setup
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import ChunkVerdict
from ragset.models import Candidate, Reject, Step
from ragset.settings import WritingSettings
from tests.samples import CHUNK, TRAMS, candidate, outcome_of
from tests.scripted import Scripted

PROMPT = load_prompt("judge_chunk")


def verdict(self_containment: int, not_metadata: int) -> ChunkVerdict:
    return ChunkVerdict.model_validate(
        {"reason": "As it seems.", "self_containment": self_containment, "not_metadata": not_metadata}
    )


async def test_a_chunk_that_is_both_passes_with_the_step_in_its_lineage() -> None:
    llm = Scripted({"judge_chunk": [verdict(1, 1)]})
    outcome = await outcome_of("judge", candidate(), llm)
    assert outcome == Candidate(chunks=(CHUNK,), lineage=(Step(stage="judge", prompt=PROMPT.id, model="scripted"),))
    assert llm.requests[0].inputs == {"chunk": CHUNK.text, "title": "Tower clocks"}


@pytest.mark.parametrize(
    ("bits", "reason"), [((0, 1), "not_self_contained"), ((1, 0), "metadata"), ((0, 0), "metadata")]
)
async def test_a_chunk_that_fails_in_either_is_a_reject(bits: tuple[int, int], reason: str) -> None:
    outcome = await outcome_of("judge", candidate(), Scripted({"judge_chunk": [verdict(*bits)]}))
    assert outcome == Reject(stage="judge", reason=reason, detail="As it seems.", chunks=(CHUNK.id,))


@pytest.mark.parametrize("text", ["", "yes", '{"reason": "x", "self_containment": 2, "not_metadata": 1}'])
async def test_a_verdict_that_cannot_be_read_is_a_reject_and_no_verdict(text: str) -> None:
    llm = Scripted({"judge_chunk": [text]})
    outcome = await outcome_of("judge", candidate(), llm)
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason, outcome.chunks) == ("judge", "malformed_reply", (CHUNK.id,))
    assert len(llm.requests) == 3  # once, and twice more


async def test_a_context_goes_on_with_the_members_that_pass() -> None:
    llm = Scripted({"judge_chunk": [verdict(1, 1), verdict(0, 1), verdict(1, 1)]})
    outcome = await outcome_of("judge", Candidate(chunks=TRAMS), llm, Setup(WritingSettings(), min_chunks=2))
    assert isinstance(outcome, Candidate)
    assert outcome.chunks == (TRAMS[0], TRAMS[2])
    # what failed the filter is not to be fallen back on
    assert outcome.spare == ()
    assert outcome.metadata["left_out"] == [
        {"chunk": TRAMS[1].id, "stage": "judge", "reason": "not_self_contained: As it seems."}
    ]


@pytest.mark.parametrize(
    ("bits", "reason"), [([(0, 1), (1, 1), (1, 1)], "not_self_contained"), ([(1, 1), (1, 0), (0, 1)], "too_few_chunks")]
)
async def test_a_context_without_its_seed_or_with_too_few_members_is_a_reject(
    bits: list[tuple[int, int]], reason: str
) -> None:
    llm = Scripted({"judge_chunk": [verdict(*each) for each in bits]})
    outcome = await outcome_of("judge", Candidate(chunks=TRAMS), llm, Setup(WritingSettings(), min_chunks=2))
    assert isinstance(outcome, Reject)
    assert outcome.reason == reason
    assert outcome.chunks == tuple(chunk.id for chunk in TRAMS)
