"""Queries that the corpus does not answer, made on purpose: close to what a chunk says, and asking for what it lacks."""

from ragset.draft import STAGE, complain_of_query
from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.protocol import LLM
from ragset.models import UNANSWERABLE, Candidate, Reject, Step
from ragset.prompt import Prompt
from ragset.replies import NearMiss

PROMPT = "draft_unanswerable"
KIND = "near_miss"


async def draft_near_miss(
    candidate: Candidate, prompt: Prompt, llm: LLM, *, language: str = "en"
) -> Candidate | Reject:
    """The candidate with a query that its chunk nearly answers, and what is missing in `metadata["unanswerable"]`.

    That the rest of the corpus does not answer it either is for a search to show (`ragset.support`).

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    chunk = candidate.chunks[0]
    draft = await ask(
        llm,
        prompt,
        NearMiss,
        {"chunk": chunk.text},
        stage=STAGE,
        check=lambda reply: complain_of_near_miss(reply, language),
    )
    if isinstance(draft, Unfit):
        return candidate.rejected(STAGE, draft.reason, draft.detail)
    query = (draft.query or "").strip()
    if not query:
        return candidate.rejected(STAGE, "nothing_to_ask", draft.reason)
    facts = {"missing": draft.missing.strip(), "near": chunk.id}
    step = Step(stage=STAGE, kind=KIND, prompt=prompt.id, model=llm.model, query=query)
    return candidate.grown(step, query=query, metadata={**candidate.metadata, UNANSWERABLE: facts})


def complain_of_near_miss(reply: NearMiss, language: str) -> Complaint | None:
    """What a model should mend: as of any query, or it does not say what is missing."""
    complaint = complain_of_query(reply.query, language)
    if complaint or not (reply.query or "").strip() or reply.missing.strip():
        return complaint
    return Complaint(reason="nothing_missing", message="Say in `missing` what the passage lacks to answer the query.")
