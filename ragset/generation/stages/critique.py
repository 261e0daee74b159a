"""The last word on a golden: is its answer grounded, is its query relevant, does it stand alone?"""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from ragset.llm.ask import Unfit, ask
from ragset.llm.gather import gather_all
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import Criticism, Critique
from ragset.models import Candidate, Reject, Step

STAGE = "critique"

R = TypeVar("R", Critique, Criticism)

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
    grounded: the scores of its query are asked for, each in a call of its own.

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    inputs: dict[str, Any] = {
        "audience": audience,
        "chunk": candidate.text,
        "query": candidate.query,
        "answer": candidate.answer,
    }
    if candidate.unanswerable:
        asked = [prompts[SEPARATE[name]] for name in OF_A_QUERY]
        criticisms = await _separately(OF_A_QUERY, asked, inputs, llm)
    elif TOGETHER in prompts:
        asked = [prompts[TOGETHER]]
        whole = await _ask_for(Critique, asked[0], inputs, llm)
        criticisms = (
            whole
            if isinstance(whole, Unfit)
            else {"groundedness": whole.groundedness, "relevance": whole.relevance, "clarity": whole.clarity}
        )
    else:
        asked = [prompts[name] for name in SEPARATE.values()]
        criticisms = await _separately(SEPARATE, asked, inputs, llm)
    if isinstance(criticisms, Unfit):
        return candidate.rejected(STAGE, criticisms.reason, criticisms.detail)
    low = [name for name, criticism in criticisms.items() if criticism.score < threshold]
    if low:
        worst = min(low, key=lambda name: criticisms[name].score)
        words = "; ".join(f"{name} {criticisms[name].score}: {criticisms[name].reason}" for name in low)
        return candidate.rejected(STAGE, f"low_{worst}", words)
    grown = candidate
    for prompt in asked:
        grown = grown.grown(Step(stage=STAGE, prompt=prompt.id, model=llm.model))
    return grown.model_copy(update={"scores": {name: found.score for name, found in criticisms.items()}})


async def _separately(
    names: Iterable[str], prompts: list[Prompt], inputs: Mapping[str, Any], llm: LLM
) -> dict[str, Criticism] | Unfit:
    replies = await gather_all(*(_ask_for(Criticism, prompt, inputs, llm) for prompt in prompts))
    criticisms: dict[str, Criticism] = {}
    for name, reply in zip(names, replies, strict=True):
        if isinstance(reply, Unfit):
            return reply
        criticisms[name] = reply
    return criticisms


async def _ask_for(reply: type[R], prompt: Prompt, inputs: Mapping[str, Any], llm: LLM) -> R | Unfit:
    needed = {name: inputs[name] for name in prompt.inputs}
    return await ask(llm, prompt, reply, needed, stage=STAGE)
