"""A split test set, and the training examples of its train side."""

from collections.abc import Sequence
from pathlib import Path

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.dataset import read_manifest
from ragset.dataset.manifest import MANIFEST
from ragset.dataset.numbered import version_of
from ragset.dataset.relevance.qrels import gold_of
from ragset.models import Model
from ragset.retrieval.stores import open_store
from ragset.settings import Environment
from ragset.training.examples import ExampleSet, make_examples, shown_chunks
from ragset.training.formats import TrainingData, WrittenData, write_training_data
from ragset.training.negatives import NegativeSettings, Ranking, rank_queries
from ragset.training.sides import By, HeldOut, Side, Sides, sides_of
from tasks.documents import CorpusFile
from tasks.goldens import TestSet, read_test_set
from tasks.index import IndexFile
from tasks.run.caching import RETRIED
from tasks.run.models import Account, embedding
from tasks.run.threads import in_thread


class TrainingSet(Model):
    """The goldens of a split test set."""

    dataset: str
    """The name of its folder, without the number of its version."""
    version: int
    by: By
    """Whether no document, or no evidence alone, is on two sides."""
    sides: Sides
    corpus: CorpusFile


async def read_training_set(dataset: str, needed: Sequence[Side]) -> TrainingSet:
    """The goldens of a dataset by side; raises InputError if a side that is `needed` has none."""
    return by_side(await read_test_set((dataset,), None), dataset, needed)


def by_side(found: TestSet, dataset: str, needed: Sequence[Side]) -> TrainingSet:
    """What was read of the dataset, by side; raises as `read_training_set` does."""
    name, version = version_of(Path(dataset))
    sides = sides_of(found.goldens, dataset, needed)
    return TrainingSet(dataset=name, version=version, by=split_by(Path(dataset)), corpus=found.corpus, sides=sides)


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
    get_run_logger().info("%d examples of %d goldens for training", len(made.examples), len(training.sides.train))
    return made


@task(task_run_name="write training data of {training.dataset}", cache_policy=NO_CACHE)
async def write_training_files(
    training: TrainingSet,
    index: IndexFile,
    made: ExampleSet,
    formats: Sequence[str],
    batch: int,
    seed: int,
    out: str,
    account: Account,
) -> WrittenData:
    """`ragset.training.formats.write_training_data` of the examples."""
    async with embedding(index.embedded_by, account, queries=True) as embedder:

        def write() -> WrittenData:
            opened, examples = index.open(), made.examples
            vectors = embedder.embed([one.query for one in examples])
            ids = sorted({chunk for one in examples for chunk in shown_chunks(one)})
            chunks = opened.chunks([opened.rows[id_] for id_ in ids])
            scores = {
                one.golden: (opened.vectors[[opened.rows[chunk] for chunk in shown_chunks(one)]] @ vector).tolist()
                for one, vector in zip(examples, vectors, strict=True)
            }
            data = TrainingData(
                dataset=training.dataset,
                version=training.version,
                chunking=opened.meta.chunking,
                embedding=index.embedding,
                examples=examples,
                texts={chunk.id: chunk.text for chunk in chunks},
                scores=scores,
                batch=batch,
                seed=seed,
            )
            return write_training_data(data, Path(out), formats, made.left_out)

        return await in_thread(write)
