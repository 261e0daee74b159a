"""What a RAG system's reader says to a query: an answer from the retrieved passages alone, or nothing."""

from collections.abc import Sequence

from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import ReaderAnswer

STAGE = "read"
PROMPT = "read_passages"


async def read(query: str, chunks: Sequence[str], prompt: Prompt, llm: LLM) -> ReaderAnswer | Unfit:
    """The answer from `chunks`, best first, or the verdict that they do not hold it, then with no answer at all.

    Where nothing was retrieved the reader abstains without being asked.

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    if not chunks:
        return ReaderAnswer(reason="There are no passages.", verdict="abstained", answer=None, chunks=())
    reply = await ask(
        llm,
        prompt,
        ReaderAnswer,
        {"chunks": tuple(chunks), "query": query},
        stage=STAGE,
        check=lambda reply: complain_of_reading(reply, len(chunks)),
    )
    if isinstance(reply, Unfit):
        return reply
    if reply.verdict == "abstained":
        return reply.model_copy(update={"answer": None, "chunks": ()})
    return reply.model_copy(update={"answer": (reply.answer or "").strip(), "chunks": tuple(sorted(set(reply.chunks)))})


def complain_of_reading(reply: ReaderAnswer, count: int) -> Complaint | None:
    """What a model should mend: it answers with nothing, or from passages that are not there."""
    if reply.verdict == "abstained":
        return None
    if not (reply.answer or "").strip():
        return Complaint(
            reason="empty_answer",
            message='The verdict is "answered" and the answer is empty. Answer, or let the verdict be "abstained".',
        )
    wrong = [number for number in reply.chunks if not 1 <= number <= count]
    if not wrong:
        return None
    return Complaint(
        reason="wrong_chunks",
        message=f"There is no passage {wrong[0]}: name those that the answer is made from by numbers from 1 to {count}.",
    )
