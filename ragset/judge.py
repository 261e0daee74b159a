"""The filter: is a chunk worth asking about?"""

from ragset.llm.ask import Unfit, ask
from ragset.llm.protocol import LLM
from ragset.models import Candidate, Chunk, Reject, Step
from ragset.prompt import Prompt
from ragset.replies import ChunkVerdict
from ragset.rules.metadata import metadata_reason

STAGE = "judge"


def screen_chunk(chunk: Chunk) -> Reject | None:
    """The reason why free rules alone refuse the chunk, or None: then a model is asked."""
    found = metadata_reason(chunk.text)
    if found is None:
        return None
    reason, detail = found
    return Reject(stage="rules", reason=reason, detail=detail, chunks=(chunk.id,))


async def judge_chunk(candidate: Candidate, prompt: Prompt, llm: LLM) -> Candidate | Reject:
    """The candidate, if its chunk is self-contained and says something rather than listing metadata.

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    chunk = candidate.chunks[0]
    verdict = await ask(llm, prompt, ChunkVerdict, {"chunk": chunk.text}, stage=STAGE)
    if isinstance(verdict, Unfit):
        return candidate.rejected(STAGE, verdict.reason, verdict.detail)
    if not verdict.not_metadata:
        return candidate.rejected(STAGE, "metadata", verdict.reason)
    if not verdict.self_containment:
        return candidate.rejected(STAGE, "not_self_contained", verdict.reason)
    return candidate.grown(Step(stage=STAGE, prompt=prompt.id, model=llm.model))
