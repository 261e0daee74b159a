"""Asks the critic to score a query alone, and a finished golden with the quotes that its answer needs: these become its evidence."""

from collections.abc import Mapping, Sequence
from typing import Any

from ragset.generation.stage import Case, Outcome, Question
from ragset.generation.stages.enough_chunks import enough_chunks
from ragset.llm.ask import Complaint
from ragset.llm.replies import Critique, QueryCritique
from ragset.models import Candidate, Span
from ragset.text.context_window import text_of
from ragset.text.quotes import merge_neighbours, whole_sentences

ALONE = Question("critique_query", "critic", QueryCritique)
"""Of the query alone."""
TOGETHER = Question("critique_golden", "critic", Critique)
_SURE = 5
"""A clarity or relevance with which the query is not judged alone, if the other one is enough."""


async def critique_query(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with the clarity of its query and its relevance to the audience, 1 to 5 each. Low scores are refused.

    Of a query that was scored with its texts, the lower clarity counts, and this relevance.
    """
    alone = await case.ask(candidate, ALONE, {"query": candidate.query, "audience": case.setup.audience})
    found = {"clarity": alone.clarity, "relevance": alone.relevance}
    _refuse_low(candidate, found, case)
    return _scored(candidate.grown(case.step(ALONE)), found)


async def critique_golden(candidate: Candidate, case: Case) -> Outcome:
    """The candidate with its scores, 1 to 5 each, and the evidence that its answer needs. Low scores are refused.

    Chunks without such evidence become spare. Where the query was not judged alone before, that is done after a low relevance, or
    without a 5 for it and for clarity; of an unanswerable candidate the query is all that can be judged.
    """
    alone = "clarity" in candidate.scores
    if candidate.unanswerable:
        return candidate if alone else await critique_query(candidate, case)
    quotes = whole_sentences(candidate.evidence, candidate.chunks)
    inputs = {
        "chunks": candidate.texts,
        "before": [chunk.before for chunk in candidate.chunks],
        "after": [chunk.after for chunk in candidate.chunks],
        "title": candidate.section,
        "query": candidate.query,
        "answer": candidate.answer,
        "quotes": [text_of(quote, candidate.chunks) for quote in quotes],
        "audience": case.setup.audience,
    }
    reply = await case.ask(candidate, TOGETHER, inputs, lambda reply: _complain(reply, len(quotes)))
    found: dict[str, Any] = {"groundedness": reply.groundedness, "clarity": reply.clarity}
    _refuse_low(candidate, found, case)
    if not alone:
        found["relevance"] = reply.relevance
    judged = _scored(candidate.grown(case.step(TOGETHER)), found)
    if not alone and _in_doubt(judged.scores, case):
        judged = await critique_query(judged, case)
    return _with_least_evidence(judged, [quotes[number - 1] for number in reply.groundedness.needed], case)


def _in_doubt(scores: Mapping[str, int], case: Case) -> bool:
    """Whether the query should be judged alone as well: who has read the texts finds it likelier and clearer than it is."""
    low = scores["relevance"] < case.setup.writing.thresholds.relevance
    return low or max(scores["clarity"], scores["relevance"]) < _SURE


def _scored(candidate: Candidate, found: Mapping[str, Any]) -> Candidate:
    """With the scores found; of two clarities the lower one."""
    scores = {**candidate.scores, **{name: one.score for name, one in found.items()}}
    if "clarity" in found:
        scores["clarity"] = min(scores["clarity"], candidate.scores.get("clarity", scores["clarity"]))
    return candidate.model_copy(update={"scores": scores})


def _refuse_low(candidate: Candidate, found: Mapping[str, Any], case: Case) -> None:
    """Raises the refusal of a candidate with a score below its threshold."""
    least = case.setup.writing.thresholds
    if low := [name for name, one in found.items() if one.score < getattr(least, name)]:
        worst = min(low, key=lambda name: found[name].score)
        words = "; ".join(f"{name} {found[name].score}: {found[name].reason}" for name in low)
        raise case.refused(candidate, f"low_{worst}", words)


def _with_least_evidence(candidate: Candidate, needed: Sequence[Span], case: Case) -> Outcome:
    used = [chunk for chunk in candidate.chunks if any(span.overlap(chunk) for span in needed)]
    kept = candidate.narrowed(used, case.stage, "the answer needs no quote from it")
    evidence = merge_neighbours(needed, candidate.chunks)
    return enough_chunks(kept.model_copy(update={"evidence": evidence}), case)


def _complain(reply: Critique, quotes: int) -> Complaint | None:
    grounding = reply.groundedness
    if not grounding.needed and grounding.score < 3:
        return None
    if grounding.needed and all(1 <= number <= quotes for number in grounding.needed):
        return None
    message = f"Name in `needed` the quotes without which the answer cannot be given, by their numbers, 1 to {quotes}."
    return Complaint(reason="wrong_quotes", message=message)
