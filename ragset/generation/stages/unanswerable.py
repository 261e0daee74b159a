"""Queries that the corpus does not answer, made on purpose: close to what a chunk says, and asking for what it lacks."""

from collections.abc import Sequence

from ragset.generation.personas import PLAIN, QueryVoice, complain_of_voice
from ragset.generation.stages.draft import NOTHING, STAGE, complain_of_query
from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import NearMiss
from ragset.models import UNANSWERABLE, Candidate, Golden, Reject, Step

PROMPT = "draft_unanswerable"
KIND = "near_miss"


async def draft_near_miss(
    candidate: Candidate, prompt: Prompt, llm: LLM, *, language: str = "en", voice: QueryVoice = PLAIN
) -> Candidate | Reject:
    """The candidate with a query that its chunk nearly answers, and what is missing in `metadata["unanswerable"]`.

    In that voice, so that such queries cannot be told from others by their manner.

    That the rest of the corpus does not answer it either is for a search to show (`ragset.generation.stages.support`).

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    chunk = candidate.chunks[0]
    draft = await ask(
        llm,
        prompt,
        NearMiss,
        {"chunk": chunk.text, **voice.inputs},
        stage=STAGE,
        check=lambda reply: (
            complain_of_near_miss(reply, language)
            or complain_of_voice(reply.query, voice, (chunk.text, reply.missing), language or "en")
        ),
    )
    if isinstance(draft, Unfit):
        return candidate.rejected(STAGE, draft.reason, draft.detail)
    query = (draft.query or "").strip()
    if not query:
        return candidate.rejected(STAGE, NOTHING, draft.reason)
    facts = {"missing": draft.missing.strip(), "near": chunk.id}
    step = Step(stage=STAGE, kind=KIND, prompt=prompt.id, model=llm.model, query=query)
    return candidate.grown(step, query=query, metadata={**candidate.metadata, UNANSWERABLE: facts, **voice.metadata})


def complain_of_near_miss(reply: NearMiss, language: str) -> Complaint | None:
    """What a model should mend: as of any query, or it does not say what is missing."""
    complaint = complain_of_query(reply.query, language)
    if complaint or not (reply.query or "").strip() or reply.missing.strip():
        return complaint
    return Complaint(reason="nothing_missing", message="Say in `missing` what the passage lacks to answer the query.")


def few_unanswerable(goldens: Sequence[Golden], share: float) -> str:
    """What to say where less than half of the unanswerable goldens that were asked for could be made; else empty."""
    wanted = round(share * len(goldens))
    made = sum(golden.kind == "unanswerable" for golden in goldens)
    if 2 * made >= wanted:
        return ""
    return (
        f"Of {len(goldens):,} goldens {wanted:,} were to be unanswerable, and {made:,} {'is' if made == 1 else 'are'}: few chunks "
        "lend themselves to a near miss, or the corpus answers them."
    )
