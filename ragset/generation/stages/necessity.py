"""Finds out which of its chunks a query needs: it is answered again without each of them, and the answers are compared."""

from ragset.generation.stage import Case, Outcome, Question, RefusedError
from ragset.generation.stages.answer import ANSWER, CONTEXT_ANSWER, NOT_THERE, answered
from ragset.generation.stages.critique import TOGETHER, critique_golden
from ragset.generation.stages.enough_chunks import enough_chunks
from ragset.llm.gather import gather_all
from ragset.llm.replies import AnswersCompared
from ragset.models import Candidate, Chunk, Reject

COMPARED = Question("compare_answers", "critic", AnswersCompared)
ASKS = {CONTEXT_ANSWER: 0.0, ANSWER: 1.0, COMPARED: 0.1, TOGETHER: 0.01}
"""By chunk that is left out: of most contexts two chunks are used, and most answers need both."""


async def leave_one_out(candidate: Candidate, case: Case) -> Outcome:
    """The candidate with those chunks alone without which its query has no answer, or another than from all of them.

    Each is left out in turn. The last that makes no difference goes, and the rest, with the answer and the evidence that it
    gives alone, is tested again: of two chunks that say the same, leaving either out makes no difference. An answer from fewer
    chunks is scored like the first.
    """
    if len(candidate.chunks) == 1:
        return enough_chunks(candidate, case)
    kept = candidate
    while len(kept.chunks) > 1:
        spared = [one for one in await gather_all(*(_without(chunk, kept, case) for chunk in kept.chunks)) if one]
        if not spared:
            break
        kept = spared[-1]
    kind = f"{len(kept.chunks)} of {len(candidate.chunks)}"
    tested = enough_chunks(kept.grown(case.step(COMPARED, kind)), case)
    if kept is candidate or isinstance(tested, Reject):
        return tested
    return await critique_golden(tested, case)


async def _without(chunk: Chunk, candidate: Candidate, case: Case) -> Candidate | None:
    """The candidate as it is answered without the chunk; None where the answer needs it."""
    rest = [other for other in candidate.chunks if other != chunk]
    try:
        partial = await answered(candidate.narrowed(rest, case.stage, ""), case)
    except RefusedError as refused:
        if refused.reject.reason == NOT_THERE:
            return None
        raise
    inputs = {"query": candidate.query, "answer": candidate.answer, "partial": partial.answer}
    verdict = await case.ask(candidate, COMPARED, inputs)
    if verdict.verdict != "same":
        return None
    kept = candidate.narrowed(partial.chunks, case.stage, f"answered without it: {verdict.reason}")
    return kept.grown(partial.lineage[-1], answer=partial.answer, evidence=partial.evidence)
