"""Answers a query from its chunks alone, with the document's own words as evidence."""

from collections.abc import Sequence
from typing import Any

from ragset.generation.stage import Case, Question
from ragset.llm.ask import Complaint
from ragset.llm.replies import ContextAnswer, GroundedAnswer, Quote
from ragset.models import Candidate, Chunk, Span
from ragset.text.quotes import locate, merge

ANSWER = Question("answer_query", "generator", GroundedAnswer)
CONTEXT_ANSWER = Question("answer_multi_query", "generator", ContextAnswer)


async def answer_query(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with its answer and the spans of its quotes; refused where its chunks lack a quote or the answer."""
    if candidate.unanswerable:
        return candidate
    question: Question[Any] = ANSWER if len(candidate.chunks) == 1 else CONTEXT_ANSWER
    if question == ANSWER:
        passages: dict[str, Any] = {"chunk": candidate.text, "title": candidate.chunks[0].section}
    else:
        passages = {"chunks": candidate.texts, "titles": candidate.sections}
    inputs = {**passages, "query": candidate.query}
    reply = await case.ask(candidate, question, inputs, lambda reply: _complain(reply, candidate.chunks))
    if reply.verdict != "answered":
        raise case.refused(candidate, "not_in_passage", reply.reason)
    evidence = merge(span for quote in _quotes(reply) for span in _found(quote, candidate.chunks)[1])
    return candidate.grown(case.step(question), answer=(reply.answer or "").strip(), evidence=evidence)


def _complain(reply: GroundedAnswer | ContextAnswer, chunks: Sequence[Chunk]) -> Complaint | None:
    if reply.verdict != "answered":
        return None
    none = "not_in_passage" if isinstance(reply, GroundedAnswer) else "not_in_passages"
    given = [quote for quote in _quotes(reply) if quote.quote.strip()]
    places = [_found(quote, chunks) for quote in given]
    lost = "; ".join(f'"{quote.quote[:120]}"' for quote, (_, spans) in zip(given, places, strict=True) if not spans)
    quoted = {number for number, _ in places}
    bare = next((number for number in range(1, len(chunks) + 1) if number not in quoted), None)
    if not (reply.answer or "").strip():
        reason = "empty_answer"
        message = f'The verdict is "answered" and the answer is empty. Answer, or let the verdict be "{none}".'
    elif not given:
        reason, message = "no_quote", "Copy at least one quote that carries the answer from the passage."
    elif lost:
        reason = "quote_not_found"
        message = f"Not in the passage to the letter: {lost}. Copy quotes from the passage without changing a word."
    elif bare:
        reason = "chunk_without_quote"
        message = f"No quote is from chunk {bare}. The answer needs every chunk: quote at least once from each."
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
