"""Drafts the first query of several chunks, in one of several shapes."""

from ragset.generation.personas import complain_of_writing_style
from ragset.generation.stage import Case, Question
from ragset.generation.stages.draft import draft_in_style, drafted, query_of
from ragset.generation.stages.judge_query import complain_of_leaning
from ragset.generation.styles import OPEN, SHAPE_PROMPT
from ragset.generation.weighted_choice import choose
from ragset.llm.ask import Complaint
from ragset.llm.replies import ContextDraft, Reply
from ragset.models import Candidate
from ragset.settings import ContextWritingSettings

SHAPED = Question(SHAPE_PROMPT, "generator", Reply)


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
        query = query_of(reply)
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
    return drafted(candidate, case, SHAPED, draft, made, {"shape": made, **wished, **imitated.metadata})
