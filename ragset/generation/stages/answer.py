"""Answers a query from its chunks alone, with the document's own words as evidence."""

from collections.abc import Sequence

from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import ContextAnswer, GroundedAnswer, Quote
from ragset.models import Candidate, Chunk, Reject, Span, Step
from ragset.text.quotes import locate, merge

STAGE = "answer"
PROMPT = "answer_query"
CONTEXT_PROMPT = "answer_multi_query"


async def answer_query(candidate: Candidate, prompt: Prompt, llm: LLM) -> Candidate | Reject:
    """The candidate of one chunk with its answer and the spans of the quotes that support it.

    A Reject if the passage does not answer, or if a quote is not in the passage at the second try either.
    """
    reply = await ask(
        llm,
        prompt,
        GroundedAnswer,
        {"chunk": candidate.text, "query": candidate.query},
        stage=STAGE,
        check=lambda reply: complain_of_answer(reply, candidate.chunks[0]),
    )
    return _answered(candidate, prompt, llm, reply)


async def answer_from_context(candidate: Candidate, prompt: Prompt, llm: LLM) -> Candidate | Reject:
    """The candidate of several chunks with its answer and quotes from each chunk; else as `answer_query`."""
    reply = await ask(
        llm,
        prompt,
        ContextAnswer,
        {"chunks": candidate.texts, "query": candidate.query},
        stage=STAGE,
        check=lambda reply: complain_of_context_answer(reply, candidate.chunks),
    )
    return _answered(candidate, prompt, llm, reply)


def _answered(
    candidate: Candidate, prompt: Prompt, llm: LLM, reply: GroundedAnswer | ContextAnswer | Unfit
) -> Candidate | Reject:
    if isinstance(reply, Unfit):
        return candidate.rejected(STAGE, reply.reason, reply.detail)
    if reply.verdict != "answered":
        return candidate.rejected(STAGE, "not_in_passage", reply.reason)
    quotes = reply.quotes if isinstance(reply, ContextAnswer) else _numbered(reply)
    step = Step(stage=STAGE, prompt=prompt.id, model=llm.model)
    evidence = merge(span for quote in quotes for span in _found(quote, candidate.chunks)[1])
    return candidate.grown(step, answer=(reply.answer or "").strip(), evidence=evidence)


def complain_of_answer(reply: GroundedAnswer, chunk: Chunk) -> Complaint | None:
    """What to mend about an answer: none given, no quotes, or quotes that are not in the passage."""
    if reply.verdict == "not_in_passage":
        return None
    return _complain(reply.answer, _numbered(reply), (chunk,), "not_in_passage")


def complain_of_context_answer(reply: ContextAnswer, chunks: Sequence[Chunk]) -> Complaint | None:
    """As `complain_of_answer`, and each chunk must have a quote, since the query needs them all."""
    if reply.verdict == "not_in_passages":
        return None
    complaint = _complain(reply.answer, reply.quotes, chunks, "not_in_passages")
    if complaint:
        return complaint
    quoted = {_found(quote, chunks)[0] for quote in reply.quotes}
    bare = [number for number in range(1, len(chunks) + 1) if number not in quoted]
    if not bare:
        return None
    return Complaint(
        reason="chunk_without_quote",
        message=f"No quote is from chunk {bare[0]}. The answer needs every chunk: quote at least once from each.",
    )


def _complain(answer: str | None, quotes: Sequence[Quote], chunks: Sequence[Chunk], none: str) -> Complaint | None:
    if not (answer or "").strip():
        return Complaint(
            reason="empty_answer",
            message=f'The verdict is "answered" and the answer is empty. Answer, or let the verdict be "{none}".',
        )
    given = [quote for quote in quotes if quote.quote.strip()]
    if not given:
        return Complaint(reason="no_quote", message="Copy at least one quote that carries the answer from the passage.")
    lost = [quote.quote for quote in given if not _found(quote, chunks)[1]]
    if lost:
        shown = "; ".join(f'"{quote[:120]}"' for quote in lost)
        return Complaint(
            reason="quote_not_found",
            message=f"Not in the passage to the letter: {shown}. Copy quotes from the passage without changing a word.",
        )
    return None


def _found(quote: Quote, chunks: Sequence[Chunk]) -> tuple[int, tuple[Span, ...]]:
    """The number of the chunk that holds the quote, and where: the one it is said to be from, or else another."""
    numbers = sorted(range(1, len(chunks) + 1), key=lambda number: number != quote.chunk)
    places = ((number, locate(quote.quote, chunks[number - 1])) for number in numbers)
    return next(((number, spans) for number, spans in places if spans), (0, ()))


def _numbered(reply: GroundedAnswer) -> tuple[Quote, ...]:
    return tuple(Quote(chunk=1, quote=quote) for quote in reply.quotes)
