"""Stages of a pipeline over a batch of candidates, all at once."""

from collections.abc import Sequence
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from typing import Any, Self

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE
from pydantic import Field

from ragset.dataset.duplicates.reworded import PROMPT as SAME_PROMPT
from ragset.errors import BudgetSpent
from ragset.generation.audience import PROMPT as AUDIENCE_PROMPT
from ragset.generation.checks import STANDARD, CheckSettings
from ragset.generation.pipeline import pipeline
from ragset.generation.query_samples import NO_SAMPLES, Samples, read_samples
from ragset.generation.stage import Case, Models, Outcome, Setup, Stage
from ragset.generation.stages.draft import check_style_inputs
from ragset.generation.stages.round_trip import STAGE as FIND
from ragset.generation.stages.round_trip import search_for_evidence
from ragset.llm.endpoint import model_identity, server_of
from ragset.llm.gather import gather_all
from ragset.llm.prompts import Prompt, load_prompt, written_in
from ragset.llm.tracing import about
from ragset.llm.usage import Meter, Metered, Prices, load_prices
from ragset.models import Candidate, Model, Reject, Usage
from ragset.retrieval.embedding import Vectors
from ragset.retrieval.search import IndexSearch
from ragset.retrieval.stores import open_store
from ragset.settings import (
    OFFLINE,
    AnyWriting,
    ContextSettings,
    Environment,
    ModelSettings,
)
from tasks.index import IndexFile
from tasks.run.caching import KEPT_BY_STAGES, RETRIED, keyed_by
from tasks.run.models import Account, asking, embedding
from tasks.run.threads import in_thread


class Batch(Model):
    """Candidates that go through the stages together, in the order of the sample."""

    label: str
    candidates: tuple[Candidate, ...]


class StageResult(Model):
    """What a stage made of a batch; the order is that of the batch, whatever order the replies came in."""

    stage: str
    entered: int
    left: int
    rejects: tuple[Reject, ...] = ()
    usage: tuple[Usage, ...] = ()
    unasked: int = 0  # candidates that went no further because the budget was spent
    embedded: tuple[str, ...] = ()  # queries that were searched for by their embeddings


class BatchResult(Model):
    """What is left of a batch after some stages, and what each of them made of it."""

    batch: Batch
    stages: tuple[StageResult, ...] = ()

    def after(self, stage: str, outcomes: Sequence[Outcome], entered: int, **more: Any) -> "BatchResult":
        """The result with one more stage, whose passed candidates and rejects are told apart; logs how many there are."""
        left = tuple(one for one in outcomes if isinstance(one, Candidate))
        rejects = tuple(one for one in outcomes if isinstance(one, Reject))
        get_run_logger().info("%s %s: %d in, %d out", stage, self.batch.label, entered, len(left))
        result = StageResult(stage=stage, entered=entered, left=len(left), rejects=rejects, **more)
        return BatchResult(batch=Batch(label=self.batch.label, candidates=left), stages=(*self.stages, result))


class Recipe(Model):
    """Everything beside the candidates that decides what becomes of them."""

    writing: AnyWriting
    min_chunks: int = 1  # that an answer needs at least
    max_chunks: int = 4  # that a query may join
    cross_document: bool = False  # whether a query must join chunks of two documents
    checks: CheckSettings = STANDARD
    generator: ModelSettings
    critic: ModelSettings
    seed: int
    server: str = ""  # as `ragset.llm.endpoint.server_of` names it
    prices: Prices = Prices()  # of the models; not part of the outcome, but of its usage
    prompts: dict[str, Prompt] = Field(default_factory=dict)
    samples: Samples = NO_SAMPLES
    portrait: str = ""  # of the audience, by the generator

    @classmethod
    def load(
        cls,
        writing: AnyWriting,
        generator: ModelSettings,
        critic: ModelSettings,
        seed: int,
        contexts: ContextSettings | None = None,
        checks: CheckSettings = STANDARD,
        documents: str = "",
    ) -> Self:
        """The recipe with its sample queries, and with prompts in the language of the queries where there are such.

        Where the `documents` are in another language than the queries, the prompts say so to the model.
        """
        env = Environment()
        joined: dict[str, Any] = contexts.model_dump(include={"min_chunks", "max_chunks"}) if contexts else {}
        joined["cross_document"] = contexts is not None and contexts.spread == "cross-document"
        bare = cls(
            writing=writing,
            **joined,
            checks=checks,
            generator=generator,
            critic=critic,
            seed=seed,
            server=server_of(env.openai_base_url),
            prices=load_prices(env.ragset_prices),
            samples=read_samples(Path(writing.samples)) if writing.samples else NO_SAMPLES,
        )
        compares = {SAME_PROMPT} if checks.duplicates == "semantic" else set[str]()
        portrays = {AUDIENCE_PROMPT} if bare.portrays else set[str]()
        names = sorted({name for stage in bare.stages() for name in stage.prompts} | compares | portrays)
        prompts = {name: load_prompt(name, writing.spoken, env.ragset_prompts) for name in names}
        if documents and writing.language and documents != writing.language:
            prompts = {name: written_in(prompt, writing.language) for name, prompt in prompts.items()}
        check_style_inputs(prompts, writing)
        return bare.model_copy(update={"prompts": prompts})

    @property
    def identity(self) -> dict[str, Any]:
        """What of it decides the outcome: how often and how many at once a model is asked does not."""
        models = zip(Models._fields, self.models, strict=True)
        return {
            **self.model_dump(
                mode="json", include={"min_chunks", "max_chunks", "cross_document", "checks", "seed", "portrait"}
            ),
            "writing": self.writing.model_dump(mode="json", exclude={"samples"}),
            "samples": self.samples.digest,
            "kind": self.kind,
            **{role: model_identity(settings, self.server) for role, settings in models},
            "prompts": sorted(prompt.id for prompt in self.prompts.values()),
        }

    @property
    def setup(self) -> Setup:
        """The settings that the pipeline is built from."""
        joined: dict[str, Any] = {name: getattr(self, name) for name in ("max_chunks", "cross_document", "portrait")}
        return Setup(self.writing, self.checks, self.seed, self.samples, self.min_chunks, **joined)

    @property
    def by_batch(self) -> bool:
        """Whether replies take hours, so that all candidates should go through a stage together."""
        return any(settings.mode == "batch" for settings in self.models)

    @property
    def portrays(self) -> bool:
        """Whether the generator is still to describe the audience: nobody does, and rules cannot."""
        return not (self.writing.audience or self.portrait) and self.generator.model != OFFLINE

    @property
    def kind(self) -> str:
        """Of the goldens, by the settings of their writing."""
        return self.writing.kind

    @property
    def models(self) -> tuple[ModelSettings, ModelSettings, ModelSettings]:
        """Generator, critic and reader, in the order of `Models`; the reader is the generator unless a check names one."""
        return self.generator, self.critic, self.checks.reader(self.generator)

    @property
    def by_rules(self) -> bool:
        """Whether the built-in rules alone make and judge the goldens."""
        return all(settings.model == OFFLINE for settings in self.models)

    def stages(self) -> tuple[Stage, ...]:
        """In order."""
        return pipeline(self.setup)


AND = " + "
"""Between the names of stages that one task takes a batch through."""


@task(
    name="stages",
    task_run_name="{stages} {batch.label}",
    tags=["llm"],
    cache_policy=keyed_by("stages", "batch.candidates", "recipe.identity", "recipe.prices", "account.limits"),
    **KEPT_BY_STAGES,
)
async def ask_stages(stages: str, batch: Batch, recipe: Recipe, account: Account) -> BatchResult:
    """Some stages of `ragset.generation.pipeline`, by their names, over a batch. No candidate waits for another one between two stages."""
    steps = [stage for stage in recipe.stages() if stage.name in stages.split(AND)]
    meters = [Meter(recipe.prices) for _ in steps]
    cases = [
        Case(recipe.setup, recipe.prompts, Models(*(Metered(asking(model, account), meter) for model in recipe.models)))
        for meter in meters
    ]
    made: list[dict[tuple[int, ...], Sequence[Outcome] | None]] = [{} for _ in steps]
    """Of each stage the outcomes, by the places of candidates in what the stages before made of the batch; None: not asked."""

    async def pass_on(candidate: Candidate, *place: int) -> None:
        depth = len(place) - 1
        made[depth][place] = outcomes = await one(steps[depth], candidate, cases[depth])
        if outcomes and len(place) < len(steps):
            passed = ((number, outcome) for number, outcome in enumerate(outcomes) if isinstance(outcome, Candidate))
            await gather_all(*(pass_on(outcome, *place, number) for number, outcome in passed))

    async def one(stage: Stage, candidate: Candidate, case: Case) -> Sequence[Outcome] | None:
        with suppress(BudgetSpent), about(candidate.query, chunks=(chunk.id for chunk in candidate.chunks)):
            return await stage.run(candidate, case)
        return None

    await gather_all(*(pass_on(candidate, number) for number, candidate in enumerate(batch.candidates)))
    result = BatchResult(batch=batch)
    for stage, by_place, meter in zip(steps, made, meters, strict=True):
        ordered = [outcomes for _, outcomes in sorted(by_place.items(), key=itemgetter(0))]
        passed = [outcome for outcomes in ordered for outcome in outcomes or ()]
        result = result.after(stage.name, passed, len(ordered), usage=meter.rows(), unasked=ordered.count(None))
    return result


@task(name="find", task_run_name="find {batch.label}", cache_policy=NO_CACHE, **RETRIED)
async def search_round_trip(index: IndexFile, batch: Batch, checks: CheckSettings, account: Account) -> BatchResult:
    """`ragset.generation.stages.round_trip` over a batch, in its index; not cached, as embeddings are kept anyway."""
    entered = len(batch.candidates)
    embedded: list[str] = []

    def embed(queries: Sequence[str]) -> Vectors:
        vectors = embedder.embed(queries)
        embedded.extend(queries)
        return vectors

    def search() -> list[Candidate | Reject]:
        with open_store(Environment()) as store:
            return search_for_evidence(batch.candidates, IndexSearch(index.open(), store, embed), checks)

    result = BatchResult(batch=batch)
    async with embedding(index.embedded_by, account, queries=True) as embedder:
        try:
            outcomes = await in_thread(search)
        except BudgetSpent:
            return result.after(FIND, (), entered, unasked=entered)
    return result.after(FIND, outcomes, entered, embedded=tuple(embedded))
