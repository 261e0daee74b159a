"""The free rules that drop chunks of boilerplate before any model is asked."""

from ragset.models import Candidate, Chunk, Reject
from ragset.text.rules.metadata import metadata_reason

STAGE = "rules"


def reject_by_rules(chunk: Chunk) -> Reject | None:
    """Why the rules drop the chunk; None: they let it pass."""
    found = metadata_reason(chunk.text)
    if found is None:
        return None
    reason, detail = found
    return Reject(stage=STAGE, reason=reason, detail=detail, chunks=(chunk.id,))


def drop_chunks_by_rules(candidate: Candidate, min_chunks: int) -> Candidate | Reject:
    """The candidate without the chunks that the rules drop: a Reject if its seed is one, or fewer than `min_chunks` stay."""
    rejects = {chunk.id: reject for chunk in candidate.chunks if (reject := reject_by_rules(chunk))}
    seed = rejects.get(candidate.chunks[0].id)
    if seed is not None:
        return candidate.rejected(STAGE, seed.reason, seed.detail)
    kept = tuple(chunk for chunk in candidate.chunks if chunk.id not in rejects)
    if len(kept) < min_chunks:
        told = "; ".join(f"{chunk} is out ({reject.reason})" for chunk, reject in rejects.items())
        return candidate.rejected(STAGE, "too_few_chunks", told)
    return candidate.model_copy(update={"chunks": kept})
