"""The stages of a golden that needs several chunks."""

from collections.abc import Sequence

from ragset.generation.checks import STANDARD, CheckSettings
from ragset.generation.personas import NO_SAMPLES
from ragset.generation.pipelines.shared import (
    closing_the_book,
    critiquing,
    drafted_in,
    evolver,
    evolving,
    finding,
    language_of,
    scoring,
    screening,
    used,
    voiced,
)
from ragset.generation.pipelines.stage import Models, Outcome, Prompts, Stage, known
from ragset.generation.query_samples import Samples
from ragset.generation.stages.answer import CONTEXT_PROMPT, answer_from_context, answer_query
from ragset.generation.stages.answer import PROMPT as ANSWER
from ragset.generation.stages.draft import SHAPE_PROMPT, SHAPES, STYLES, draft_context_query, draft_query
from ragset.generation.stages.evolve import EVOLUTIONS, MULTI_CONTEXT, NONE, chain, evolve_into_context, evolve_query
from ragset.generation.stages.judge_chunk import PROMPT as JUDGE
from ragset.generation.stages.judge_chunk import judge_context
from ragset.generation.stages.necessity import (
    NECESSITY,
    NECESSITY_PROMPT,
    RELEVANT,
    RELEVANT_PROMPT,
    keep_relevant,
    leave_one_out,
)
from ragset.generation.stages.split_query import PROMPT as SPLIT
from ragset.generation.stages.split_query import split_query
from ragset.generation.weighted_choice import choose
from ragset.models import Candidate, Reject
from ragset.settings import ContextWritingSettings


def multi_chunk(
    writing: ContextWritingSettings,
    min_chunks: int,
    seed: int,
    checks: CheckSettings = STANDARD,
    samples: Samples = NO_SAMPLES,
) -> tuple[Stage, ...]:
    """The stages of a golden that needs several chunks, `min_chunks` or more.

    `samples` are the queries of the file that `writing` names.
    A candidate of the evolution `multi_context` is drafted from its first chunk alone, and evolves into one of two.
    What turns out to need one chunk is kept or dropped as `writing` says.

    Raises:
        InputError: a shape or an evolution that there is none of.
    """
    known("shapes", writing.shapes, SHAPES)
    evolutions = known("evolutions", writing.evolutions, (*EVOLUTIONS, MULTI_CONTEXT, NONE))

    def chained(candidate: Candidate) -> tuple[str, ...]:
        first = candidate.metadata["seed"]
        return chain(writing.evolutions, writing.depth, compress=writing.compress, seed=seed, case=first)

    def widens(candidate: Candidate) -> bool:
        return chained(candidate)[:1] == (MULTI_CONTEXT,)

    def settled(outcome: Candidate | Reject, stage: str) -> Candidate | Reject:
        """The rule about candidates that need too few chunks."""
        if isinstance(outcome, Reject) or len(outcome.chunks) >= min_chunks:
            return outcome
        if len(outcome.chunks) == 1 and writing.single == "keep":
            # A shape tells how several chunks are needed.
            told = {name: value for name, value in outcome.metadata.items() if name not in {"shape", "wished"}}
            return outcome.model_copy(update={"metadata": told})
        why = "; ".join(f"{left['chunk']}: {left['reason']}" for left in outcome.metadata.get("left_out", []))
        return outcome.rejected(stage, "needs_too_few_chunks", why)

    async def judge(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        return await judge_context(candidate, prompts[JUDGE], models.critic, min_chunks=min_chunks)

    async def draft(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        first = candidate.chunks[0].id
        candidate = candidate.model_copy(update={"metadata": {**candidate.metadata, "seed": first}})
        voice = voiced(candidate, models, writing, samples, seed)
        if widens(candidate):
            alone = candidate.model_copy(update={"chunks": candidate.chunks[:1], "spare": candidate.chunks[1:]})
            return await draft_query(
                alone,
                prompts[STYLES["open"]],
                models.generator,
                style="open",
                language=language_of(candidate, prompts, writing),
                voice=voice,
            )
        shape = choose(writing.shapes, seed, "shape", first)
        return await draft_context_query(
            candidate,
            prompts[SHAPE_PROMPT],
            models.generator,
            shape=shape,
            language=language_of(candidate, prompts, writing),
            voice=voice,
        )

    async def split(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome | Sequence[Outcome]:
        parts = await split_query(
            candidate, prompts[SPLIT], models.generator, language=language_of(candidate, prompts, writing)
        )
        if isinstance(parts, Reject):
            return parts
        widened = widens(candidate)
        return [part if widened and part.spare else settled(part, "split") for part in parts]

    async def evolve(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        voice = drafted_in(candidate, models, writing, samples)
        way = evolver(prompts, models, checks, language_of(candidate, prompts, writing), voice)
        kinds = chained(candidate)
        if not widens(candidate):
            return await evolve_query(candidate, way, kinds)
        if len(candidate.chunks) == 1 and candidate.spare:
            wider = settled(await evolve_into_context(candidate, way, kinds), "evolve")
            if isinstance(wider, Reject):
                return wider
            candidate = wider
        return await evolve_query(candidate, way, kinds, done=1)

    async def relevant(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        return settled(await keep_relevant(candidate, prompts[RELEVANT_PROMPT], models.critic), RELEVANT)

    async def necessity(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        return settled(await leave_one_out(candidate, prompts[NECESSITY_PROMPT], models.critic), NECESSITY)

    async def answer(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        if len(candidate.chunks) == 1:
            return await answer_query(candidate, prompts[ANSWER], models.generator)
        return await answer_from_context(candidate, prompts[CONTEXT_PROMPT], models.generator)

    drafting = (SHAPE_PROMPT, STYLES["open"]) if MULTI_CONTEXT in evolutions else (SHAPE_PROMPT,)
    answering = (CONTEXT_PROMPT, ANSWER) if writing.single == "keep" else (CONTEXT_PROMPT,)
    stages = [
        *([Stage("judge", (JUDGE,), judge)] if checks.judge_chunks else []),
        *scoring(checks),
        Stage("draft", drafting, draft),
        Stage("split", (SPLIT,), split),
        *screening(checks, writing, samples),
        *evolving(used(evolutions, compress=writing.compress), checks, evolve),
        Stage(RELEVANT, (RELEVANT_PROMPT,), relevant),
        Stage(NECESSITY, (NECESSITY_PROMPT,), necessity),
        Stage("answer", answering, answer),
        critiquing(writing),
        *finding(checks),
        *closing_the_book(checks),
    ]
    return tuple(stage for stage in stages if writing.necessity or stage.name != NECESSITY)
