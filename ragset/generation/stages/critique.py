"""Asks the critic to score a finished golden: is its answer grounded, is its query relevant, does it stand alone?"""

from collections.abc import Mapping
from typing import Any

from ragset.llm.ask import Unfit, ask
from ragset.llm.gather import gather_all
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import Criticism, Critique
from ragset.models import Candidate, Reject, Step

STAGE = "critique"
TOGETHER = "critique_golden"
"""The prompt that gives all three scores in one call."""
SEPARATE = {
    "groundedness": "critique_groundedness",
    "relevance": "critique_relevance",
    "clarity": "critique_clarity",
}
"""The prompt of each score where each is asked for in a call of its own."""
OF_A_QUERY = ("relevance", "clarity")
"""The scores that a query without an answer has."""


async def critique_golden(
    candidate: Candidate, prompts: Mapping[str, Prompt], llm: LLM, *, audience: str, threshold: int
) -> Candidate | Reject:
    """The candidate with its scores, 1 to 5 each, or a Reject where one is below `threshold`.

    `prompts` by name: `critique_golden`, or the three of `SEPARATE`. An unanswerable candidate has no answer to be
    grounded, so relevance and clarity are asked for, each in a call of its own.
    """
    together = TOGETHER in prompts and not candidate.unanswerable
    names = OF_A_QUERY if candidate.unanswerable else tuple(SEPARATE)
    asked = [prompts[TOGETHER]] if together else [prompts[SEPARATE[name]] for name in names]
    inputs: dict[str, Any] = {
        "audience": audience,
        "chunk": candidate.text,
        "query": candidate.query,
        "answer": candidate.answer,
    }
    reply_type = Critique if together else Criticism
    replies = await gather_all(
        *(ask(llm, prompt, reply_type, {n: inputs[n] for n in prompt.inputs}, stage=STAGE) for prompt in asked)
    )
    scored: list[Criticism] = []
    for reply in replies:
        if isinstance(reply, Unfit):
            return candidate.rejected(STAGE, reply.reason, reply.detail)
        scored += [reply.groundedness, reply.relevance, reply.clarity] if isinstance(reply, Critique) else [reply]
    criticisms = dict(zip(names, scored, strict=True))
    low = [name for name, criticism in criticisms.items() if criticism.score < threshold]
    if low:
        worst = min(low, key=lambda name: criticisms[name].score)
        words = "; ".join(f"{name} {criticisms[name].score}: {criticisms[name].reason}" for name in low)
        return candidate.rejected(STAGE, f"low_{worst}", words)
    for prompt in asked:
        candidate = candidate.grown(Step(stage=STAGE, prompt=prompt.id, model=llm.model))
    return candidate.model_copy(update={"scores": {name: found.score for name, found in criticisms.items()}})
