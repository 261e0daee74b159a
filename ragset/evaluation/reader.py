"""What a RAG system's reader says to a query: an answer from the retrieved passages alone, or nothing."""

from collections.abc import Sequence

from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import ReaderAnswer

STAGE = "read"
PROMPT = "read_passages"


async def read(query: str, chunks: Sequence[str], prompt: Prompt, llm: LLM) -> ReaderAnswer | Unfit:
    """The answer from `chunks`, best first, or an abstention without an answer; without chunks the model is not asked."""
    if not chunks:
        return ReaderAnswer(reason="There are no passages.", verdict="abstained", answer=None, chunks=())

    def complain(reply: ReaderAnswer) -> Complaint | None:
        if reply.verdict == "abstained":
            return None
        if not (reply.answer or "").strip():
            told = 'The verdict is "answered" and the answer is empty. Answer, or let the verdict be "abstained".'
            return Complaint(reason="empty_answer", message=told)
        for number in reply.chunks:
            if not 1 <= number <= len(chunks):
                told = f"There is no passage {number}: name those that the answer is made from by numbers from 1 to {len(chunks)}."
                return Complaint(reason="wrong_chunks", message=told)
        return None

    inputs = {"chunks": tuple(chunks), "query": query}
    reply = await ask(llm, prompt, ReaderAnswer, inputs, stage=STAGE, check=complain)
    if isinstance(reply, Unfit):
        return reply
    if reply.verdict == "abstained":
        return reply.model_copy(update={"answer": None, "chunks": ()})
    return reply.model_copy(update={"answer": (reply.answer or "").strip(), "chunks": tuple(sorted(set(reply.chunks)))})
