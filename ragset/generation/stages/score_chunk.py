"""Asks the critic how much a chunk has to ask about: four grades, whose mean must reach a threshold."""

from statistics import mean

from ragset.generation.stage import Case, Question
from ragset.llm.replies import ChunkScores
from ragset.models import Candidate

STAGE = "score"
SCORE = Question("score_chunk", "critic", ChunkScores)


async def score_chunk(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with grades of 1 to 3 in `metadata["chunk_scores"]`; refused if their mean is too low."""
    reply = await case.ask(candidate, SCORE, {"chunk": candidate.text})
    grades: dict[str, int] = reply.model_dump(exclude={"reason"})
    reached = mean(grades.values())
    if reached < case.setup.checks.min_chunk_score:
        told = ", ".join(f"{name} {grade}" for name, grade in grades.items())
        raise case.refused(candidate, "low_chunk_score", f"{reached:.2f} ({told}): {reply.reason}")
    return candidate.grown(case.step(SCORE), metadata={**candidate.metadata, "chunk_scores": grades})
