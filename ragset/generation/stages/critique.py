"""Asks the critic to score a finished golden: is its answer grounded, is its query relevant, does it stand alone?"""

from collections.abc import Sequence
from typing import Any

from ragset.generation.stage import Case, Question
from ragset.llm.gather import gather_all
from ragset.llm.replies import Criticism, Critique
from ragset.models import Candidate

TOGETHER = Question("critique_golden", "critic", Critique)
SEPARATE = {
    name: Question(f"critique_{name}", "critic", Criticism) for name in ("groundedness", "relevance", "clarity")
}
OF_A_QUERY = ("relevance", "clarity")


async def critique_golden(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with its scores, 1 to 5 each; an unanswerable one has no groundedness. Low scores are refused."""
    writing = case.setup.writing
    names = OF_A_QUERY if candidate.unanswerable else tuple(SEPARATE)
    together = not writing.separate and not candidate.unanswerable
    asked: Sequence[Question[Any]] = [TOGETHER] if together else [SEPARATE[name] for name in names]
    known = {
        "chunk": candidate.text,
        "query": candidate.query,
        "answer": candidate.answer,
        "audience": writing.audience,
    }
    inputs = [{name: known[name] for name in case.prompts[one.prompt].inputs} for one in asked]
    replies = await gather_all(*(case.ask(candidate, *one) for one in zip(asked, inputs, strict=True)))
    scored: list[Any] = [getattr(replies[0], name) for name in names] if together else list(replies)
    criticisms: dict[str, Criticism] = dict(zip(names, scored, strict=True))
    if low := [name for name, criticism in criticisms.items() if criticism.score < writing.threshold]:
        worst = min(low, key=lambda name: criticisms[name].score)
        words = "; ".join(f"{name} {criticisms[name].score}: {criticisms[name].reason}" for name in low)
        raise case.refused(candidate, f"low_{worst}", words)
    for question in asked:
        candidate = candidate.grown(case.step(question))
    return candidate.model_copy(update={"scores": {name: found.score for name, found in criticisms.items()}})
