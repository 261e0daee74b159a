"""The first query of a chunk, in one of several styles, or of several chunks, in one of several shapes."""

from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.protocol import LLM
from ragset.models import Candidate, Reject, Step
from ragset.prompt import Prompt
from ragset.replies import KeyphraseDraft, QueryDraft, Reply
from ragset.rules.conjoined import conjoined
from ragset.rules.leaning import leans

STAGE = "draft"

STYLES = {
    "open": "draft_open_query",
    "factoid": "draft_factoid_query",
    "keyphrase": "draft_keyphrase_query",
    "exam": "draft_exam_query",
}
"""The prompt of each style."""

SHAPES = ("comparison", "bridge", "aggregation", "open")
"""How a query can need several chunks; one prompt drafts them all."""
SHAPE_PROMPT = "draft_multi_query"


async def draft_query(
    candidate: Candidate, prompt: Prompt, llm: LLM, *, style: str, language: str = "en"
) -> Candidate | Reject:
    """The candidate with a query that its first chunk alone answers and that stands without it.

    A model that finds nothing worth asking is a Reject with its reason, not an error.

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    draft = await ask(
        llm,
        prompt,
        prompt.reply_type,
        {"chunk": candidate.chunks[0].text},
        stage=STAGE,
        check=lambda reply: complain_of_query(getattr(reply, "query", None), language),
    )
    return _drafted(candidate, prompt, llm, draft, style, {"style": style})


async def draft_context_query(
    candidate: Candidate, prompt: Prompt, llm: LLM, *, shape: str, language: str = "en"
) -> Candidate | Reject:
    """The candidate with a query that needs all of its chunks; it may be two in one, which are split later.

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    draft = await ask(
        llm,
        prompt,
        prompt.reply_type,
        {"chunks": candidate.texts, "shape": shape},
        stage=STAGE,
        check=lambda reply: complain_of_leaning(getattr(reply, "query", None), language),
    )
    return _drafted(candidate, prompt, llm, draft, shape, {"shape": shape})


def _drafted(
    candidate: Candidate, prompt: Prompt, llm: LLM, draft: Reply | Unfit, kind: str, facts: dict[str, str]
) -> Candidate | Reject:
    if isinstance(draft, Unfit):
        return candidate.rejected(STAGE, draft.reason, draft.detail)
    assert isinstance(draft, QueryDraft | KeyphraseDraft)
    query = (draft.query or "").strip()
    if not query:
        return candidate.rejected(STAGE, "nothing_to_ask", draft.reason)
    metadata = {**candidate.metadata, **facts}
    if isinstance(draft, KeyphraseDraft):
        metadata["keyphrases"] = list(draft.keyphrases)
    step = Step(stage=STAGE, kind=kind, prompt=prompt.id, model=llm.model, query=query)
    return candidate.grown(step, query=query, metadata=metadata)


def complain_of_query(query: str | None, language: str) -> Complaint | None:
    """What a model should mend about a query: it leans on a passage that nobody sees, or asks two things."""
    leaning = complain_of_leaning(query, language)
    joint = conjoined(query, language) if query else None
    if leaning or joint is None:
        return leaning
    return Complaint(
        reason="two_queries",
        message=f'The query asks two things (the second from "{joint}" on). Ask the better one of them alone.',
    )


def complain_of_leaning(query: str | None, language: str) -> Complaint | None:
    """What a model should mend about a query that leans on a passage: a searcher does not see it."""
    phrase = leans(query, language) if query else None
    if phrase is None:
        return None
    return Complaint(
        reason="leans_on_passage",
        message=f'The query leans on the passage ("{phrase}"). A searcher sees the query alone: name what it is about.',
    )
