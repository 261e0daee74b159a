"""The filter: the critic says whether a chunk is worth asking about."""

from ragset.llm.ask import Unfit, ask
from ragset.llm.gather import gather_all
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import ChunkVerdict
from ragset.models import Candidate, Chunk, Reject, Step

STAGE = "judge"
PROMPT = "judge_chunk"


async def judge_chunks(candidate: Candidate, prompt: Prompt, llm: LLM, *, min_chunks: int = 1) -> Candidate | Reject:
    """The candidate with the chunks that are self-contained and say something rather than list metadata.

    A Reject if its first chunk is not, or fewer than `min_chunks` are left.
    """
    refusals = await gather_all(*(_refusal(chunk, prompt, llm) for chunk in candidate.chunks))
    seed = refusals[0]
    if seed is not None:
        return candidate.rejected(STAGE, seed.reason, seed.detail)
    kept = candidate
    for chunk, refused in zip(candidate.chunks, refusals, strict=True):
        if refused is not None:
            passed = [other for other in kept.chunks if other != chunk]
            kept = kept.narrowed(passed, STAGE, f"{refused.reason}: {refused.detail}")
    # What failed the filter is nothing to fall back on.
    kept = kept.model_copy(update={"spare": candidate.spare})
    if len(kept.chunks) < min_chunks:
        told = "; ".join(f"{left['chunk']} is out ({left['reason']})" for left in kept.metadata["left_out"])
        return candidate.rejected(STAGE, "too_few_chunks", told)
    return kept.grown(Step(stage=STAGE, prompt=prompt.id, model=llm.model))


async def _refusal(chunk: Chunk, prompt: Prompt, llm: LLM) -> Unfit | None:
    verdict = await ask(llm, prompt, ChunkVerdict, {"chunk": chunk.text}, stage=STAGE)
    if isinstance(verdict, Unfit):
        return verdict
    if not verdict.not_metadata:
        return Unfit(reason="metadata", detail=verdict.reason)
    if not verdict.self_containment:
        return Unfit(reason="not_self_contained", detail=verdict.reason)
    return None
