"""Asks the critic to score a finished golden, and which of its quotes the answer needs: these become its evidence."""

from collections.abc import Mapping, Sequence
from typing import Any

from ragset.generation.stage import Case, Outcome, Question
from ragset.generation.stages.enough_chunks import enough_chunks
from ragset.llm.ask import Complaint
from ragset.llm.gather import gather_all
from ragset.llm.replies import Criticism, Critique
from ragset.models import Candidate, Span
from ragset.text.context_window import text_of
from ragset.text.quotes import merge_neighbours, whole_sentences

RELEVANCE = Question("critique_relevance", "critic", Criticism)
TOGETHER = Question("critique_golden", "critic", Critique)
CLARITY = Question("critique_clarity", "critic", Criticism)
"""Of the query alone: who has read the texts finds it clearer than it is."""
OF_UNANSWERABLE = {"relevance": RELEVANCE, "clarity": CLARITY}
"""Of a query without an answer, each score is asked for alone."""
UNSURE = 4
"""The clarity about which the critic is asked again, shown the query alone."""


async def critique_golden(candidate: Candidate, case: Case) -> Outcome:
    """The candidate with its scores, 1 to 5 each, and the evidence that its answer needs. Low scores are refused.

    Chunks without such evidence become spare. An unanswerable candidate has no groundedness. Relevance is not asked again
    where it is known. A clarity of 4 that would do is asked for again, of the query alone, and the lower one counts.
    """
    setup, quotes = case.setup, whole_sentences(candidate.evidence, candidate.chunks)
    names = [name for name in OF_UNANSWERABLE if name not in candidate.scores]
    if not candidate.unanswerable:
        names.insert(0, "groundedness")
    inputs = {
        "chunks": candidate.texts,
        "before": [chunk.before for chunk in candidate.chunks],
        "after": [chunk.after for chunk in candidate.chunks],
        "title": candidate.section,
        "query": candidate.query,
        "answer": candidate.answer,
        "quotes": [text_of(quote, candidate.chunks) for quote in quotes],
        "audience": setup.audience if "relevance" in names else "",
    }

    def check(reply: Any) -> Complaint | None:
        return _complain(reply, len(quotes), relevant="relevance" in names)

    asked: list[Question[Any]] = [OF_UNANSWERABLE[name] for name in names] if candidate.unanswerable else [TOGETHER]
    replies: Sequence[Any] = await gather_all(*(case.ask(candidate, question, inputs, check) for question in asked))
    scored = list(replies) if candidate.unanswerable else [getattr(replies[0], name) for name in names]
    found: dict[str, Any] = dict(zip(names, scored, strict=True))
    _refuse_low(candidate, found, case)
    clarity = None if candidate.unanswerable else found.get("clarity")
    if clarity is not None and clarity.score == UNSURE:
        asked.append(CLARITY)
        alone = await case.ask(candidate, CLARITY, {"query": candidate.query, "audience": setup.audience})
        found["clarity"] = min(clarity, alone, key=lambda one: one.score)
        _refuse_low(candidate, found, case)
    for question in asked:
        candidate = candidate.grown(case.step(question))
    candidate = candidate.model_copy(
        update={"scores": {**candidate.scores, **{name: one.score for name, one in found.items()}}}
    )
    if candidate.unanswerable:
        return candidate
    return _with_least_evidence(candidate, [quotes[number - 1] for number in found["groundedness"].needed], case)


def _refuse_low(candidate: Candidate, found: Mapping[str, Any], case: Case) -> None:
    """Raises the refusal of a candidate with a score below its threshold."""
    least = case.setup.writing.least_scores
    if low := [name for name, one in found.items() if one.score < least[name]]:
        worst = min(low, key=lambda name: found[name].score)
        words = "; ".join(f"{name} {found[name].score}: {found[name].reason}" for name in low)
        raise case.refused(candidate, f"low_{worst}", words)


def _with_least_evidence(candidate: Candidate, needed: Sequence[Span], case: Case) -> Outcome:
    used = [chunk for chunk in candidate.chunks if any(span.overlap(chunk) for span in needed)]
    kept = candidate.narrowed(used, case.stage, "the answer needs no quote from it")
    evidence = merge_neighbours(needed, candidate.chunks)
    return enough_chunks(kept.model_copy(update={"evidence": evidence}), case)


def _complain(reply: Critique | Criticism, quotes: int, *, relevant: bool) -> Complaint | None:
    if isinstance(reply, Criticism):
        return None
    if relevant and reply.relevance is None:
        return Complaint(reason="no_relevance", message="Score the relevance too: an audience is named.")
    grounding = reply.groundedness
    if not grounding.needed and grounding.score < 3:
        return None
    if grounding.needed and all(1 <= number <= quotes for number in grounding.needed):
        return None
    message = f"Name in `needed` the quotes without which the answer cannot be given, by their numbers, 1 to {quotes}."
    return Complaint(reason="wrong_quotes", message=message)


async def judge_relevance(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with its relevance to the audience described, 1 to 5, right after the draft; refused below the threshold."""
    inputs = {"audience": case.setup.audience, "query": candidate.query}
    found = await case.ask(candidate, RELEVANCE, inputs)
    if found.score < case.setup.writing.least_scores["relevance"]:
        raise case.refused(candidate, "low_relevance", f"relevance {found.score}: {found.reason}")
    return candidate.grown(case.step(RELEVANCE), scores={**candidate.scores, "relevance": found.score})
