"""Answers a query from its chunks alone, with the document's own words as evidence."""

from collections.abc import Sequence
from typing import Any

from ragset.generation.stage import Case, Outcome, Question
from ragset.generation.stages.enough_chunks import enough_chunks
from ragset.llm.ask import Complaint
from ragset.llm.replies import ContextAnswer, GroundedAnswer, Quote
from ragset.models import Candidate, Chunk, Span
from ragset.text.quotes import locate, merge

ANSWER = Question("answer_query", "generator", GroundedAnswer)
CONTEXT_ANSWER = Question("answer_multi_query", "generator", ContextAnswer)
NOT_THERE = "not_in_passage"


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
    reply = await case.ask(candidate, question, inputs, lambda reply: _complain(reply, candidate.chunks))
    if reply.verdict != "answered":
        raise case.refused(candidate, NOT_THERE, reply.reason)
    places = [_found(quote, candidate.chunks) for quote in _quotes(reply)]
    evidence = merge(span for _, spans in places for span in spans)
    quoted = [candidate.chunks[number - 1] for number in sorted({number for number, spans in places if spans})]
    kept = candidate.narrowed(quoted, case.stage, f"no word of the answer is from it: {reply.reason}")
    return kept.grown(case.step(question), answer=(reply.answer or "").strip(), evidence=evidence)


def with_answer_of_draft(candidate: Candidate, answer: str | None, quotes: Sequence[str]) -> Candidate:
    """The candidate with the answer that came with its query; as it is if a quote is not in its chunk, so that it is asked for."""
    places = [locate(quote, candidate.chunks[0]) for quote in quotes if quote.strip()]
    if not (answer or "").strip() or not places or not all(places):
        return candidate
    evidence = merge(span for spans in places for span in spans)
    return candidate.model_copy(update={"answer": (answer or "").strip(), "evidence": evidence})


def _complain(reply: GroundedAnswer | ContextAnswer, chunks: Sequence[Chunk]) -> Complaint | None:
    if reply.verdict != "answered":
        return None
    none = "not_in_passage" if isinstance(reply, GroundedAnswer) else "not_in_passages"
    given = [quote for quote in _quotes(reply) if quote.quote.strip()]
    places = [_found(quote, chunks) for quote in given]
    lost = "; ".join(f'"{quote.quote[:120]}"' for quote, (_, spans) in zip(given, places, strict=True) if not spans)
    if not (reply.answer or "").strip():
        reason = "empty_answer"
        message = f'The verdict is "answered" and the answer is empty. Answer, or let the verdict be "{none}".'
    elif not given:
        reason, message = "no_quote", "Copy at least one quote that carries the answer from the passage."
    elif lost:
        reason = "quote_not_found"
        message = f"Not in the passage to the letter: {lost}. Copy quotes from the passage without changing a word."
    else:
        return None
    return Complaint(reason=reason, message=message)


def _found(quote: Quote, chunks: Sequence[Chunk]) -> tuple[int, tuple[Span, ...]]:
    """The number of the chunk that holds the quote, the one named first, and the quote's spans there; 0 for none."""
    numbers = sorted(range(1, len(chunks) + 1), key=lambda number: number != quote.chunk)
    places = ((number, locate(quote.quote, chunks[number - 1])) for number in numbers)
    return next(((number, spans) for number, spans in places if spans), (0, ()))


def _quotes(reply: GroundedAnswer | ContextAnswer) -> Sequence[Quote]:
    return [one if isinstance(one, Quote) else Quote(chunk=1, quote=one) for one in reply.quotes]
