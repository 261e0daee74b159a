"""Does a test set rank retrieval systems as people's questions do?

    python -m benchmarks.validity HUMAN_SET [DATASET …] [--embedding offline] [--out out/validity] [--sample 100]
    python -m benchmarks.validity HUMAN_SET --documents FOLDER

HUMAN_SET is a test set by people that `benchmark` reads (SQuAD's JSON, a BEIR folder, Chroma's questions.csv); each DATASET is
one made from the same documents. All are measured with five chunkings, each with dense search, BM25 and hybrid search; give
`--embedding` several times for more. `--sample N` also compares N random questions of the human set with its other ones.
The goldens of a dataset whose evidence shares at least half with that of a question by people are also compared by
themselves, and so are its others.
Results are printed, and written as `validity.md` and `validity.json`. The second form writes the documents of HUMAN_SET as
files, from which `python -m flows single-chunk` makes datasets. docs/validity.md explains the numbers.
"""

import json
import random
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.shared import markdown, options, temporary_index
from ragset.dataset.cut_rates import PANEL, cut_rates
from ragset.dataset.importers import read_goldens
from ragset.dataset.relevance.qrels import gold_of, grades_of, is_relevant
from ragset.documents import read_documents
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.grid import Configuration, Grid
from ragset.evaluation.metrics.paired import discrimination
from ragset.evaluation.metrics.resample import clusters_of
from ragset.evaluation.metrics.scores import with_bounds
from ragset.evaluation.results.standings import agreement_of, known_of, table_of
from ragset.evaluation.scoring import score_retrieval, token_counter
from ragset.models import Golden, Span
from ragset.retrieval.embedding import Embedder, Vectors, connect_embedder
from ragset.retrieval.search import retrieve
from ragset.settings import DocumentSettings, EmbeddingSettings, Environment

if TYPE_CHECKING:
    import pandas as pd

METRICS = ("recall@512tokens", "ndcg@10", "mrr")
HUMAN = "people"


def as_markdown(found: Mapping[str, Any]) -> str:
    """The tables that people read."""
    sets = list(found["goldens"])
    lines = [
        f"{len(found['configurations'])} configurations; " + ", ".join(f"{n} {k}" for k, n in found["goldens"].items())
    ]
    rows = [
        [
            one["one"],
            one["metric"],
            _interval(one["tau_b"], one["tau_low"], one["tau_high"]),
            f"{_interval(one['ceiling'], one['ceiling_low'], one['ceiling_high'])} of {one['ceiling_goldens']}",
            _number(one["ratio"]),
        ]
        for one in found["agreement"]
    ]
    lines += _table("Agreement with people's questions", ["set", "metric", "tau-b", "ceiling", "ratio"], rows)
    by_chunking = zip(*found["cut_rates"].values(), strict=True)
    rows = [
        [rates[0]["chunking"], *("{cut:.1%} ({chance:.1%} ± {noise:.1%})".format(**one) for one in rates)]
        for rates in by_chunking
    ]
    lines += _table("Evidence cut (by chance ± noise), in per cent of goldens", ["chunking", *sets], rows)
    for metric in METRICS:
        rows = [
            [one["value"], *(f"{one['means'][name]:.3f}" for name in sets)]
            for one in found["means"]
            if one["metric"] == metric
        ]
        lines += _table(f"Mean {metric}", ["", *sets], rows)
    rows = [[name, f"{one['told']} of {one['pairs']}"] for name, one in found["discrimination"].items()]
    lines += _table(f"Pairs of configurations told apart by {METRICS[0]}", ["set", "pairs"], rows)
    return "\n".join(lines) + "\n"


def _table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return ["", f"## {title}", "", *markdown(header, rows)]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _interval(value: float | None, low: float | None, high: float | None) -> str:
    return f"{_number(value)} ({_number(low)} to {_number(high)})"


class TestSets(NamedTuple):
    """The sets to compare, the human one first, over one corpus."""

    goldens: dict[str, tuple[Golden, ...]]
    corpus: Corpus

    @property
    def all(self) -> tuple[Golden, ...]:
        """Each golden once."""
        return tuple({golden.id: golden for of in self.goldens.values() for golden in of}.values())


def read_sets(human: Path, datasets: Sequence[Path], sample: int, folder: Path) -> TestSets:
    """Read all; a dataset over other documents is an error."""
    by_people = read_goldens(human)
    goldens = {HUMAN: by_people.goldens}
    documents = {document.id: document for document in by_people.documents}
    for path in datasets:
        data = read_goldens(path)
        others = {document.id for document in data.documents} - documents.keys()
        if others:
            raise InputError(
                f"{path}: {len(others)} of its documents are not in {human}; make it from the files that --documents writes"
            )
        name = path.name if path.name not in goldens else str(path)
        goldens[name] = data.goldens
    if sample:
        drawn = random.Random(0).sample(by_people.goldens, min(sample, len(by_people.goldens) // 2))
        goldens[f"{len(drawn)} of {HUMAN}"] = tuple(drawn)
    return TestSets(goldens, Corpus.write(folder / "corpus.jsonl", documents.values()))


def measure(sets: TestSets, configurations: Sequence[Configuration]) -> "pd.DataFrame":
    """The scores of all goldens in all configurations, as a benchmark has them."""
    import pandas as pd

    goldens, corpus = sets.all, sets.corpus
    queries, counted = [golden.query for golden in goldens], token_counter(corpus)
    gold, grades = gold_of(goldens, corpus), grades_of(goldens)
    embedded: dict[str, tuple[Embedder, Vectors]] = {}
    rows: list[tuple[str, str, str, float]] = []
    groups: dict[tuple[str, str], list[Configuration]] = {}
    for one in configurations:
        groups.setdefault((one.chunking.name, one.embedding.model), []).append(one)
    for number, ((chunking, model), of) in enumerate(groups.items(), 1):
        print(f"{number} of {len(groups)}: {chunking}, {model}", file=sys.stderr, flush=True)
        if model not in embedded:
            embedder = connect_embedder(of[0].embedding, Environment())
            embedded[model] = embedder, embedder.embed(queries)
        embedder, vectors = embedded[model]
        with temporary_index(corpus, embedder, of[0].chunking) as (index, store):
            for one in of:
                found = retrieve(index, store, queries, vectors, one.retrieval, one.retrieved)
                run = {golden.id: hits for golden, hits in zip(goldens, found, strict=True)}
                sizes = {"cutoffs": (10,), "budgets": (512,)}
                scores = score_retrieval(run, gold, index.ids, **sizes, tokens=counted, grades=grades)
                rows += ((one.name, score.golden, score.metric, score.value) for score in scores)
    return with_bounds(pd.DataFrame(rows, columns=["configuration", "golden", "metric", "value"]))


def compare(sets: TestSets, scores: "pd.DataFrame", configurations: Sequence[Configuration]) -> dict[str, Any]:
    """Agreements with the human set, cut rates, means and discrimination, as JSON has them."""
    clusters = clusters_of(sets.all)
    tables = {metric: table_of(scores, metric) for metric in METRICS}
    ids = {name: [golden.id for golden in goldens] for name, goldens in sets.goldens.items()}
    found: dict[str, Any] = {
        "configurations": [one.name for one in configurations],
        "goldens": {name: len(of) for name, of in ids.items()},
        "agreement": [],
        "cut_rates": {
            name: [rate.model_dump() for rate in cut_rates(of, sets.corpus, chunkings=PANEL)]
            for name, of in sets.goldens.items()
        },
        "means": sorted(_means(tables, ids, configurations), key=lambda one: one["by"]),
        "discrimination": {},
    }
    for name, of in _parts(sets).items():
        # Questions that both have would agree with themselves.
        rest = [golden for golden in ids[HUMAN] if golden not in set(of)]
        for metric, table in tables.items():
            ours, theirs = (table.reindex(columns=part).dropna(axis=1, how="all") for part in (of, rest))
            alike = agreement_of(name, HUMAN, metric, ours, theirs, clusters)
            found["agreement"].append({"goldens": ours.shape[1], **alike.model_dump()})
    names = [one.name for one in configurations]
    for name, of in ids.items():
        answered = [golden for golden in of if golden in tables[METRICS[0]].columns]
        known = known_of(scores, METRICS[0], names, answered)
        found["discrimination"][name] = discrimination(known, [clusters[golden] for golden in answered])._asdict()
    return found


def _parts(sets: TestSets) -> dict[str, list[str]]:
    """The ids of each set but the human one, and of its goldens about what people asked about and about the rest."""
    asked: dict[str, list[Span]] = {}
    for span in (span for golden in sets.goldens[HUMAN] for span in golden.evidence):
        asked.setdefault(span.doc_id, []).append(span)
    found: dict[str, list[str]] = {}
    for name, goldens in list(sets.goldens.items())[1:]:
        found[name] = [golden.id for golden in goldens]
        shared = {
            golden.id
            for golden in goldens
            for one in golden.evidence
            if any(is_relevant(one.start, one.end, other) for other in asked.get(one.doc_id, ()))
        }
        if 0 < len(shared) < len(goldens):
            found[f"{name}, what people asked about"] = [one for one in found[name] if one in shared]
            found[f"{name}, the rest"] = [one for one in found[name] if one not in shared]
    return found


def _means(
    tables: Mapping[str, "pd.DataFrame"], ids: Mapping[str, Sequence[str]], configurations: Sequence[Configuration]
) -> list[dict[str, Any]]:
    """By chunking and by search method, in each metric and set."""
    groups: dict[tuple[str, str], list[str]] = {}
    for one in configurations:
        groups.setdefault(("chunking", one.chunking.name), []).append(one.name)
        model = one.embedding.model.rstrip("/").rpartition("/")[2]
        method = f"{one.retrieval.name}, {model}" if one.embeds else one.retrieval.name
        groups.setdefault(("search", method), []).append(one.name)
    found: list[dict[str, Any]] = []
    for metric, table in tables.items():
        for (by, value), names in groups.items():
            means = {
                name: float(table.reindex(index=names, columns=list(of)).mean(axis=1).mean())
                for name, of in ids.items()
            }
            found.append({"metric": metric, "by": by, "value": value, "means": means})
    return found


def write_documents(human: Path, folder: Path) -> int:
    """Write each document as a text file that reads back as the same document."""
    documents = read_goldens(human).documents
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder}: is not empty; name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    for document in documents:
        # The name becomes the title that writers see, so an id is added to a name only if it is taken.
        name = re.sub(r"\W+", "-", document.title)[:60].strip("-") or document.id
        taken = (folder / f"{name}.txt").exists()
        path = folder / f"{name}-{document.id}.txt" if taken else folder / f"{name}.txt"
        path.write_text(document.text, encoding="utf-8", newline="")
    read = {document.id for document in read_documents(DocumentSettings(sources=(str(folder),))).documents}
    if missing := {document.id for document in documents} - read:
        raise InputError(f"{folder}: {len(missing)} documents do not read back as they were written")
    return len(documents)


def main() -> None:
    asked = options(
        __doc__, "human_set", "datasets*", embedding=("offline",), sample=0, out="out/validity", documents=""
    )
    try:
        if asked.documents:
            print(f"{write_documents(asked.human_set, Path(asked.documents))} documents in {asked.documents}")
            return
        if not asked.datasets and not asked.sample:
            raise InputError("name a DATASET, or give --sample")
        grid = Grid(chunking=PANEL, embedding=tuple(EmbeddingSettings(model=name) for name in asked.embedding))
        with tempfile.TemporaryDirectory() as folder:
            sets = read_sets(asked.human_set, asked.datasets, asked.sample, Path(folder))
            found = compare(sets, measure(sets, grid.configurations()), grid.configurations())
    except InputError as error:
        sys.exit(str(error))
    text = as_markdown(found)
    out = Path(asked.out)
    out.mkdir(parents=True, exist_ok=True)
    (out / "validity.md").write_text(text, encoding="utf-8")
    (out / "validity.json").write_text(json.dumps(found, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
