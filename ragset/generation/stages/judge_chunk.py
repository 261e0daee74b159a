"""The filter: is a chunk worth asking about?"""

from ragset.llm.ask import Unfit, ask
from ragset.llm.gather import gather_all
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import ChunkVerdict
from ragset.models import Candidate, Chunk, Reject, Step
from ragset.text.rules.metadata import metadata_reason

STAGE = "judge"
PROMPT = "judge_chunk"


def screen_chunk(chunk: Chunk) -> Reject | None:
    """The reason why free rules alone refuse the chunk, or None: then a model is asked."""
    found = metadata_reason(chunk.text)
    if found is None:
        return None
    reason, detail = found
    return Reject(stage="rules", reason=reason, detail=detail, chunks=(chunk.id,))


def screen_context(candidate: Candidate, min_chunks: int) -> Candidate | Reject:
    """The candidate without the chunks that free rules refuse: a Reject if its seed is one, or too few are left."""
    refused = [(chunk, screen_chunk(chunk)) for chunk in candidate.chunks]
    found = {chunk.id: reject for chunk, reject in refused if reject is not None}
    seed = found.get(candidate.chunks[0].id)
    if seed is not None:
        return candidate.rejected("rules", seed.reason, seed.detail)
    kept = tuple(chunk for chunk in candidate.chunks if chunk.id not in found)
    if len(kept) < min_chunks:
        told = "; ".join(f"{chunk} is out ({reject.reason})" for chunk, reject in found.items())
        return candidate.rejected("rules", "too_few_chunks", told)
    return candidate.model_copy(update={"chunks": kept})


async def judge_chunk(candidate: Candidate, prompt: Prompt, llm: LLM) -> Candidate | Reject:
    """The candidate, if its chunk is self-contained and says something rather than listing metadata.

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    refused = await _refusal(candidate.chunks[0], prompt, llm)
    if refused is not None:
        return candidate.rejected(STAGE, refused.reason, refused.detail)
    return candidate.grown(Step(stage=STAGE, prompt=prompt.id, model=llm.model))


async def judge_context(candidate: Candidate, prompt: Prompt, llm: LLM, *, min_chunks: int) -> Candidate | Reject:
    """The candidate with those of its chunks that pass the filter: the seed, and so many that `min_chunks` are left.

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    verdicts = await gather_all(*(_refusal(chunk, prompt, llm) for chunk in candidate.chunks))
    seed = verdicts[0]
    if seed is not None:
        return candidate.rejected(STAGE, seed.reason, seed.detail)
    kept = candidate
    for chunk, refused in zip(candidate.chunks, verdicts, strict=True):
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
