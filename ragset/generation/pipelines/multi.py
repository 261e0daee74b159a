"""The stages of a golden that needs several chunks."""

from collections.abc import Sequence

from ragset.generation.checks import STANDARD, CheckSettings
from ragset.generation.evolutions import MULTI_CONTEXT
from ragset.generation.personas import NO_SAMPLES
from ragset.generation.pipelines.checks import checks_of
from ragset.generation.pipelines.shared import chain_of, critiquing, evolver, evolving
from ragset.generation.pipelines.stage import Asks, Models, Outcome, Prompts, Setup, Stage, shares
from ragset.generation.query_samples import Samples
from ragset.generation.stages import answer, draft, necessity, split_query
from ragset.generation.stages.evolve import STAGE as EVOLVE
from ragset.generation.stages.evolve import evolve_into_context, evolve_query
from ragset.generation.styles import OPEN, SHAPE_PROMPT, SHAPES, STYLES
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
    """The stages of a golden that needs `min_chunks` chunks or more; `samples` are the queries that `writing` names.

    A candidate of the evolution `multi_context` is drafted from its first chunk alone, and evolves into one of two.

    Raises:
        InputError: a shape or an evolution that there is none of.
    """
    setup = Setup(writing, checks, seed, samples, min_chunks)
    stages = _ContextStages(setup, writing)
    return (
        *checks_of("chunk", setup),
        stages.drafting(),
        Stage(split_query.STAGE, (Asks(split_query.PROMPT, "generator", 0.2),), stages.split),
        *checks_of("query", setup),
        *evolving(setup, stages.evolve),
        Stage(necessity.RELEVANT, (Asks(necessity.RELEVANT_PROMPT, "critic"),), stages.relevant),
        *stages.testing_necessity(),
        stages.answering(),
        critiquing(setup),
        *checks_of("golden", setup),
    )


class _ContextStages:
    """What the stages do that only this pipeline has."""

    def __init__(self, setup: Setup, writing: ContextWritingSettings) -> None:
        self._setup = setup
        self._writing = writing

    def drafting(self) -> Stage:
        shares("shapes", self._writing.shapes, SHAPES.names())
        asks = [Asks(SHAPE_PROMPT, "generator")]
        if self._writing.evolutions.get(MULTI_CONTEXT):
            asks.append(Asks(STYLES[OPEN].prompt, "generator", 0))
        return Stage(draft.STAGE, tuple(asks), self.draft)

    def testing_necessity(self) -> list[Stage]:
        asks = (Asks(necessity.NECESSITY_PROMPT, "critic"),)
        stage = Stage(necessity.NECESSITY, asks, self.necessity, per_chunk=True)
        return [stage] if self._writing.necessity else []

    def answering(self) -> Stage:
        asks = [Asks(answer.CONTEXT_PROMPT, "generator")]
        if self._writing.single == "keep":
            asks.append(Asks(answer.PROMPT, "generator", 0))
        return Stage(answer.STAGE, tuple(asks), self.answer)

    async def draft(self, candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        first, llm = candidate.chunks[0].id, models.generator
        candidate = candidate.model_copy(update={"metadata": {**candidate.metadata, "seed": first}})
        writing_style = self._setup.drawn_style(candidate, models)
        language = self._setup.language_of(candidate, prompts)
        if self._widens(candidate):
            alone = candidate.model_copy(update={"chunks": candidate.chunks[:1], "spare": candidate.chunks[1:]})
            prompt = prompts[STYLES[OPEN].prompt]
            return await draft.draft_query(
                alone, prompt, llm, style=OPEN, language=language, writing_style=writing_style
            )
        shape = choose(self._writing.shapes, self._setup.seed, "shape", first)
        return await draft.draft_context_query(
            candidate, prompts[SHAPE_PROMPT], llm, shape=shape, language=language, writing_style=writing_style
        )

    async def split(self, candidate: Candidate, prompts: Prompts, models: Models) -> Outcome | Sequence[Outcome]:
        language = self._setup.language_of(candidate, prompts)
        parts = await split_query.split_query(
            candidate, prompts[split_query.PROMPT], models.generator, language=language
        )
        if isinstance(parts, Reject):
            return parts
        widens = self._widens(candidate)
        return [part if widens and part.spare else self._enough(part, split_query.STAGE) for part in parts]

    async def evolve(self, candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        evolves = evolver(self._setup, candidate, prompts, models)
        kinds = self._chain(candidate)
        if not self._widens(candidate):
            return await evolve_query(candidate, evolves, kinds)
        if len(candidate.chunks) == 1 and candidate.spare:
            wider = self._enough(await evolve_into_context(candidate, evolves, kinds), EVOLVE)
            if isinstance(wider, Reject):
                return wider
            candidate = wider
        return await evolve_query(candidate, evolves, kinds, done=1)

    async def relevant(self, candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        prompt = prompts[necessity.RELEVANT_PROMPT]
        return self._enough(await necessity.keep_relevant(candidate, prompt, models.critic), necessity.RELEVANT)

    async def necessity(self, candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        prompt = prompts[necessity.NECESSITY_PROMPT]
        return self._enough(await necessity.leave_one_out(candidate, prompt, models.critic), necessity.NECESSITY)

    async def answer(self, candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        if len(candidate.chunks) == 1:
            return await answer.answer_query(candidate, prompts[answer.PROMPT], models.generator)
        return await answer.answer_from_context(candidate, prompts[answer.CONTEXT_PROMPT], models.generator)

    def _chain(self, candidate: Candidate) -> tuple[str, ...]:
        return chain_of(self._setup, candidate.metadata["seed"])

    def _widens(self, candidate: Candidate) -> bool:
        return self._chain(candidate)[:1] == (MULTI_CONTEXT,)

    def _enough(self, outcome: Outcome, stage: str) -> Outcome:
        """The outcome, unless its query needs too few chunks: such a candidate is kept or rejected as the settings say."""
        if isinstance(outcome, Reject) or len(outcome.chunks) >= self._setup.min_chunks:
            return outcome
        if len(outcome.chunks) == 1 and self._writing.single == "keep":
            # A shape tells how several chunks are needed.
            metadata = {name: value for name, value in outcome.metadata.items() if name not in {"shape", "wished"}}
            return outcome.model_copy(update={"metadata": metadata})
        why = "; ".join(f"{left['chunk']}: {left['reason']}" for left in outcome.metadata.get("left_out", []))
        return outcome.rejected(stage, "needs_too_few_chunks", why)
