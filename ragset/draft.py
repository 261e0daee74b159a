"""The first query of a chunk, in one of several styles."""

from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.protocol import LLM
from ragset.models import Candidate, Reject, Step
from ragset.prompt import Prompt
from ragset.replies import KeyphraseDraft, QueryDraft
from ragset.rules.leaning import leans

STAGE = "draft"

STYLES = {
    "open": "draft_open_query",
    "factoid": "draft_factoid_query",
    "keyphrase": "draft_keyphrase_query",
    "exam": "draft_exam_query",
}
"""The prompt of each style."""


async def draft_query(
    candidate: Candidate, prompt: Prompt, llm: LLM, *, style: str, language: str = "en"
) -> Candidate | Reject:
    """The candidate with a query that its chunk alone answers and that stands without it.

    A model that finds nothing worth asking is a Reject with its reason, not an error.

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    chunk = candidate.chunks[0]
    draft = await ask(
        llm,
        prompt,
        prompt.reply_type,
        {"chunk": chunk.text},
        stage=STAGE,
        check=lambda reply: complain_of_query(getattr(reply, "query", None), language),
    )
    if isinstance(draft, Unfit):
        return candidate.rejected(STAGE, draft.reason, draft.detail)
    assert isinstance(draft, QueryDraft | KeyphraseDraft)
    query = (draft.query or "").strip()
    if not query:
        return candidate.rejected(STAGE, "nothing_to_ask", draft.reason)
    metadata = {**candidate.metadata, "style": style}
    if isinstance(draft, KeyphraseDraft):
        metadata["keyphrases"] = list(draft.keyphrases)
    step = Step(stage=STAGE, kind=style, prompt=prompt.id, model=llm.model, query=query)
    return candidate.grown(step, query=query, metadata=metadata)


def complain_of_query(query: str | None, language: str) -> Complaint | None:
    """What a model should mend about a query: it leans on a passage that a searcher does not see."""
    phrase = leans(query, language) if query else None
    if phrase is None:
        return None
    return Complaint(
        reason="leans_on_passage",
        message=f'The query leans on the passage ("{phrase}"). A searcher sees the query alone: name what it is about.',
    )
