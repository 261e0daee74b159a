"""Whether a query needs as many chunks as the settings ask for."""

from ragset.generation.stage import Case, Outcome
from ragset.models import Candidate
from ragset.settings import ContextWritingSettings

ONE_DOCUMENT = "one_document"


def enough_chunks(candidate: Candidate, case: Case) -> Outcome:
    """The candidate, unless its query needs too few chunks: then it is kept or rejected as the settings say."""
    writing = case.setup.writing
    enough = len(candidate.chunks) >= case.setup.min_chunks
    if enough and case.setup.cross_document and len({chunk.doc_id for chunk in candidate.chunks}) == 1:
        return candidate.rejected(case.stage, ONE_DOCUMENT, "its chunks are of one document")
    if enough:
        return candidate
    if len(candidate.chunks) == 1 and isinstance(writing, ContextWritingSettings) and writing.single == "keep":
        # A shape tells how several chunks are needed.
        metadata = {name: value for name, value in candidate.metadata.items() if name != "shape"}
        return candidate.model_copy(update={"metadata": metadata})
    why = "; ".join(f"{left['chunk']}: {left['reason']}" for left in candidate.metadata.get("left_out", []))
    return candidate.rejected(case.stage, "needs_too_few_chunks", why)
