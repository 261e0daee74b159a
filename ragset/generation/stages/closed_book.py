"""Asks a reader the query without its passage: if it knows the answer, the query tests memory and not retrieval."""

from typing import Any

from ragset.evaluation.metrics.judged import PROMPT as JUDGE_PROMPT
from ragset.generation.stage import Case, Outcome, Question
from ragset.llm.ask import Complaint, Unfit
from ragset.llm.replies import AnswerVerdict, ClosedBookAnswer
from ragset.models import Candidate
from ragset.settings import OFFLINE

STAGE = "closed_book"
READ = Question("answer_closed_book", "reader", ClosedBookAnswer)
JUDGE = Question(JUDGE_PROMPT, "critic", AnswerVerdict)
ACCEPTED = 4
"""Correctness, of 1 to 5, from which an answer from memory counts as known."""


async def closed_book(candidate: Candidate, case: Case) -> Outcome:
    """The candidate with `metadata["closed_book"]`; to `filter` rejects what the reader knows without a passage.

    The label is {"known", "answer", "correctness"}, the last two None where the reader abstains. Where a reply cannot
    be read it is {"known": None, "unread": reason}, and to `filter` rejects. Unanswerable candidates pass as they are.
    """
    if candidate.unanswerable:
        return candidate
    filters = case.setup.checks.closed_book == "filter"
    said = await case.try_ask(READ, {"query": candidate.query}, _complain_of_memory)
    if isinstance(said, Unfit):
        return _unread(candidate, said, filters=filters)
    candidate = candidate.grown(case.step(READ, "answer"))
    answer = (said.answer or "").strip() if said.verdict == "answered" else ""
    if not answer:
        # Rules know nothing from memory, so nothing is known of the query where they stand in for the reader.
        by_rules = case.models.reader.model == OFFLINE
        unknown = {"known": False, "answer": None, "correctness": None}
        return _labelled(candidate, {"known": None, "unread": OFFLINE} if by_rules else unknown)
    inputs = {"query": candidate.query, "reference": candidate.answer, "answer": answer}
    verdict = await case.try_ask(JUDGE, inputs)
    if isinstance(verdict, Unfit):
        return _unread(candidate, verdict, filters=filters)
    candidate = candidate.grown(case.step(JUDGE, "judge"))
    known = verdict.correctness >= ACCEPTED
    if known and filters:
        detail = f"correctness {verdict.correctness} of 5: {verdict.feedback}"
        raise case.refused(candidate, "known_without_passage", detail)
    return _labelled(candidate, {"known": known, "answer": answer, "correctness": verdict.correctness})


def _complain_of_memory(reply: ClosedBookAnswer) -> Complaint | None:
    message = 'The verdict is "answered" and the answer is empty. Answer, or let the verdict be "abstained".'
    empty = reply.verdict == "answered" and not (reply.answer or "").strip()
    return Complaint(reason="empty_answer", message=message) if empty else None


def _labelled(candidate: Candidate, label: dict[str, Any]) -> Candidate:
    return candidate.model_copy(update={"metadata": {**candidate.metadata, STAGE: label}})


def _unread(candidate: Candidate, unfit: Unfit, *, filters: bool) -> Outcome:
    if filters:
        return candidate.rejected(STAGE, unfit.reason, unfit.detail)
    return _labelled(candidate, {"known": None, "unread": unfit.reason})
