"""Asks the critic, right after the draft, whether the audience that the user described would ask the query."""

from ragset.generation.stage import Case, Question
from ragset.llm.replies import Criticism
from ragset.models import Candidate

RELEVANCE = Question("critique_relevance", "critic", Criticism)
SCORE = "relevance"


async def judge_relevance(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with its relevance, 1 to 5; refused below the threshold."""
    inputs = {"audience": case.setup.audience, "query": candidate.query}
    found = await case.ask(candidate, RELEVANCE, inputs)
    if found.score < case.setup.writing.least_scores[SCORE]:
        raise case.refused(candidate, "low_relevance", f"{SCORE} {found.score}: {found.reason}")
    return candidate.grown(case.step(RELEVANCE), scores={**candidate.scores, SCORE: found.score})
