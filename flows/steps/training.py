"""Prepares a training: the dataset is read, its documents are indexed, and examples are made of its train side."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from prefect import get_run_logger

from flows.parameters.models import TrainingParameters
from ragset.dataset.swap import claimed
from ragset.settings import Budget
from ragset.training.examples import ExampleSet
from tasks.index import IndexFile, index_corpus
from tasks.run.caching import digest
from tasks.run.models import Account, connected
from tasks.training import TrainingSet, mine_examples, read_training_set


@dataclass(frozen=True)
class TrainingRun:
    """What a training works with."""

    training: TrainingSet
    index: IndexFile
    examples: ExampleSet
    account: Account


@asynccontextmanager
async def training_run(asked: TrainingParameters) -> AsyncGenerator[TrainingRun]:
    """The dataset read, its documents indexed, and the examples of its train side made; the folder is claimed while the block runs.

    Raises:
        InputError: the dataset is not split.
    """
    with claimed(Path(asked.out)):
        async with connected((), Budget(), [asked.embedding]):
            yield await _prepare(asked)


async def _prepare(asked: TrainingParameters) -> TrainingRun:
    training = await read_training_set(asked.dataset, asked.needs)
    account = Account(run=digest(["training", training.corpus.hash, asked.chunking, asked.embedding]))
    index = await index_corpus(training.corpus, asked.chunking, asked.embedding, account)
    examples = await mine_examples(training, index, asked.negatives, account)
    for reason, number in examples.left_out.items():
        get_run_logger().warning("%d goldens make no example: %s", number, reason)
    return TrainingRun(training, index, examples, account)
