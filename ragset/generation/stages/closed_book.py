"""Asks a reader the query without its passage: if it knows the answer, the query tests memory and not retrieval."""

from collections.abc import Mapping
from typing import Any, Literal

from ragset.evaluation.metrics.judged import PROMPT as JUDGE_PROMPT
from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import AnswerVerdict, ClosedBookAnswer
from ragset.models import Candidate, Reject, Step
from ragset.settings import OFFLINE

STAGE = "closed_book"
PROMPT = "answer_closed_book"
NO_READER = "offline"
"""Why nothing is known where rules stand in for the reader: they know nothing from memory."""
ACCEPTED = 4
"""Correctness, of 1 to 5, from which an answer from memory counts as known."""


async def closed_book(
    candidate: Candidate, prompts: Mapping[str, Prompt], reader: LLM, critic: LLM, *, use: Literal["label", "filter"]
) -> Candidate | Reject:
    """The candidate with `metadata["closed_book"]`; to `filter` rejects what the reader knows without a passage.

    The label is {"known", "answer", "correctness"}; answer and correctness are None where the reader abstains. Where a
    reply cannot be read the label is {"known": None, "unread": reason}; to `filter` rejects such a candidate, since
    nobody knows whether it would have passed. Unanswerable candidates pass as they are.
    """
    if candidate.unanswerable:
        return candidate
    inputs = {"query": candidate.query}
    said = await ask(reader, prompts[PROMPT], ClosedBookAnswer, inputs, stage=STAGE, check=complain_of_memory)
    if isinstance(said, Unfit):
        return _unread(candidate, said, use)
    candidate = candidate.grown(Step(stage=STAGE, kind="answer", prompt=prompts[PROMPT].id, model=reader.model))
    answer = (said.answer or "").strip() if said.verdict == "answered" else ""
    if not answer and reader.model == OFFLINE:
        return _labelled(candidate, {"known": None, "unread": NO_READER})
    if not answer:
        return _labelled(candidate, {"known": False, "answer": None, "correctness": None})
    inputs = {"query": candidate.query, "reference": candidate.answer, "answer": answer}
    verdict = await ask(critic, prompts[JUDGE_PROMPT], AnswerVerdict, inputs, stage=STAGE)
    if isinstance(verdict, Unfit):
        return _unread(candidate, verdict, use)
    candidate = candidate.grown(Step(stage=STAGE, kind="judge", prompt=prompts[JUDGE_PROMPT].id, model=critic.model))
    known = verdict.correctness >= ACCEPTED
    if known and use == "filter":
        detail = f"correctness {verdict.correctness} of 5: {verdict.feedback}"
        return candidate.rejected(STAGE, "known_without_passage", detail)
    return _labelled(candidate, {"known": known, "answer": answer, "correctness": verdict.correctness})


def complain_of_memory(reply: ClosedBookAnswer) -> Complaint | None:
    """What to mend: it answers with nothing."""
    if reply.verdict == "abstained" or (reply.answer or "").strip():
        return None
    return Complaint(
        reason="empty_answer",
        message='The verdict is "answered" and the answer is empty. Answer, or let the verdict be "abstained".',
    )


def _labelled(candidate: Candidate, label: dict[str, Any]) -> Candidate:
    return candidate.model_copy(update={"metadata": {**candidate.metadata, STAGE: label}})


def _unread(candidate: Candidate, unfit: Unfit, use: str) -> Candidate | Reject:
    if use == "filter":
        return candidate.rejected(STAGE, unfit.reason, unfit.detail)
    return _labelled(candidate, {"known": None, "unread": unfit.reason})
