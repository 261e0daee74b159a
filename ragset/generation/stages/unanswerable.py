"""Drafts queries that the corpus does not answer: close to what a chunk says, and asking for what it lacks."""

from collections.abc import Sequence

from ragset.generation.personas import PLAIN, WritingStyle, complain_of_writing_style
from ragset.generation.stages.draft import NOTHING, STAGE, complain_of_query
from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import NearMiss
from ragset.models import UNANSWERABLE, Candidate, Golden, Reject, Step

PROMPT = "draft_unanswerable"
KIND = "near_miss"


async def draft_unanswerable_query(
    candidate: Candidate, prompt: Prompt, llm: LLM, *, language: str = "en", writing_style: WritingStyle = PLAIN
) -> Candidate | Reject:
    """The candidate with a query that its chunk nearly answers, and what is missing in `metadata["unanswerable"]`.

    A search must still show that the rest of the corpus does not answer it (`ragset.generation.stages.support`).
    """
    chunk = candidate.chunks[0]
    draft = await ask(
        llm,
        prompt,
        NearMiss,
        {"chunk": chunk.text, **writing_style.inputs},
        stage=STAGE,
        check=lambda reply: (
            complain_of_near_miss(reply, language)
            or complain_of_writing_style(reply.query, writing_style, (chunk.text, reply.missing), language or "en")
        ),
    )
    if isinstance(draft, Unfit):
        return candidate.rejected(STAGE, draft.reason, draft.detail)
    query = (draft.query or "").strip()
    if not query:
        return candidate.rejected(STAGE, NOTHING, draft.reason)
    facts = {"missing": draft.missing.strip(), "near": chunk.id}
    step = Step(stage=STAGE, kind=KIND, prompt=prompt.id, model=llm.model, query=query)
    metadata = {**candidate.metadata, UNANSWERABLE: facts, **writing_style.metadata}
    return candidate.grown(step, query=query, metadata=metadata)


def complain_of_near_miss(reply: NearMiss, language: str) -> Complaint | None:
    """What to mend: as of any query, or it does not say what is missing."""
    complaint = complain_of_query(reply.query, language)
    if complaint or not (reply.query or "").strip() or reply.missing.strip():
        return complaint
    return Complaint(reason="nothing_missing", message="Say in `missing` what the passage lacks to answer the query.")


def unanswerable_shortfall(goldens: Sequence[Golden], share: float) -> str:
    """The warning where less than half of the unanswerable goldens asked for were made; else empty."""
    wanted = round(share * len(goldens))
    made = sum(golden.kind == "unanswerable" for golden in goldens)
    if 2 * made >= wanted:
        return ""
    return (
        f"Of {len(goldens):,} goldens {wanted:,} were to be unanswerable, and {made:,} {'is' if made == 1 else 'are'}: few chunks "
        "lend themselves to a near miss, or the corpus answers them."
    )
