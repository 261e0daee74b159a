"""Drafts the first query of a chunk, in one of several styles, or of several chunks, in one of several shapes."""

from collections.abc import Mapping
from typing import Any

from ragset.errors import InputError
from ragset.generation.personas import PERSONA, SAMPLES, complain_of_writing_style
from ragset.generation.stage import Case, Question, RefusedError
from ragset.generation.stages.judge_query import complain_of_leaning, complain_of_query, complain_of_written
from ragset.generation.styles import OPEN, SHAPE_PROMPT, STYLES
from ragset.generation.weighted_choice import choose
from ragset.llm.ask import Complaint
from ragset.llm.prompts import Prompt
from ragset.llm.replies import ContextDraft, KeyphraseDraft, NearMiss, Reply
from ragset.models import UNANSWERABLE, Candidate
from ragset.settings import ContextWritingSettings, WritingSettings

NOTHING = "nothing_to_ask"
NEAR_MISS = Question("draft_unanswerable", "generator", NearMiss)
SHAPED = Question(SHAPE_PROMPT, "generator", Reply)


def styled(style: str) -> Question[Reply]:
    """The question for a query of that style."""
    return Question(STYLES[style].prompt, "generator", Reply)


def check_style_inputs(prompts: Mapping[str, Prompt], writing: WritingSettings | ContextWritingSettings) -> None:
    """Return if every drafting prompt can show the personas and samples asked for.

    Raises:
        InputError: a prompt of the user's own, or a language variant, cannot; the message says what to write into it.
    """
    wanted = [PERSONA] * bool(writing.personas) + [SAMPLES] * bool(writing.samples)
    drafting = {SHAPE_PROMPT, *(style.prompt for style in STYLES.values())}
    for prompt in (prompt for name, prompt in prompts.items() if name in drafting):
        if missing := [field for field in wanted if field not in (*prompt.inputs, *prompt.optional)]:
            raise InputError(
                f"prompt {prompt.key}: has no place for {' and '.join(missing)}, which writing asks for; name them in "
                "`optional` and show them, as the built-in prompt in English does"
            )


async def draft_query(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with a query that its chunk answers, or nearly answers; seed and chunk decide style and kind."""
    setup, first = case.setup, candidate.chunks[0].id
    assert isinstance(setup.writing, WritingSettings)
    weights = {"near miss": setup.unanswerable, "query": 1 - setup.unanswerable}
    if choose(weights, setup.seed, "unanswerable", first) == "near miss":
        try:
            return await draft_near_miss(candidate, case)
        except RefusedError as refused:
            # A chunk that lends itself to no near miss is asked about like any other.
            if refused.reject.reason != NOTHING:
                raise
    return await draft_in_style(candidate, case, choose(setup.writing.styles, setup.seed, "style", first))


async def draft_in_style(candidate: Candidate, case: Case, style: str) -> Candidate:
    """The candidate with a query that its first chunk alone answers and that stands without it."""
    imitated, language = case.style_of(candidate), case.language_of(candidate)

    def check(reply: Reply) -> Complaint | None:
        complaint = complain_of_written(_query(reply), language, imitated, candidate.texts[:1])
        # One or two key phrases leave no choice, and more than five are no key.
        if not complaint and isinstance(reply, KeyphraseDraft) and reply.query and not 3 <= len(reply.keyphrases) <= 5:
            message = f"You gave {len(reply.keyphrases)} key phrases. Give three to five."
            complaint = Complaint(reason="keyphrases", message=message)
        return complaint

    inputs = {"chunk": candidate.chunks[0].text, **imitated.inputs}
    draft = await case.ask(candidate, styled(style), inputs, check)
    facts: dict[str, Any] = {"style": style, **imitated.metadata}
    if isinstance(draft, KeyphraseDraft):
        facts["keyphrases"] = list(draft.keyphrases)
    return _drafted(candidate, case, styled(style), draft, style, facts)


async def draft_context_query(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with a query that needs all of its chunks; two in one are split later.

    `metadata["shape"]` is the shape that the model made; `metadata["wished"]` is the one asked for, where they differ.
    A query that takes a second chunk in when it evolves is drafted from the first chunk alone.
    """
    setup, first = case.setup, candidate.chunks[0].id
    assert isinstance(setup.writing, ContextWritingSettings)
    candidate = candidate.model_copy(update={"metadata": {**candidate.metadata, "seed": first}})
    if setup.widens(candidate):
        alone = candidate.model_copy(update={"chunks": candidate.chunks[:1], "spare": candidate.chunks[1:]})
        return await draft_in_style(alone, case, OPEN)
    shape = choose(setup.writing.shapes, setup.seed, "shape", first)
    imitated, language = case.style_of(candidate), case.language_of(candidate)

    def check(reply: Reply) -> Complaint | None:
        query = _query(reply)
        complaint = complain_of_leaning(query, language)
        if not complaint and query and isinstance(reply, ContextDraft) and not reply.shape:
            message = "You gave no shape. Say whether the query is a comparison, a bridge or an aggregation."
            complaint = Complaint(reason="no_shape", message=message)
        return complaint or complain_of_writing_style(query, imitated, candidate.texts, language or "en")

    inputs = {"chunks": candidate.texts, "shape": shape, **imitated.inputs}
    draft = await case.ask(candidate, SHAPED, inputs, check)
    # A prompt of the user's own may reply with a query alone: then the wish is all that is known.
    made = (draft.shape if isinstance(draft, ContextDraft) else None) or shape
    wished = {} if made == shape else {"wished": shape}
    return _drafted(candidate, case, SHAPED, draft, made, {"shape": made, **wished, **imitated.metadata})


async def draft_near_miss(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with a query that its chunk nearly answers, and `metadata["unanswerable"]` on what is missing."""
    chunk = candidate.chunks[0]
    imitated, language = case.style_of(candidate), case.language_of(candidate)

    def check(reply: NearMiss) -> Complaint | None:
        complaint = complain_of_query(reply.query, language)
        if not complaint and _query(reply) and not reply.missing.strip():
            message = "Say in `missing` what the passage lacks to answer the query."
            complaint = Complaint(reason="nothing_missing", message=message)
        passages = (chunk.text, reply.missing)
        return complaint or complain_of_writing_style(reply.query, imitated, passages, language or "en")

    draft = await case.ask(candidate, NEAR_MISS, {"chunk": chunk.text, **imitated.inputs}, check)
    facts = {UNANSWERABLE: {"missing": draft.missing.strip(), "near": chunk.id}, **imitated.metadata}
    return _drafted(candidate, case, NEAR_MISS, draft, "near_miss", facts)


def _query(reply: Any) -> str:
    return (reply.query or "").strip()


def _drafted(
    candidate: Candidate, case: Case, question: Question[Any], draft: Any, kind: str, facts: dict[str, Any]
) -> Candidate:
    query = _query(draft)
    if not query:
        raise case.refused(candidate, NOTHING, draft.reason)
    metadata = {**candidate.metadata, **facts}
    return candidate.grown(case.step(question, kind, query), query=query, metadata=metadata)
