"""Adapters and rerankers, trained on the examples of a split test set and measured on its test side."""

from collections.abc import Sequence
from dataclasses import dataclass

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.dataset.relevance.qrels import gold_of
from ragset.evaluation.effect.model import Effect
from ragset.evaluation.results.model import Run
from ragset.models import Golden, Model
from ragset.retrieval.learned_reranker import LearnedReranker
from ragset.retrieval.search import retrieve
from ragset.retrieval.stores import open_store
from ragset.settings import Environment, RetrievalSettings
from ragset.training.adapter import AdapterData, TrainedAdapter
from ragset.training.early_stop import relevant_rows
from ragset.training.examples import ExampleSet
from ragset.training.reranker import RerankerTraining, Searched, TrainedReranker, choices_of
from tasks.effect import measure_training
from tasks.index import IndexFile
from tasks.run.caching import RETRIED
from tasks.run.models import Account, embedding
from tasks.run.threads import in_thread
from tasks.training import TrainingSet


@dataclass(frozen=True)
class FittedAdapter:
    """An adapter, and what it did."""

    trained: TrainedAdapter
    effect: Effect


@task(task_run_name="train an adapter on {training.dataset}", cache_policy=NO_CACHE, persist_result=False, **RETRIED)
async def fit_adapter(
    training: TrainingSet, index: IndexFile, made: ExampleSet, seed: int, account: Account
) -> FittedAdapter:
    """`ragset.training.adapter.train_adapter`, and its effect on the test side."""
    async with embedding(index.embedded_by, account, queries=True) as embedder:

        def prepare() -> AdapterData:
            sides = training.sides
            gold = gold_of(sides.validation, training.corpus.open())
            return AdapterData.of(made.examples, sides, gold, index.open(), embedder.embed, seed)

        data = await in_thread(prepare)
    trained = await in_thread(data.fit)
    stop = trained.stop
    get_run_logger().info("adapter: %s", stop.told)
    effect = await measure_training(
        training,
        index,
        changed="adapter",
        before=data.retrieve(None),
        after=data.retrieve(trained.matrix),
        trained_with=data.train.goldens,
        fit=lambda part: data.retrieve(data.fit(part).matrix),
        validation=stop.validation,
        seed=seed,
    )
    return FittedAdapter(trained, effect)


class FittedReranker(Model):
    """A reranker, and what it did."""

    reranker: LearnedReranker | None
    """None: it was no better than the order of retrieval."""
    effect: Effect


@task(task_run_name="train a reranker on {training.dataset}", cache_policy=NO_CACHE, **RETRIED)
async def fit_reranker(
    training: TrainingSet,
    index: IndexFile,
    made: ExampleSet,
    retrieval: RetrievalSettings,
    retrieved: int,
    language: str | None,
    seed: int,
    account: Account,
) -> FittedReranker:
    """`RerankerTraining.train`, and its effect on the test side."""
    spoken = language or training.corpus.language or "en"
    async with embedding(index.embedded_by, account, queries=True) as embedder:

        def prepare() -> tuple[RerankerTraining, Searched]:
            opened, validation = index.open(), [golden for golden in training.sides.validation if golden.evidence]
            with open_store(Environment()) as store:
                store.load(opened.collection)

                def search(goldens: Sequence[Golden]) -> Searched:
                    queries = [golden.query for golden in goldens]
                    vectors = embedder.embed(queries)
                    found = retrieve(opened, store, queries, vectors, retrieval, retrieved)
                    return Searched.of(opened, queries, vectors, found, spoken)

                gold = gold_of(validation, training.corpus.open())
                examples = made.examples
                prepared = RerankerTraining(
                    choices_of(examples, opened, embedder.embed([one.query for one in examples]), spoken),
                    search(validation),
                    relevant_rows(validation, gold, opened),
                    opened.rows,
                )
                return prepared, search(training.sides.test)

        prepared, searched = await in_thread(prepare)
    goldens = frozenset(one.golden for one in made.examples)
    trained = await in_thread(prepared.train, goldens)
    get_run_logger().info("reranker: %s", trained.stop.told)

    def after(trained: TrainedReranker) -> Run:
        hits = searched.reranked(trained.weights) if trained.weights else searched.found
        return {golden.id: tuple(of) for golden, of in zip(training.sides.test, hits, strict=True)}

    effect = await measure_training(
        training,
        index,
        changed="reranker",
        before={golden.id: tuple(of) for golden, of in zip(training.sides.test, searched.found, strict=True)},
        after=after(trained),
        trained_with=sorted(goldens),
        fit=lambda part: after(prepared.train(part)),
        validation=trained.stop.validation,
        seed=seed,
    )
    kept = trained.weights and LearnedReranker(embedding=index.embedding, language=spoken, weights=trained.weights)
    return FittedReranker(reranker=kept, effect=effect)
