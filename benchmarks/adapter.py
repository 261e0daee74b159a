"""What a linear adapter and a learned reranker gain, from goldens of ragset and from people's questions.

    python -m benchmarks.adapter HUMAN_SET [DATASET …] [--embedding offline] [--size 128] [--seeds 2]

HUMAN_SET is a test set by people that `benchmark` reads (SQuAD's JSON, a BEIR folder); each DATASET is one that ragset made from
the same documents (`python -m benchmarks.validity HUMAN_SET --documents FOLDER` writes them). Documents are dealt into four
parts. Each part in turn is the test side: people's questions about it are searched with what was trained on goldens of the other
parts, of which a quarter of the documents is for validation. So every question is a test question once, of documents that nobody
trained on. `goldens` are those for training and validation together. Each seed deals anew; changes are of the seeds.
Give `--embedding` several times for more. The table is Markdown; docs/training.md explains it.
"""

import random
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.shared import markdown, options, temporary_index
from benchmarks.validity import HUMAN, read_sets
from ragset.dataset.relevance.qrels import gold_of, qrels
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.results.model import Run
from ragset.models import Golden
from ragset.retrieval.embedding import Vectors, connect_embedder
from ragset.retrieval.fusion import Hit, reciprocal_rank_fusion
from ragset.retrieval.index import Index
from ragset.retrieval.search import Mode
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import ChunkingSettings, EmbeddingSettings, Environment
from ragset.training.adapter import AdapterData
from ragset.training.early_stop import RelevantRows, ndcg
from ragset.training.examples import make_examples
from ragset.training.negatives import NegativeSettings, Ranking, rank_queries
from ragset.training.reranker import RerankerTraining, Searched, choices_of
from ragset.training.sides import HeldOut, Sides

SIZES = (100, 300, 1_000)
PARTS, DEPTH = 4, 30
Values = NDArray[np.float64]
MADE = "goldens of ragset"
MODES: tuple[Mode, ...] = ("dense", "bm25", "hybrid")


class Row(NamedTuple):
    """One way to search, with one seed: the mean nDCG@10 of people's questions."""

    trained: str
    source: str
    goldens: int
    before: float
    after: float
    kept: int
    """Parts of which what was trained was kept."""


@dataclass
class Bench:
    """One embedding over one index, with everything searched once."""

    goldens: dict[str, tuple[Golden, ...]]
    index: Index
    corpus: Corpus
    store: VectorStore
    vectors: dict[str, Vectors]

    def __post_init__(self) -> None:
        everything = [golden for of in self.goldens.values() for golden in of]
        self.gold = gold_of(everything, self.corpus)
        self.relevant = qrels(self.gold, self.index.ids)
        positives = {golden.query: list(dict.fromkeys(chain(*self.relevant[golden.id]))) for golden in everything}
        queries = [query for query, of in positives.items() if of]
        known = [positives[query] for query in queries]
        ranked = rank_queries(self.index, self.store, queries, self.embed(queries), known)
        self.rankings = dict(zip(queries, ranked, strict=True))

    def embed(self, queries: Sequence[str]) -> Vectors:
        """Their vectors, a row each."""
        return np.stack([self.vectors[query] for query in queries])

    def search(self, mode: Mode, goldens: Sequence[Golden]) -> Searched:
        """What is found for their queries without training."""
        queries = [golden.query for golden in goldens]
        found = [_hits(mode, self.rankings[query]) for query in queries]
        return Searched.of(self.index, queries, self.embed(queries), found, "en")

    def run(self, mode: Mode) -> Run:
        """Of people's questions, as they are found without training."""
        return {golden.id: tuple(_hits(mode, self.rankings[golden.query])) for golden in self.goldens[HUMAN]}

    def by_row(self, goldens: Sequence[Golden]) -> RelevantRows:
        """The relevant chunks by row."""
        rows = self.index.rows
        return [[{rows[id_]: grade for id_, grade in one.items()} for one in self.relevant[of.id]] for of in goldens]

    def score(self, run: Run) -> float:
        """The mean nDCG@10 of people's questions."""
        found = ([self.index.rows[hit.id] for hit in run[golden.id]] for golden in self.goldens[HUMAN])
        return float(ndcg(found, self.by_row(self.goldens[HUMAN])).mean())


def with_chunks(goldens: Mapping[str, Sequence[Golden]], corpus: Corpus, index: Index) -> dict[str, tuple[Golden, ...]]:
    """Those whose evidence is in some chunk."""
    relevant = qrels(gold_of(chain(*goldens.values()), corpus), index.ids)
    return {name: tuple(one for one in of if any(relevant.get(one.id, ()))) for name, of in goldens.items()}


def _hits(mode: Mode, rankings: Sequence[Ranking]) -> list[Hit]:
    """What `retrieve` finds, of searches that went deeper."""
    by_source = {one.source: one.hits[:DEPTH] for one in rankings}
    if mode == "hybrid":
        return reciprocal_rank_fusion((by_source["dense"], by_source["bm25"]), DEPTH)
    return list(by_source[mode])


def deal(bench: Bench, source: str, size: int, seed: int) -> Iterator[tuple[Sides, HeldOut]]:
    """The sides of each part: goldens of `source` for training and validation, people's questions for testing."""
    documents = sorted({document.id for document in bench.corpus})
    draw = random.Random(seed)
    draw.shuffle(documents)
    for part in range(PARTS):
        test = set(documents[part::PARTS])
        others = [document for document in documents if document not in test]
        validating = set(others[::PARTS])

        def of(goldens: Sequence[Golden], among: set[str]) -> list[Golden]:
            return [golden for golden in goldens if {span.doc_id for span in golden.evidence} <= among]

        given = bench.goldens[source]
        sides = of(given, set(others) - validating), of(given, validating)
        wanted = size - size // PARTS, size // PARTS
        train, validation = (draw.sample(one, min(len(one), most)) for one, most in zip(sides, wanted, strict=True))
        everything = [golden for goldens in bench.goldens.values() for golden in goldens]
        held_out = HeldOut.of(of(everything, test | validating), bench.gold, "document")
        yield Sides(tuple(train), tuple(validation), tuple(of(bench.goldens[HUMAN], test))), held_out


def train(bench: Bench, source: str, size: int, seed: int) -> Iterator[Row]:
    """An adapter, and a reranker of dense and of hybrid search."""

    def rank(queries: Sequence[str], _: object) -> list[list[Ranking]]:
        return [bench.rankings[query] for query in queries]

    searches: dict[str, Mode] = {"adapter": "dense", **{f"reranker of {mode}": mode for mode in MODES}}
    runs: dict[str, dict[str, Sequence[Hit]]] = {name: {} for name in searches}
    kept = dict.fromkeys(searches, 0)
    goldens: list[int] = []
    for sides, held_out in deal(bench, source, size, seed):
        goldens.append(len(sides.train) + len(sides.validation))
        examples = make_examples(sides.train, bench.gold, bench.index.ids, held_out, rank, NegativeSettings())
        choices = choices_of(
            examples.examples, bench.index, bench.embed([one.query for one in examples.examples]), "en"
        )
        data = AdapterData.of(examples.examples, sides, bench.gold, bench.index, bench.embed, seed)
        adapter = data.fit()
        kept["adapter"] += adapter.matrix is not None
        runs["adapter"].update(data.retrieve(adapter.matrix))
        for mode in MODES:
            name, test = f"reranker of {mode}", bench.search(mode, sides.test)
            found, relevant = bench.search(mode, sides.validation), bench.by_row(sides.validation)
            training = RerankerTraining(choices, found, relevant, bench.index.rows)
            trained = training.train([one.id for one in sides.train])
            kept[name] += trained.weights is not None
            hits = test.reranked(trained.weights) if trained.weights else test.found
            runs[name].update({golden.id: of for golden, of in zip(sides.test, hits, strict=True)})
    for name, after in runs.items():
        before = bench.run(searches[name])
        number = round(sum(goldens) / PARTS)
        yield Row(name, source, number, bench.score(before), bench.score(after), kept[name])


def measure(bench: Bench, seeds: int) -> list[Row]:
    """All sizes of all sources; a size that a source cannot fill is measured once, with all that there are."""
    found: list[Row] = []
    for source in bench.goldens:
        for size in SIZES[: 1 + sum(len(bench.goldens[source]) > size for size in SIZES)]:
            for seed in range(seeds):
                print(f"{source}: {size} goldens, seed {seed}", file=sys.stderr, flush=True)
                found += train(bench, source, size, seed)
    for mode in MODES:
        found.append(Row(f"{mode}, untrained", "", 0, bench.score(bench.run("dense")), bench.score(bench.run(mode)), 0))
    return found


def as_markdown(rows: Sequence[Row]) -> str:
    """A row for each search, source and number of goldens; the seeds together."""
    header = ("search", "trained on", "goldens", "nDCG@10", "change", "over the seeds", "kept")
    table: list[list[str]] = []
    groups: dict[tuple[str, str, int], list[Row]] = {}
    for row in rows:
        rank = sum(row.goldens > size for size in SIZES)
        groups.setdefault((row.trained, row.source, rank), []).append(row)
    for (trained, source, _), of in sorted(groups.items(), key=lambda one: (one[0][1] != "", *one[0])):
        changes = [row.after - row.before for row in of]
        cells = [trained, source or "–", f"{round(np.mean([row.goldens for row in of])):,}" if source else "–"]
        cells += [f"{np.mean([row.after for row in of]):.3f}", f"{np.mean(changes):+.3f}"]
        kept = f"{sum(row.kept for row in of)} of {PARTS * len(of)}"
        cells += [f"{min(changes):+.3f} to {max(changes):+.3f}", kept] if source else ["–", "–"]
        table.append(cells)
    return "\n".join(markdown(header, table))


def main() -> None:
    asked = options(__doc__, "human_set", "datasets*", embedding=("offline",), size=128, seeds=2)
    try:
        with tempfile.TemporaryDirectory() as folder:
            sets = read_sets(asked.human_set, asked.datasets, 0, Path(folder))
            made = {golden.id: golden for name, of in sets.goldens.items() if name != HUMAN for golden in of}
            goldens = {HUMAN: sets.goldens[HUMAN]} | ({MADE: tuple(made.values())} if made else {})
            chunking = ChunkingSettings(size=asked.size)
            for name in asked.embedding:
                embedder = connect_embedder(EmbeddingSettings(model=name), Environment())
                queries = list(dict.fromkeys(golden.query for of in goldens.values() for golden in of))
                vectors = dict(zip(queries, embedder.embed(queries), strict=True))
                with temporary_index(sets.corpus, embedder, chunking) as (index, store):
                    bench = Bench(with_chunks(goldens, sets.corpus, index), index, sets.corpus, store, vectors)
                    counted = ", ".join(f"{len(of):,} {source}" for source, of in bench.goldens.items())
                    print(f"\n{embedder.name}: {len(index):,} chunks by {chunking.name}; {counted}\n")
                    print(as_markdown(measure(bench, asked.seeds)), flush=True)
    except InputError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
