"""Asks the critic how much a chunk has to ask about: four grades, whose mean must reach a threshold."""

from statistics import mean

from ragset.llm.ask import Unfit, ask
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import ChunkScores
from ragset.models import Candidate, Reject, Step

STAGE = "score"
PROMPT = "score_chunk"
GRADES = ("clarity", "depth", "structure", "relevance")


async def score_chunk(candidate: Candidate, prompt: Prompt, llm: LLM, *, least: float) -> Candidate | Reject:
    """The candidate with grades of 1 to 3 in `metadata["chunk_scores"]`, if their mean is `least` or more."""
    reply = await ask(llm, prompt, ChunkScores, {"chunk": candidate.text}, stage=STAGE)
    if isinstance(reply, Unfit):
        return candidate.rejected(STAGE, reply.reason, reply.detail)
    grades = {name: int(getattr(reply, name)) for name in GRADES}
    reached = mean(grades.values())
    if reached < least:
        told = ", ".join(f"{name} {grade}" for name, grade in grades.items())
        return candidate.rejected(STAGE, "low_chunk_score", f"{reached:.2f} ({told}): {reply.reason}")
    step = Step(stage=STAGE, prompt=prompt.id, model=llm.model)
    return candidate.grown(step, metadata={**candidate.metadata, "chunk_scores": grades})
