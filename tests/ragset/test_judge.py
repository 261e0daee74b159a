import pytest

from ragset.judge import judge_chunk, screen_chunk
from ragset.models import Candidate, Chunk, Reject, Step
from ragset.prompt import load_prompt
from ragset.replies import ChunkVerdict
from tests.ragset.samples import CHUNK, candidate
from tests.scripted import Scripted

PROMPT = load_prompt("judge_chunk")


def verdict(self_containment: int, not_metadata: int) -> ChunkVerdict:
    return ChunkVerdict.model_validate(
        {"reason": "As it seems.", "self_containment": self_containment, "not_metadata": not_metadata}
    )


async def test_a_chunk_that_is_both_passes_with_the_step_in_its_lineage() -> None:
    llm = Scripted({"judge_chunk": [verdict(1, 1)]})
    outcome = await judge_chunk(candidate(), PROMPT, llm)
    assert outcome == Candidate(chunks=(CHUNK,), lineage=(Step(stage="judge", prompt=PROMPT.id, model="scripted"),))
    assert llm.requests[0].inputs == {"chunk": CHUNK.text}


@pytest.mark.parametrize(
    ("bits", "reason"), [((0, 1), "not_self_contained"), ((1, 0), "metadata"), ((0, 0), "metadata")]
)
async def test_a_chunk_that_fails_in_either_is_a_reject(bits: tuple[int, int], reason: str) -> None:
    outcome = await judge_chunk(candidate(), PROMPT, Scripted({"judge_chunk": [verdict(*bits)]}))
    assert outcome == Reject(stage="judge", reason=reason, detail="As it seems.", chunks=(CHUNK.id,))


@pytest.mark.parametrize("text", ["", "yes", '{"reason": "x", "self_containment": 2, "not_metadata": 1}'])
async def test_a_verdict_that_cannot_be_read_is_a_reject_and_no_verdict(text: str) -> None:
    llm = Scripted({"judge_chunk": [text]})
    outcome = await judge_chunk(candidate(), PROMPT, llm)
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason, outcome.chunks) == ("judge", "malformed_reply", (CHUNK.id,))
    assert len(llm.requests) == 3  # once, and twice more


def test_free_rules_let_prose_through() -> None:
    assert screen_chunk(CHUNK) is None


def test_free_rules_name_what_they_refuse() -> None:
    text = "\n".join(
        f"{n}. Smith, J. ({1980 + n}). Clocks of the world. Oxford University Press, pp. 1-{n}." for n in range(1, 9)
    )
    found = screen_chunk(Chunk(doc_id="d", start=0, end=len(text), text=text))
    assert found is not None
    assert (found.stage, found.reason, found.chunks) == ("rules", "references", (f"d:0-{len(text)}",))
