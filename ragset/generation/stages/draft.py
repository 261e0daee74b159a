"""Drafts the first query of a chunk, in one of several styles, or of several chunks, in one of several shapes."""

from collections.abc import Mapping

from ragset.errors import InputError
from ragset.generation.personas import PERSONA, PLAIN, SAMPLES, WritingStyle, complain_of_writing_style
from ragset.generation.styles import SHAPE_PROMPT, STYLES
from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import ContextDraft, KeyphraseDraft, QueryDraft, Reply
from ragset.models import Candidate, Reject, Step
from ragset.settings import ContextWritingSettings, WritingSettings
from ragset.text.languages import language_name
from ragset.text.rules.conjoined import conjoined
from ragset.text.rules.passage_references import leans
from ragset.text.rules.query_language import in_another

STAGE = "draft"
NOTHING = "nothing_to_ask"
"""The reason where a model finds nothing worth asking."""


def check_style_inputs(prompts: Mapping[str, Prompt], writing: WritingSettings | ContextWritingSettings) -> None:
    """Return if every drafting prompt can show the personas and samples asked for.

    Raises:
        InputError: a prompt of the user's own, or a language variant, cannot; the message says what to write into it.
    """
    wanted = [PERSONA] * bool(writing.personas) + [SAMPLES] * bool(writing.samples)
    for name in (*(style.prompt for style in STYLES.values()), SHAPE_PROMPT):
        prompt = prompts.get(name)
        missing = [field for field in wanted if prompt and field not in (*prompt.inputs, *prompt.optional)]
        if prompt and missing:
            raise InputError(
                f"prompt {prompt.key}: has no place for {' and '.join(missing)}, which writing asks for; name them in "
                "`optional` and show them, as the built-in prompt in English does"
            )


async def draft_query(
    candidate: Candidate,
    prompt: Prompt,
    llm: LLM,
    *,
    style: str,
    language: str = "en",
    writing_style: WritingStyle = PLAIN,
) -> Candidate | Reject:
    """The candidate with a query that its first chunk alone answers and that stands without it."""

    def check(reply: Reply) -> Complaint | None:
        query = getattr(reply, "query", None)
        return (
            complain_of_query(query, language)
            or complain_of_keyphrases(reply)
            or complain_of_writing_style(query, writing_style, candidate.texts[:1], language or "en")
        )

    inputs = {"chunk": candidate.chunks[0].text, **writing_style.inputs}
    draft = await ask(llm, prompt, prompt.reply_type, inputs, stage=STAGE, check=check)
    return _drafted(candidate, prompt, llm, draft, style, {"style": style, **writing_style.metadata})


async def draft_context_query(
    candidate: Candidate,
    prompt: Prompt,
    llm: LLM,
    *,
    shape: str,
    language: str = "en",
    writing_style: WritingStyle = PLAIN,
) -> Candidate | Reject:
    """The candidate with a query that needs all of its chunks; two in one are split later.

    `shape` is what is wished for. `metadata["shape"]` is the one that the model made; `metadata["wished"]` is the wish,
    where the two differ.
    """

    def check(reply: Reply) -> Complaint | None:
        query = getattr(reply, "query", None)
        return (
            complain_of_leaning(query, language)
            or complain_of_shape(reply)
            or complain_of_writing_style(query, writing_style, candidate.texts, language or "en")
        )

    inputs = {"chunks": candidate.texts, "shape": shape, **writing_style.inputs}
    draft = await ask(llm, prompt, prompt.reply_type, inputs, stage=STAGE, check=check)
    # A prompt of the user's own may reply with a query alone: then the wish is all that is known.
    made = (draft.shape if isinstance(draft, ContextDraft) else None) or shape
    wished = {} if made == shape else {"wished": shape}
    return _drafted(candidate, prompt, llm, draft, made, {"shape": made, **wished, **writing_style.metadata})


def _drafted(
    candidate: Candidate, prompt: Prompt, llm: LLM, draft: Reply | Unfit, kind: str, facts: dict[str, str]
) -> Candidate | Reject:
    if isinstance(draft, Unfit):
        return candidate.rejected(STAGE, draft.reason, draft.detail)
    assert isinstance(draft, QueryDraft | KeyphraseDraft | ContextDraft)
    query = (draft.query or "").strip()
    if not query:
        return candidate.rejected(STAGE, NOTHING, draft.reason)
    metadata = {**candidate.metadata, **facts}
    if isinstance(draft, KeyphraseDraft):
        metadata["keyphrases"] = list(draft.keyphrases)
    step = Step(stage=STAGE, kind=kind, prompt=prompt.id, model=llm.model, query=query)
    return candidate.grown(step, query=query, metadata=metadata)


def complain_of_keyphrases(reply: Reply) -> Complaint | None:
    """What to mend about key phrases: one or two leave no choice, and more than five are no key."""
    if not isinstance(reply, KeyphraseDraft) or not reply.query or 3 <= len(reply.keyphrases) <= 5:
        return None
    return Complaint(reason="keyphrases", message=f"You gave {len(reply.keyphrases)} key phrases. Give three to five.")


def complain_of_shape(reply: Reply) -> Complaint | None:
    """What to mend about a query whose shape the model does not name."""
    if not isinstance(reply, ContextDraft) or not reply.query or reply.shape:
        return None
    message = "You gave no shape. Say whether the query is a comparison, a bridge or an aggregation."
    return Complaint(reason="no_shape", message=message)


def complain_of_query(query: str | None, language: str) -> Complaint | None:
    """What to mend about a query: wrong language, words that refer to the passage, or two questions.

    `language` is the one that it should be in; empty: not known, so rules are those for English.
    """
    leaning = complain_of_leaning(query, language)
    joint = conjoined(query, language or "en") if query else None
    if leaning or joint is None:
        return leaning
    return Complaint(
        reason="two_queries",
        message=f'The query asks two things (the second from "{joint}" on). Ask the better one of them alone.',
    )


def complain_of_leaning(query: str | None, language: str) -> Complaint | None:
    """What to mend about a query in the wrong language, or that refers to a passage that a searcher does not see."""
    other = in_another(query, language) if query and language else None
    if other:
        named, found = language_name(language), language_name(other)
        return Complaint(reason="wrong_language", message=f"The query is in {found}. Write it in {named}.")
    phrase = leans(query, language or "en") if query else None
    if phrase is None:
        return None
    return Complaint(
        reason="leans_on_passage",
        message=f'The query leans on the passage ("{phrase}"). A searcher sees the query alone: name what it is about.',
    )
