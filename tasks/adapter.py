"""An adapter trained on the examples of a split test set."""

from dataclasses import dataclass

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.dataset.relevance.qrels import gold_of
from ragset.evaluation.effect.model import Effect
from ragset.training.adapter import TrainedAdapter
from ragset.training.adapter_data import AdapterData
from ragset.training.examples import ExampleSet
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
