import pytest

from ragset.generation.checks import CheckSettings
from ragset.generation.stage import Setup
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import ChunkVerdict
from ragset.models import Candidate, Reject, Step
from ragset.settings import ContextWritingSettings, WritingSettings
from tests.samples import CHUNK, TRAMS, candidate, outcome_of
from tests.scripted import Scripted

PROMPT = load_prompt("judge_chunk")
JUDGED = CheckSettings(judge_chunks=True)
ONE = Setup(WritingSettings(), JUDGED)
SEVERAL = Setup(ContextWritingSettings(), JUDGED, min_chunks=2)


def verdict(self_containment: int, not_metadata: int) -> ChunkVerdict:
    return ChunkVerdict.model_validate(
        {"reason": "As it seems.", "self_containment": self_containment, "not_metadata": not_metadata}
    )


async def test_a_chunk_that_is_both_passes_with_the_step_in_its_lineage() -> None:
    llm = Scripted({"judge_chunk": [verdict(1, 1)]})
    outcome = await outcome_of("judge", candidate(), llm, ONE)
    assert outcome == Candidate(chunks=(CHUNK,), lineage=(Step(stage="judge", prompt=PROMPT.id, model="scripted"),))
    assert llm.requests[0].inputs == {"chunk": CHUNK.text, "title": "Tower clocks"}


@pytest.mark.parametrize(
    ("bits", "reason"), [((0, 1), "not_self_contained"), ((1, 0), "metadata"), ((0, 0), "metadata")]
)
async def test_a_chunk_that_fails_in_either_is_a_reject(bits: tuple[int, int], reason: str) -> None:
    outcome = await outcome_of("judge", candidate(), Scripted({"judge_chunk": [verdict(*bits)]}), ONE)
    assert outcome == Reject(stage="judge", reason=reason, detail="As it seems.", chunks=(CHUNK.id,))


@pytest.mark.parametrize("text", ["", "yes", '{"reason": "x", "self_containment": 2, "not_metadata": 1}'])
async def test_a_verdict_that_cannot_be_read_is_a_reject_and_no_verdict(text: str) -> None:
    llm = Scripted({"judge_chunk": [text]})
    outcome = await outcome_of("judge", candidate(), llm, ONE)
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason, outcome.chunks) == ("judge", "malformed_reply", (CHUNK.id,))
    assert len(llm.requests) == 3  # once, and twice more


async def test_each_chunk_that_a_golden_uses_is_judged_and_all_must_pass() -> None:
    llm = Scripted({"judge_chunk": [verdict(1, 1)]})
    outcome = await outcome_of("judge", Candidate(chunks=TRAMS[:2], spare=TRAMS[2:]), llm, SEVERAL)
    assert isinstance(outcome, Candidate)
    assert (outcome.chunks, outcome.spare, len(llm.requests)) == (TRAMS[:2], TRAMS[2:], 2)
    llm = Scripted({"judge_chunk": [verdict(1, 1), verdict(0, 1)]})
    outcome = await outcome_of("judge", Candidate(chunks=TRAMS[:2]), llm, SEVERAL)
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.detail) == ("not_self_contained", f"{TRAMS[1].id}: As it seems.")


async def test_a_spare_chunk_is_not_judged_where_a_query_took_another_in() -> None:
    setup = Setup(ContextWritingSettings(evolutions={"multi_context": 1}), JUDGED, min_chunks=2)
    llm = Scripted({"judge_chunk": [verdict(1, 1)]})
    outcome = await outcome_of("judge", Candidate(chunks=TRAMS[:2], spare=TRAMS[2:]), llm, setup)
    assert isinstance(outcome, Candidate)
    assert len(llm.requests) == 2
