"""Writes the dialogue that leads to a query, so that its last question leans on what was said before."""

from collections.abc import Sequence
from typing import Any

from ragset.generation.stage import Case, Question, Setup
from ragset.generation.stages.judge_query import JUDGE as JUDGE_ALONE
from ragset.llm.ask import Complaint
from ragset.llm.replies import ConversationDraft, ConversationVerdict
from ragset.models import Candidate, Chunk, Conversation, Turn
from ragset.text.quotes import locate
from ragset.text.rules.content_words import folded_words

DRAFT = Question("draft_conversation", "generator", ConversationDraft)
JUDGE = Question("judge_conversation", "critic", ConversationVerdict)
_REWRITES = 2  # times that a dialogue is written anew by what a rule or the critic says of it


def asks(setup: Setup) -> dict[Question[Any], float]:
    """What it asks of each candidate that enters."""
    share = setup.conversations.share
    return {DRAFT: 1.3 * share, JUDGE_ALONE: 1.2 * share, JUDGE: 1.1 * share}


async def converse(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with a conversation, if it draws one; its query stays, as the last question rewritten to stand alone.

    The turns are answered from all chunks of its context, each by a quote. The critic reads the last question alone, which must
    lean on the turns, and then the whole dialogue, which must ask what the query asks and leave its answer open.
    """
    if not case.setup.converses(candidate):
        return candidate
    chunks = (*candidate.chunks, *candidate.spare)
    fewest, most = (turns - 1 for turns in (case.setup.conversations.min_turns, case.setup.conversations.max_turns))

    async def check(draft: ConversationDraft) -> Complaint | None:
        if not (draft.question or "").strip():
            return None
        return _complain(draft, candidate, chunks, fewest, most) or await _judge(draft, candidate, case)

    inputs = {
        "chunks": [chunk.text for chunk in chunks],
        "titles": [chunk.section for chunk in chunks],
        "query": candidate.query,
        "answer": candidate.answer,
        "count": str(fewest) if fewest == most else f"{fewest} to {most}",
    }
    draft = await case.ask(candidate, DRAFT, inputs, check, complaints=_REWRITES)
    question = (draft.question or "").strip()
    if not question:
        raise case.refused(candidate, "no_conversation", draft.reason)
    turns = tuple(
        Turn(
            question=turn.question.strip(),
            answer=turn.answer.strip(),
            evidence=locate(turn.quote, chunks[turn.chunk - 1]),
        )
        for turn in draft.turns
    )
    grown = candidate.grown(case.step(DRAFT), conversation=Conversation(turns=turns, question=question))
    return grown.grown(case.step(JUDGE_ALONE, "last question alone")).grown(case.step(JUDGE, "judge"))


def _complain(
    draft: ConversationDraft, candidate: Candidate, chunks: Sequence[Chunk], fewest: int, most: int
) -> Complaint | None:
    if not fewest <= len(draft.turns) <= most:
        message = f"There are {len(draft.turns)} turns before the question. Write at least {fewest} and at most {most}."
        return Complaint(reason="wrong_turns", message=message)
    for number, turn in enumerate(draft.turns, start=1):
        if not turn.question.strip() or not turn.answer.strip():
            return Complaint(reason="empty_turn", message=f"Turn {number} has no question or no answer. Give it both.")
        if not 1 <= turn.chunk <= len(chunks) or not locate(turn.quote, chunks[turn.chunk - 1]):
            message = f'Turn {number}: "{turn.quote[:120]}" is not in passage {turn.chunk}, to the letter. Copy it from there.'
            return Complaint(reason="quote_not_found", message=message)
        if folded_words(turn.question) == folded_words(candidate.query):
            message = f"Turn {number} already asks the query. Lead up to it instead."
            return Complaint(reason="asked_before", message=message)
    if folded_words(draft.question or "") == folded_words(candidate.query):
        return Complaint(reason="stands_alone", message=_STANDS_ALONE.format("it is the query, word for word"))
    return None


_STANDS_ALONE = "The last question can be understood without the turns: {}. Leave out what the turns have named."


async def _judge(draft: ConversationDraft, candidate: Candidate, case: Case) -> Complaint | None:
    alone = await case.ask(candidate, JUDGE_ALONE, {"query": draft.question})
    if alone.independent:
        return Complaint(reason="stands_alone", message=_STANDS_ALONE.format(alone.feedback))
    inputs = {
        "questions": [turn.question for turn in draft.turns],
        "answers": [turn.answer for turn in draft.turns],
        "last": draft.question,
        "query": candidate.query,
        "answer": candidate.answer,
    }
    verdict = await case.ask(candidate, JUDGE, inputs)
    if not verdict.open:
        message = f"The turns give the answer, or a part of it, away: {verdict.reason} Ask for something else in them."
        return Complaint(reason="given_away", message=message)
    if not verdict.same:
        message = f"After the turns, the last question does not ask what the query asks: {verdict.reason}"
        return Complaint(reason="asks_something_else", message=message)
    return None
