"""The stages that a chunk or a context goes through to become a golden, in order, with what each asks of which model.

The filter comes first, since it is the cheapest; the critique comes last, on the final text.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ragset.answer import CONTEXT_PROMPT, answer_from_context, answer_query
from ragset.answer import PROMPT as ANSWER
from ragset.critique import SEPARATE, TOGETHER, critique_golden
from ragset.draft import SHAPE_PROMPT, SHAPES, STYLES, draft_context_query, draft_query
from ragset.errors import InputError
from ragset.evolve import EVOLUTIONS, MULTI_CONTEXT, MULTI_CONTEXT_PROMPT, NONE, evolve_into_context, evolve_query
from ragset.judge import PROMPT as JUDGE
from ragset.judge import judge_chunk, judge_context
from ragset.llm.protocol import LLM
from ragset.mix import choose
from ragset.models import Candidate, Reject
from ragset.necessity import (
    NECESSITY,
    NECESSITY_PROMPT,
    RELEVANT,
    RELEVANT_PROMPT,
    keep_relevant,
    leave_one_out,
)
from ragset.prompt import Prompt
from ragset.settings import ContextWritingSettings, WritingSettings
from ragset.split import PROMPT as SPLIT
from ragset.split import split_query

Outcome = Candidate | Reject
Prompts = Mapping[str, Prompt]
Run = Callable[[Candidate, Prompts, LLM], Awaitable[Outcome | Sequence[Outcome]]]


@dataclass(frozen=True)
class Stage:
    """One step of the recipe over one candidate."""

    name: str
    role: Literal["generator", "critic"]
    """Who is asked."""
    prompts: tuple[str, ...]
    """Names of the prompt files that the stage may use."""
    run: Run
    """What becomes of a candidate: one, a reject, or several of both where it is split."""


def single_chunk(writing: WritingSettings, seed: int) -> tuple[Stage, ...]:
    """The stages of a golden that one chunk answers.

    Which style and which evolution a chunk gets is drawn from `seed` and the chunk's id, so it does not depend on
    the order in which batches come back.

    Raises:
        InputError: a style or an evolution that there is none of.
    """
    styles = _known("styles", writing.styles, tuple(STYLES))

    async def judge(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        return await judge_chunk(candidate, prompts[JUDGE], llm)

    async def draft(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        style = choose(writing.styles, seed, "style", candidate.chunks[0].id)
        return await draft_query(candidate, prompts[STYLES[style]], llm, style=style, language=writing.language)

    async def evolve(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        kind = choose(writing.evolutions, seed, "evolution", candidate.chunks[0].id)
        return await _evolved(candidate, prompts, llm, kind, writing.language)

    async def answer(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        return await answer_query(candidate, prompts[ANSWER], llm)

    return (
        Stage("judge", "critic", (JUDGE,), judge),
        Stage("draft", "generator", tuple(STYLES[style] for style in styles), draft),
        *_evolving(_known("evolutions", writing.evolutions, (*EVOLUTIONS, NONE)), evolve),
        Stage("answer", "generator", (ANSWER,), answer),
        _critique(writing),
    )


def multi_chunk(writing: ContextWritingSettings, min_chunks: int, seed: int) -> tuple[Stage, ...]:
    """The stages of a golden that needs several chunks, `min_chunks` or more.

    A candidate of the evolution `multi_context` is drafted from its first chunk alone, and evolves into one of two.
    What turns out to need one chunk is kept or dropped as `writing` says.

    Raises:
        InputError: a shape or an evolution that there is none of.
    """
    _known("shapes", writing.shapes, SHAPES)
    evolutions = _known("evolutions", writing.evolutions, (*EVOLUTIONS, MULTI_CONTEXT, NONE))

    def evolution(candidate: Candidate) -> str:
        return choose(writing.evolutions or {NONE: 1.0}, seed, "evolution", candidate.metadata["seed"])

    def settled(outcome: Candidate | Reject, stage: str) -> Candidate | Reject:
        """The rule about candidates that need too few chunks."""
        if isinstance(outcome, Reject) or len(outcome.chunks) >= min_chunks:
            return outcome
        if len(outcome.chunks) == 1 and writing.single == "keep":
            return outcome
        told = "; ".join(f"{left['chunk']}: {left['reason']}" for left in outcome.metadata.get("left_out", []))
        return outcome.rejected(stage, "needs_too_few_chunks", told)

    async def judge(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        return await judge_context(candidate, prompts[JUDGE], llm, min_chunks=min_chunks)

    async def draft(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        first = candidate.chunks[0].id
        candidate = candidate.model_copy(update={"metadata": {**candidate.metadata, "seed": first}})
        if evolution(candidate) == MULTI_CONTEXT:
            alone = candidate.model_copy(update={"chunks": candidate.chunks[:1], "spare": candidate.chunks[1:]})
            return await draft_query(alone, prompts[STYLES["open"]], llm, style="open", language=writing.language)
        shape = choose(writing.shapes, seed, "shape", first)
        return await draft_context_query(candidate, prompts[SHAPE_PROMPT], llm, shape=shape, language=writing.language)

    async def split(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome | Sequence[Outcome]:
        parts = await split_query(candidate, prompts[SPLIT], llm, language=writing.language)
        if isinstance(parts, Reject):
            return parts
        widened = evolution(candidate) == MULTI_CONTEXT
        return [part if widened and part.spare else settled(part, "split") for part in parts]

    async def evolve(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        kind = evolution(candidate)
        if kind == MULTI_CONTEXT and len(candidate.chunks) == 1 and candidate.spare:
            prompt = prompts[MULTI_CONTEXT_PROMPT]
            return settled(await evolve_into_context(candidate, prompt, llm, language=writing.language), "evolve")
        return await _evolved(candidate, prompts, llm, NONE if kind == MULTI_CONTEXT else kind, writing.language)

    async def relevant(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        return settled(await keep_relevant(candidate, prompts[RELEVANT_PROMPT], llm), RELEVANT)

    async def necessity(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        return settled(await leave_one_out(candidate, prompts[NECESSITY_PROMPT], llm), NECESSITY)

    async def answer(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        if len(candidate.chunks) == 1:
            return await answer_query(candidate, prompts[ANSWER], llm)
        return await answer_from_context(candidate, prompts[CONTEXT_PROMPT], llm)

    drafting = (SHAPE_PROMPT, STYLES["open"]) if MULTI_CONTEXT in evolutions else (SHAPE_PROMPT,)
    answering = (CONTEXT_PROMPT, ANSWER) if writing.single == "keep" else (CONTEXT_PROMPT,)
    stages = [
        Stage("judge", "critic", (JUDGE,), judge),
        Stage("draft", "generator", drafting, draft),
        Stage("split", "generator", (SPLIT,), split),
        *_evolving(evolutions, evolve),
        Stage(RELEVANT, "critic", (RELEVANT_PROMPT,), relevant),
        Stage(NECESSITY, "critic", (NECESSITY_PROMPT,), necessity),
        Stage("answer", "generator", answering, answer),
        _critique(writing),
    ]
    return tuple(stage for stage in stages if writing.necessity or stage.name != NECESSITY)


def several(outcome: Outcome | Sequence[Outcome]) -> Sequence[Outcome]:
    """What a stage made of a candidate, as a sequence."""
    return [outcome] if isinstance(outcome, Candidate | Reject) else outcome


async def _evolved(candidate: Candidate, prompts: Prompts, llm: LLM, kind: str, language: str) -> Outcome:
    if kind == NONE:
        return candidate.model_copy(update={"metadata": {**candidate.metadata, "evolution": NONE}})
    return await evolve_query(candidate, prompts[EVOLUTIONS[kind]], llm, kind=kind, language=language)


def _evolving(evolutions: Sequence[str], run: Run) -> tuple[Stage, ...]:
    """The stage, where there is anything to evolve by."""
    ways = {**EVOLUTIONS, MULTI_CONTEXT: MULTI_CONTEXT_PROMPT}
    used = tuple(ways[kind] for kind in evolutions if kind != NONE)
    return (Stage("evolve", "generator", used, run),) if used else ()


def _critique(writing: WritingSettings | ContextWritingSettings) -> Stage:
    async def critique(candidate: Candidate, prompts: Prompts, llm: LLM) -> Outcome:
        return await critique_golden(candidate, prompts, llm, audience=writing.audience, threshold=writing.threshold)

    return Stage("critique", "critic", tuple(SEPARATE.values()) if writing.separate else (TOGETHER,), critique)


def _known(field: str, weights: Mapping[str, float], kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Those of `kinds` with a weight above 0."""
    unknown = sorted(set(weights) - set(kinds))
    if unknown:
        raise InputError(f"{field}: there is no {', '.join(unknown)}; choose from {', '.join(kinds)}")
    return tuple(kind for kind in kinds if weights.get(kind, 0) > 0)
