"""A split test set, and the training examples of its train side."""

from collections.abc import Sequence
from pathlib import Path

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.dataset import read_manifest
from ragset.dataset.manifest import MANIFEST
from ragset.dataset.relevance.qrels import gold_of
from ragset.models import Golden, Model
from ragset.retrieval.stores import open_store
from ragset.settings import Environment
from ragset.training.examples import ExampleSet, make_examples
from ragset.training.held_out import By, HeldOut
from ragset.training.negatives import NegativeSettings, Ranking
from ragset.training.rankings import rank_queries
from ragset.training.sides import Side, Sides, sides_of
from tasks.documents import CorpusFile
from tasks.goldens import read_test_set
from tasks.index import IndexFile
from tasks.run.caching import RETRIED
from tasks.run.models import Account, embedding
from tasks.run.threads import in_thread


class TrainingSet(Model):
    """The goldens of a split test set."""

    dataset: str
    """The name of its folder."""
    by: By
    """Whether no document, or no evidence alone, is on two sides."""
    train: tuple[Golden, ...]
    validation: tuple[Golden, ...]
    test: tuple[Golden, ...]
    corpus: CorpusFile

    @property
    def sides(self) -> Sides:
        """The goldens by side."""
        return Sides(self.train, self.validation, self.test)


async def read_training_set(dataset: str, needed: Sequence[Side]) -> TrainingSet:
    """The goldens of a dataset by side; raises InputError if a side that is `needed` has none."""
    found = await read_test_set((dataset,), None)
    sides = sides_of(found.goldens, dataset, needed)
    return TrainingSet(dataset=found.datasets[0], by=split_by(Path(dataset)), corpus=found.corpus, **sides._asdict())


def split_by(folder: Path) -> By:
    """What the sides of a dataset share nothing of: evidence alone, where it does not say."""
    split = read_manifest(folder).split if (folder / MANIFEST).is_file() else None
    return split.by if split else "evidence"


@task(task_run_name="mine negatives from {index.chunks} chunks", cache_policy=NO_CACHE, **RETRIED)
async def mine_examples(
    training: TrainingSet, index: IndexFile, settings: NegativeSettings, account: Account
) -> ExampleSet:
    """`ragset.training.examples.make_examples` of the train side over an index."""
    async with embedding(index.embedded_by, account, queries=True) as embedder:

        def mine() -> ExampleSet:
            opened, sides = index.open(), training.sides
            gold = gold_of((*sides.train, *sides.held_out), training.corpus.open())
            held_out = HeldOut.of(sides.held_out, gold, training.by)
            with open_store(Environment()) as store:
                store.load(opened.collection)

                def rank(queries: Sequence[str], positives: Sequence[Sequence[str]]) -> list[list[Ranking]]:
                    return rank_queries(opened, store, queries, embedder.embed(queries), positives)

                return make_examples(sides.train, gold, opened.ids, held_out, rank, settings)

        made = await in_thread(mine)
    log = get_run_logger()
    log.info("%d examples of %d goldens for training", len(made.examples), len(training.train))
    return made
