"""An answer from the chunk alone, with the document's own words as evidence."""

from ragset.evidence import locate, merge
from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.protocol import LLM
from ragset.models import Candidate, Chunk, Reject, Span, Step
from ragset.prompt import Prompt
from ragset.replies import GroundedAnswer

STAGE = "answer"


async def answer_query(candidate: Candidate, prompt: Prompt, llm: LLM) -> Candidate | Reject:
    """The candidate with its answer and the spans of the quotes that carry it.

    A quote that is not in the passage is asked for once more, then the candidate is a Reject; so is a query
    that the passage does not answer.

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    chunk = candidate.chunks[0]

    reply = await ask(
        llm,
        prompt,
        GroundedAnswer,
        {"chunk": chunk.text, "query": candidate.query},
        stage=STAGE,
        check=lambda reply: complain_of_answer(reply, chunk),
    )
    if isinstance(reply, Unfit):
        return candidate.rejected(STAGE, reply.reason, reply.detail)
    if reply.verdict == "not_in_passage":
        return candidate.rejected(STAGE, "not_in_passage", reply.reason)
    answer = (reply.answer or "").strip()
    step = Step(stage=STAGE, prompt=prompt.id, model=llm.model)
    return candidate.grown(step, answer=answer, evidence=evidence_of(reply, chunk))


def evidence_of(reply: GroundedAnswer, chunk: Chunk) -> tuple[Span, ...]:
    """The spans of all quotes, in reading order."""
    return merge(span for quote in reply.quotes for span in locate(quote, chunk))


def complain_of_answer(reply: GroundedAnswer, chunk: Chunk) -> Complaint | None:
    """What a model should mend about an answer: none given, no quotes, or quotes that are not in the passage."""
    if reply.verdict == "not_in_passage":
        return None
    if not (reply.answer or "").strip():
        return Complaint(
            reason="empty_answer",
            message='The verdict is "answered" and the answer is empty. Answer, or let the verdict be "not_in_passage".',
        )
    if not any(quote.strip() for quote in reply.quotes):
        return Complaint(reason="no_quote", message="Copy at least one quote that carries the answer from the passage.")
    lost = [quote for quote in reply.quotes if quote.strip() and not locate(quote, chunk)]
    if lost:
        shown = "; ".join(f'"{quote[:120]}"' for quote in lost)
        return Complaint(
            reason="quote_not_found",
            message=f"Not in the passage to the letter: {shown}. Copy quotes from the passage without changing a word.",
        )
    return None
