"""Drafts queries over several chunks, which the writer chooses from those of a context."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from ragset.generation.personas import complain_of_writing_style
from ragset.generation.stage import Case, Question, Setup
from ragset.generation.stages.answer import with_answer_of_draft
from ragset.generation.stages.corpus_wide import document_letters
from ragset.generation.stages.draft import NOTHING, draft_in_style, drafted, query_of
from ragset.generation.stages.enough_chunks import ONE_DOCUMENT
from ragset.generation.stages.judge_query import complain_of_leaning
from ragset.generation.styles import OPEN, SHAPE_PROMPT
from ragset.llm.ask import Complaint
from ragset.llm.replies import ContextDraft, ContextDrafts, Reply
from ragset.models import Candidate, Chunk

SHAPED = Question(SHAPE_PROMPT, "generator", Reply)
MOST_DRAFTS = 3
"""Drafts of a reply that count."""


async def draft_context_queries(candidate: Candidate, case: Case) -> Sequence[Candidate]:
    """A candidate for each query drafted, with its answer and the chunks that it joins; the others are spare.

    `metadata["shape"]` is the shape that the model made. A query that takes a second chunk in when it evolves is drafted from
    the first chunk alone. Two queries in one are split later.
    """
    setup = case.setup
    if setup.widens(candidate):
        alone = candidate.model_copy(update={"chunks": candidate.chunks[:1], "spare": candidate.chunks[1:]})
        return [await draft_in_style(alone, case, OPEN)]
    imitated, language = case.style_of(candidate), case.language_of(candidate)

    def complain(draft: Any) -> Complaint | None:
        query = query_of(draft)
        complaint = complain_of_leaning(query, language)
        if not complaint and isinstance(draft, ContextDraft):
            complaint = _complain_of_choice(draft, candidate.chunks, setup)
        return complaint or complain_of_writing_style(query, imitated, candidate.texts, language or "en")

    def check(reply: Reply) -> Complaint | None:
        complaints = [complain(draft) for draft in _drafts(reply) if query_of(draft)]
        return complaints[0] if complaints and all(complaints) else None

    fewest, letters = max(2, setup.min_chunks), document_letters(candidate)
    inputs = {
        "chunks": candidate.texts,
        "titles": candidate.sections,
        "count": f"{fewest} to {setup.max_chunks}",
        **({"documents": [letters[chunk.doc_id] for chunk in candidate.chunks]} if setup.cross_document else {}),
        **imitated.inputs,
    }
    reply: Any = await case.ask(candidate, SHAPED, inputs, check)
    drafts: dict[str, Any] = {}
    for draft in _drafts(reply):
        if query_of(draft) and not complain(draft):
            drafts.setdefault(query_of(draft).casefold(), draft)
    if not drafts:
        raise case.refused(candidate, NOTHING, reply.reason)
    return [_joining(draft, candidate, case, imitated.metadata) for draft in islice(drafts.values(), MOST_DRAFTS)]


def _drafts(reply: Any) -> Sequence[Any]:
    return reply.drafts if isinstance(reply, ContextDrafts) else [reply]


def _joining(draft: Any, candidate: Candidate, case: Case, facts: Mapping[str, Any]) -> Candidate:
    """The candidate with the query of the draft, over the chunks that it joins."""
    shape = ""
    # A prompt of the user's own may reply with a query alone: then it joins all chunks that may be joined.
    chosen: Sequence[int] = range(1, min(case.setup.max_chunks, len(candidate.chunks)) + 1)
    if isinstance(draft, ContextDraft) and draft.shape:
        chosen, shape, draft = draft.chunks, draft.shape, _renumbered(draft)
        facts = {"shape": shape, **facts}
    made = drafted(candidate, case, SHAPED, draft, shape, facts)
    numbered = list(enumerate(candidate.chunks, start=1))
    joined = tuple(chunk for number, chunk in numbered if number in chosen)
    spare = tuple(chunk for number, chunk in numbered if number not in chosen)
    return with_answer_of_draft(made.model_copy(update={"chunks": joined, "spare": spare}), case, SHAPED, draft)


def _renumbered(draft: ContextDraft) -> ContextDraft:
    """The draft with the chunk of each quote as its place among those chosen; 0 for one that was not chosen."""
    places = {number: place for place, number in enumerate(sorted(set(draft.chunks)), start=1)}
    quotes = tuple(quote.model_copy(update={"chunk": places.get(quote.chunk, 0)}) for quote in draft.quotes)
    return draft.model_copy(update={"quotes": quotes})


def _complain_of_choice(draft: ContextDraft, chunks: Sequence[Chunk], setup: Setup) -> Complaint | None:
    chosen = set(draft.chunks)
    fewest, most = max(2, setup.min_chunks), setup.max_chunks
    if not draft.shape:
        reason, message = "no_shape", "Say whether the query is a comparison, a bridge or an aggregation."
    elif not chosen <= set(range(1, len(chunks) + 1)) or not fewest <= len(chosen) <= most:
        reason = "wrong_chunks"
        message = f"Name in chunks the passages that the question joins, {fewest} to {most}, by numbers from 1 to {len(chunks)}."
    elif setup.cross_document and len({chunks[number - 1].doc_id for number in chosen}) == 1:
        reason = ONE_DOCUMENT
        message = (
            "The passages chosen are of one document. Join passages of two documents or more, or let query be null."
        )
    else:
        return None
    return Complaint(reason=reason, message=message)
