"""The filter: free rules and the critic say whether a chunk is worth asking about, and how much there is to ask."""

from statistics import mean

from ragset.generation.stage import Case, Question
from ragset.llm.ask import Unfit
from ragset.llm.gather import gather_all
from ragset.llm.replies import ChunkScores, ChunkVerdict
from ragset.models import Candidate, Chunk, Reject
from ragset.text.rules.metadata import metadata_reason

JUDGE = Question("judge_chunk", "critic", ChunkVerdict)
SCORE = Question("score_chunk", "critic", ChunkScores)


def drop_chunks_by_rules(candidate: Candidate, min_chunks: int = 1) -> Candidate | Reject:
    """The candidate without the chunks that the rules drop; a Reject if fewer than `min_chunks` stay."""
    found = {chunk.id: reason for chunk in candidate.chunks if (reason := metadata_reason(chunk.text))}
    kept = tuple(chunk for chunk in candidate.chunks if chunk.id not in found)
    if len(kept) >= min_chunks:
        return candidate.model_copy(update={"chunks": kept})
    if len(candidate.chunks) == 1:
        return candidate.rejected("rules", *found[candidate.chunks[0].id])
    told = "; ".join(f"{chunk} is out ({reason})" for chunk, (reason, _) in found.items())
    return candidate.rejected("rules", "too_few_chunks", told)


async def judge_chunks(candidate: Candidate, case: Case) -> Candidate:
    """The candidate if each of its chunks says something by itself."""
    chunks = candidate.chunks
    for chunk, refused in zip(chunks, await gather_all(*(_refusal(chunk, case) for chunk in chunks)), strict=True):
        if refused:
            told = refused.detail if len(chunks) == 1 else f"{chunk.id}: {refused.detail}"
            raise case.refused(candidate, refused.reason, told)
    return candidate.grown(case.step(JUDGE))


async def _refusal(chunk: Chunk, case: Case) -> Unfit | None:
    verdict = await case.try_ask(JUDGE, {"chunk": chunk.text, "title": chunk.section})
    if isinstance(verdict, Unfit):
        return verdict
    if not verdict.not_metadata:
        return Unfit(reason="metadata", detail=verdict.reason)
    return None if verdict.self_containment else Unfit(reason="not_self_contained", detail=verdict.reason)


async def score_chunk(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with grades of 1 to 3 in `metadata["chunk_scores"]`; refused if their mean is too low."""
    reply = await case.ask(candidate, SCORE, {"chunk": candidate.text, "title": candidate.chunks[0].section})
    grades: dict[str, int] = reply.model_dump(exclude={"reason"})
    reached = mean(grades.values())
    if reached < case.setup.checks.min_chunk_score:
        told = ", ".join(f"{name} {grade}" for name, grade in grades.items())
        raise case.refused(candidate, "low_chunk_score", f"{reached:.2f} ({told}): {reply.reason}")
    return candidate.grown(case.step(SCORE), metadata={**candidate.metadata, "chunk_scores": grades})
