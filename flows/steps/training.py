"""Prepares a training: the dataset is read, its documents are indexed, and examples are made of its train side."""

from dataclasses import dataclass

from prefect import get_run_logger

from flows.parameters.models import TrainingParameters
from ragset.training.examples import ExampleSet
from tasks.index import IndexFile, index_corpus
from tasks.run.caching import digest
from tasks.run.models import Account
from tasks.training import TrainingSet, mine_examples, read_training_set


@dataclass(frozen=True)
class TrainingRun:
    """What a training works with."""

    training: TrainingSet
    index: IndexFile
    examples: ExampleSet
    account: Account


async def prepare_training(asked: TrainingParameters) -> TrainingRun:
    """Read the dataset, index its documents, and make the examples of its train side.

    Raises:
        InputError: the dataset is not split.
    """
    training = await read_training_set(asked.dataset, asked.needs)
    account = Account(run=digest(["training", training.corpus.hash, asked.chunking, asked.embedding]))
    index = await index_corpus(training.corpus, asked.chunking, asked.embedding, account)
    examples = await mine_examples(training, index, asked.negatives, account)
    for reason, number in examples.left_out.items():
        get_run_logger().warning("%d goldens make no example: %s", number, reason)
    return TrainingRun(training, index, examples, account)
