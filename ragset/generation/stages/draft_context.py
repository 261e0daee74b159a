"""Drafts the first query over several chunks, which the writer chooses from those of a context."""

from collections.abc import Sequence

from ragset.generation.personas import complain_of_writing_style
from ragset.generation.stage import Case, Question, Setup
from ragset.generation.stages.answer import with_answer_of_draft
from ragset.generation.stages.corpus_wide import document_letters
from ragset.generation.stages.draft import draft_in_style, drafted, query_of
from ragset.generation.stages.enough_chunks import ONE_DOCUMENT
from ragset.generation.stages.judge_query import complain_of_leaning
from ragset.generation.styles import OPEN, SHAPE_PROMPT
from ragset.llm.ask import Complaint
from ragset.llm.replies import ContextDraft, Reply
from ragset.models import Candidate, Chunk

SHAPED = Question(SHAPE_PROMPT, "generator", Reply)


async def draft_context_query(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with a query, its answer and the chunks that it joins; the others are spare. Two queries in one are split later.

    `metadata["seed"]` is the chunk that the context grew from, `metadata["shape"]` the shape that the model made. A query
    that takes a second chunk in when it evolves is drafted from the first chunk alone.
    """
    setup, seed = case.setup, candidate.chunks[0].id
    given, candidate = candidate, candidate.model_copy(update={"metadata": {**candidate.metadata, "seed": seed}})
    if setup.widens(candidate):
        alone = candidate.model_copy(update={"chunks": candidate.chunks[:1], "spare": candidate.chunks[1:]})
        return await draft_in_style(alone, case, OPEN)
    imitated, language = case.style_of(candidate), case.language_of(candidate)

    def check(reply: Reply) -> Complaint | None:
        query = query_of(reply)
        complaint = complain_of_leaning(query, language)
        if not complaint and query and isinstance(reply, ContextDraft):
            complaint = _complain_of_choice(reply, given.chunks, setup)
        return complaint or complain_of_writing_style(query, imitated, candidate.texts, language or "en")

    fewest, letters = max(2, setup.min_chunks), document_letters(given)
    inputs = {
        "chunks": candidate.texts,
        "titles": candidate.sections,
        "count": f"{fewest} to {setup.max_chunks}",
        **({"documents": [letters[chunk.doc_id] for chunk in given.chunks]} if setup.cross_document else {}),
        **imitated.inputs,
    }
    draft = await case.ask(candidate, SHAPED, inputs, check)
    facts = dict(imitated.metadata)
    kind = ""
    # A prompt of the user's own may reply with a query alone: then it joins all chunks that may be joined.
    chosen: Sequence[int] = range(1, min(setup.max_chunks, len(given.chunks)) + 1)
    if isinstance(draft, ContextDraft) and draft.shape:
        chosen, kind = draft.chunks, draft.shape
        facts = {"shape": kind, **facts}
    made = drafted(candidate, case, SHAPED, draft, kind, facts)
    joined = tuple(chunk for number, chunk in enumerate(given.chunks, start=1) if number in chosen)
    spare = tuple(chunk for number, chunk in enumerate(given.chunks, start=1) if number not in chosen)
    made = made.model_copy(update={"chunks": joined, "spare": spare})
    return with_answer_of_draft(made, case, SHAPED, _renumbered(draft) if isinstance(draft, ContextDraft) else draft)


def _renumbered(draft: ContextDraft) -> ContextDraft:
    """The draft with the chunk of each quote as its place among those chosen; 0 for one that was not chosen."""
    places = {number: place for place, number in enumerate(sorted(set(draft.chunks)), start=1)}
    quotes = tuple(quote.model_copy(update={"chunk": places.get(quote.chunk, 0)}) for quote in draft.quotes)
    return draft.model_copy(update={"quotes": quotes})


def _complain_of_choice(reply: ContextDraft, chunks: Sequence[Chunk], setup: Setup) -> Complaint | None:
    chosen = set(reply.chunks)
    fewest, most = max(2, setup.min_chunks), setup.max_chunks
    if not reply.shape:
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
