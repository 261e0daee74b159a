"""The stages that a chunk goes through to become a golden, in order, with what each asks of which model.

The filter comes first, since it is the cheapest; the critique comes last, on the final text.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from ragset.answer import answer_query
from ragset.critique import SEPARATE, TOGETHER, critique_golden
from ragset.draft import STYLES, draft_query
from ragset.errors import InputError
from ragset.evolve import EVOLUTIONS, NONE, evolve_query
from ragset.judge import judge_chunk
from ragset.llm.protocol import LLM
from ragset.mix import choose
from ragset.models import Candidate, Reject
from ragset.prompt import Prompt
from ragset.settings import WritingSettings

Outcome = Candidate | Reject
Prompts = Mapping[str, Prompt]


@dataclass(frozen=True)
class Stage:
    """One step of the recipe over one candidate."""

    name: str
    role: Literal["generator", "critic"]
    """Who is asked."""
    prompts: tuple[str, ...]
    """Names of the prompt files that the stage may use."""
    run: Callable[[Candidate, Prompts, LLM], Awaitable[Outcome]]


def single_chunk(writing: WritingSettings, seed: int) -> tuple[Stage, ...]:
    """The stages of a golden that one chunk answers.

    Which style and which evolution a chunk gets is drawn from `seed` and the chunk's id, so it does not depend on
    the order in which batches come back.

    Raises:
        InputError: a style or an evolution that there is none of.
    """
    styles = _known("styles", writing.styles, tuple(STYLES))
    evolutions = _known("evolutions", writing.evolutions, (*EVOLUTIONS, NONE))

    async def judge(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        return await judge_chunk(candidate, prompts["judge_chunk"], llm)

    async def draft(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        style = choose(writing.styles, seed, "style", candidate.chunks[0].id)
        return await draft_query(candidate, prompts[STYLES[style]], llm, style=style, language=writing.language)

    async def evolve(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        kind = choose(writing.evolutions, seed, "evolution", candidate.chunks[0].id)
        if kind == NONE:
            return candidate.model_copy(update={"metadata": {**candidate.metadata, "evolution": NONE}})
        return await evolve_query(candidate, prompts[EVOLUTIONS[kind]], llm, kind=kind, language=writing.language)

    async def answer(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        return await answer_query(candidate, prompts["answer_query"], llm)

    async def critique(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        return await critique_golden(candidate, prompts, llm, audience=writing.audience, threshold=writing.threshold)

    stages = [
        Stage("judge", "critic", ("judge_chunk",), judge),
        Stage("draft", "generator", tuple(STYLES[style] for style in styles), draft),
    ]
    if any(kind != NONE for kind in evolutions):
        used = tuple(EVOLUTIONS[kind] for kind in evolutions if kind != NONE)
        stages.append(Stage("evolve", "generator", used, evolve))
    stages += [
        Stage("answer", "generator", ("answer_query",), answer),
        Stage("critique", "critic", tuple(SEPARATE.values()) if writing.separate else (TOGETHER,), critique),
    ]
    return tuple(stages)


def _known(field: str, weights: Mapping[str, float], kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Those of `kinds` with a weight above 0."""
    unknown = sorted(set(weights) - set(kinds))
    if unknown:
        raise InputError(f"{field}: there is no {', '.join(unknown)}; choose from {', '.join(kinds)}")
    return tuple(kind for kind in kinds if weights.get(kind, 0) > 0)
