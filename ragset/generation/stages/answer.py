"""Answers a query from its chunks alone, with the document's own words as evidence."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ragset.generation.stage import Case, Outcome, Question
from ragset.generation.stages.enough_chunks import enough_chunks
from ragset.llm.ask import Complaint
from ragset.llm.replies import ContextAnswer, ContextDraft, GroundedAnswer, KeyphraseDraft, QueryDraft, Quote
from ragset.models import Candidate, Chunk, Span
from ragset.text.quotes import locate, merge

ANSWER = Question("answer_query", "generator", GroundedAnswer)
CONTEXT_ANSWER = Question("answer_multi_query", "generator", ContextAnswer)
NOT_THERE = "not_in_passage"

_Answer = GroundedAnswer | ContextAnswer | QueryDraft | KeyphraseDraft | ContextDraft


class _Place(NamedTuple):
    """Where a quote stands."""

    quote: str
    chunk: int  # number, from 1, of the chunk that holds it: the one named, if it does; 0 for none
    spans: tuple[Span, ...]


async def answer_query(candidate: Candidate, case: Case) -> Outcome:
    """As `answered`, unless the draft brought the answer, if it is made from enough chunks; a query without an answer is left as it is."""
    if candidate.unanswerable:
        return candidate
    return enough_chunks(candidate if candidate.answer else await answered(candidate, case), case)


async def answered(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with its answer and the spans of its quotes; refused where its chunks lack a quote or the answer.

    Chunks without a quote are not needed: they become spare.
    """
    question: Question[Any] = ANSWER if len(candidate.chunks) == 1 else CONTEXT_ANSWER
    if question == ANSWER:
        passages: dict[str, Any] = {"chunk": candidate.text, "title": candidate.chunks[0].section}
    else:
        passages = {"chunks": candidate.texts, "titles": candidate.sections}
    inputs = {**passages, "query": candidate.query}

    def check(reply: GroundedAnswer | ContextAnswer) -> Complaint | None:
        return _complain(reply, _found(reply, candidate.chunks)) if reply.verdict == "answered" else None

    reply = await case.ask(candidate, question, inputs, check)
    if reply.verdict != "answered":
        raise case.refused(candidate, NOT_THERE, reply.reason)
    return _with_answer(candidate, reply, _found(reply, candidate.chunks), case.stage).grown(case.step(question))


def with_answer_of_draft(candidate: Candidate, case: Case, question: Question[Any], draft: Any) -> Candidate:
    """The candidate with the answer of its draft, and with the chunks quoted; as it is where a quote is not in its chunks.

    Nor has it an answer yet where too few of its chunks are quoted.
    """
    # A prompt of the user's own may not say what an answer and its quotes are to be.
    told = "quotes" in case.prompts[question.prompt].system
    if not told or not isinstance(draft, QueryDraft | KeyphraseDraft | ContextDraft):
        return candidate
    found = _found(draft, candidate.chunks)
    if _complain(draft, found):
        return candidate
    answered = _with_answer(candidate, draft, found, case.stage)
    return answered if isinstance(enough_chunks(answered, case), Candidate) else candidate


def _with_answer(candidate: Candidate, reply: _Answer, found: Sequence[_Place], stage: str) -> Candidate:
    evidence = merge(span for place in found for span in place.spans)
    quoted = [candidate.chunks[number - 1] for number in sorted({place.chunk for place in found if place.spans})]
    kept = candidate.narrowed(quoted, stage, f"no word of the answer is from it: {reply.reason}")
    return kept.model_copy(update={"answer": (reply.answer or "").strip(), "evidence": evidence})


def _complain(reply: _Answer, found: Sequence[_Place]) -> Complaint | None:
    lost = "; ".join(f'"{place.quote[:120]}"' for place in found if not place.spans)
    if not (reply.answer or "").strip():
        message = "The answer is empty. Write it, or let the verdict say that the answer is not there."
        return Complaint(reason="empty_answer", message=message)
    if not found:
        message = "Copy at least one quote that carries the answer from the passage."
        return Complaint(reason="no_quote", message=message)
    if lost:
        message = f"Not in the passage to the letter: {lost}. Copy quotes from the passage without changing a word."
        return Complaint(reason="quote_not_found", message=message)
    return None


def _found(reply: _Answer, chunks: Sequence[Chunk]) -> list[_Place]:
    quotes = (one if isinstance(one, Quote) else Quote(chunk=1, quote=one) for one in reply.quotes)
    return [_place(quote, chunks) for quote in quotes if quote.quote.strip()]


def _place(quote: Quote, chunks: Sequence[Chunk]) -> _Place:
    numbers = sorted(range(1, len(chunks) + 1), key=lambda number: number != quote.chunk)
    places = (_Place(quote.quote, number, locate(quote.quote, chunks[number - 1])) for number in numbers)
    return next((place for place in places if place.spans), _Place(quote.quote, 0, ()))
