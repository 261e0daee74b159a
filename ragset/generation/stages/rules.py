"""The free rules that drop chunks of boilerplate before any model is asked."""

from ragset.models import Candidate, Reject
from ragset.text.rules.metadata import metadata_reason

STAGE = "rules"


def drop_chunks_by_rules(candidate: Candidate, min_chunks: int = 1) -> Candidate | Reject:
    """The candidate without the chunks that the rules drop: a Reject if its seed is one, or fewer than `min_chunks` stay."""
    found = {chunk.id: reason for chunk in candidate.chunks if (reason := metadata_reason(chunk.text))}
    seed = found.get(candidate.chunks[0].id)
    if seed:
        return candidate.rejected(STAGE, *seed)
    kept = tuple(chunk for chunk in candidate.chunks if chunk.id not in found)
    if len(kept) < min_chunks:
        told = "; ".join(f"{chunk} is out ({reason})" for chunk, (reason, _) in found.items())
        return candidate.rejected(STAGE, "too_few_chunks", told)
    return candidate.model_copy(update={"chunks": kept})
