"""Results of a benchmark as a folder: tables, runs in TREC format, a manifest, the report."""

import hashlib
import json
import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field, ValidationError

from ragset.dataset.importers import Unaligned
from ragset.dataset.relevance.layout import UNALIGNED, places_of
from ragset.dataset.review.file import REVIEWS
from ragset.dataset.review.order import PLAN
from ragset.dataset.swap import check_free, replaced, same_file
from ragset.dataset.table import shielded
from ragset.documents.corpus import Corpus
from ragset.errors import InputError, problems_of
from ragset.evaluation.failures import diagnosis_lines
from ragset.evaluation.metrics.resample import clusters_of
from ragset.evaluation.results.corrected import Judged
from ragset.evaluation.results.datasets import DatasetAgreement, DatasetCutRate, DatasetDiscrimination
from ragset.evaluation.results.model import Comparison, OwnChunk, Results, Run, Standing, System
from ragset.evaluation.results.notebook import as_html, title
from ragset.models import Golden, Model, Span

if TYPE_CHECKING:
    import pandas as pd

MANIFEST = "benchmark.json"
REPORT = "report.html"
CORPUS, GOLDENS = "corpus.jsonl", "goldens.jsonl"
FORMAT = 1
_AS_IN_RESULTS = (
    *("datasets", "unanswerable", "made_by_rules", "primary", "baseline", "primary_basis", "seed"),
    *("systems", "standings", "comparisons", "agreements", "cut_rates", "discrimination", "problems"),
)


class Benchmark(Model):
    """Everything about the results but the scores of single goldens."""

    format: int = FORMAT
    corpus: str
    corpus_hash: str
    datasets: tuple[str, ...]
    goldens: int
    unanswerable: int = 0
    made_by_rules: int = 0
    primary: str
    baseline: str = ""
    primary_basis: str = ""
    seed: int
    systems: tuple[System, ...]
    standings: tuple[Standing, ...]
    comparisons: tuple[Comparison, ...]
    agreements: tuple[DatasetAgreement, ...] = ()
    cut_rates: tuple[DatasetCutRate, ...] = ()
    discrimination: tuple[DatasetDiscrimination, ...] = ()
    failures: dict[str, dict[str, int]] = Field(default_factory=dict)
    """By configuration, how many goldens are right, or fail at each step."""
    problems: tuple[Unaligned, ...] = ()
    runs: dict[str, str] = Field(default_factory=dict)
    chunks: dict[str, str] = Field(default_factory=dict)
    """By configuration that searches existing chunks, the file that says where they stand."""
    judged: tuple[Judged, ...] = ()
    """What people said, and the means and differences that it corrects."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    versions: dict[str, str] = Field(default_factory=dict)


@dataclass(frozen=True, repr=False)
class StoredResults:
    """A folder of results, read."""

    folder: Path
    benchmark: Benchmark
    scores: "pd.DataFrame"
    """Columns configuration, golden, metric, value, worst and best."""
    documents: Mapping[str, str]
    """The document of each golden, by which goldens are clustered."""
    contents: Mapping[str, str]

    def __repr__(self) -> str:
        """What they are, in a line."""
        return f"<StoredResults {title(str(self.folder), self.benchmark)}>"

    def _repr_html_(self) -> str:
        return as_html(str(self.folder), self.benchmark)


def check_results(folder: Path) -> None:
    """Return if results can be written to `folder`, as far as can be told before the work is done."""
    check_free(folder, MANIFEST, "results of a benchmark")


def write_results(folder: Path, results: Results, report: str) -> None:
    """Write all files, in place of results that are there already; a reader never sees half of them.

    What people said of answers and passages stays beside them.

    Raises:
        InputError: the folder holds something else, or cannot be written; what was there before is still there.
    """
    import pandas as pd

    runs = {
        system.name: f"runs/{number:02d}-{_tag(system.name)}.trec" for number, system in enumerate(results.systems, 1)
    }
    chunks = {
        one.name: f"chunks/{_tag(one.chunking)}.jsonl" for one in results.systems if one.name in results.own_chunks
    }
    benchmark = _benchmark_of(results, runs=runs, chunks=chunks)
    documents, ids = clusters_of(results.goldens), results.scores["golden"]
    scores = results.scores.assign(
        document=ids.map(documents), content=ids.map(golden_digests(results.goldens, results.corpus))
    )
    answers = (
        json.dumps({"configuration": name, "golden": golden, "answer": answer}, ensure_ascii=False) + "\n"
        for name, answers in results.answers.items()
        for golden, answer in answers.items()
    )
    with replaced(folder, MANIFEST, "results of a benchmark", keep=(REVIEWS, PLAN)) as new:
        scores.to_parquet(new / "results.parquet", index=False)
        _write_csv(new / "leaderboard.csv", _leaderboard(results))
        _write_csv(new / "comparisons.csv", pd.DataFrame([one.model_dump() for one in results.comparisons]))
        _write_csv(new / "per_query.csv", _per_query(results, documents))
        (new / "runs").mkdir()
        for name, path in runs.items():
            _write_text(new / path, _trec(results.runs.get(name, {}), name, results.own_chunks.get(name, {})))
        if chunks:
            (new / "chunks").mkdir()
        for path, name in {path: name for name, path in chunks.items()}.items():
            _write_text(new / path, "".join(_chunk_line(*one) for one in results.own_chunks[name].items()))
        _write_text(new / "answers.jsonl", "".join(answers))
        if results.failures:
            lines = diagnosis_lines(results.failures, results.diagnoses)
            _write_text(new / "diagnosis.jsonl", "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in lines))
        _write_text(new / GOLDENS, "".join(one.model_dump_json() + "\n" for one in results.goldens))
        same_file(results.corpus.path, new / CORPUS)
        _write_text(new / REPORT, report)
        _write_text(new / MANIFEST, manifest_text(benchmark))


def manifest_text(benchmark: Benchmark) -> str:
    """As it stands in the folder."""
    return json.dumps(benchmark.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


def _benchmark_of(results: Results, **files: dict[str, str]) -> Benchmark:
    return Benchmark(
        corpus=results.name,
        corpus_hash=results.corpus.hash,
        goldens=len(results.goldens),
        failures=results.failure_counts,
        parameters=dict(results.parameters),
        versions=dict(results.versions),
        **files,
        **{name: getattr(results, name) for name in _AS_IN_RESULTS},
    )


def as_stored(results: Results) -> StoredResults:
    """The results as if they had been written and read again, in a folder that has their name."""
    scored = set(results.scores["golden"])
    goldens = [golden for golden in results.goldens if golden.id in scored]
    documents = {golden: str(document) for golden, document in clusters_of(goldens).items()}
    contents = golden_digests(goldens, results.corpus)
    return StoredResults(Path(results.name), _benchmark_of(results), results.scores, documents, contents)


def read_results(folder: Path) -> StoredResults:
    """The results of a folder.

    Raises:
        InputError: it holds none, or a file of it is damaged.
    """
    import pandas as pd

    path = folder / MANIFEST
    try:
        benchmark = Benchmark.model_validate_json(path.read_bytes())
        scores = pd.read_parquet(folder / "results.parquet")
        columns: Any = {name: map(str, scores.pop(name)) for name in ("document", "content")}
        documents, contents = (dict(zip(scores["golden"], column, strict=True)) for column in columns.values())
    except FileNotFoundError as error:
        missing = Path(error.filename).name
        raise InputError(f"{folder}: holds no results of a benchmark ({missing} is missing)") from None
    except ValidationError as error:
        raise InputError(f"{path}: {problems_of(error)}; run the benchmark again") from None
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{folder}: a file is damaged ({type(error).__name__}); run the benchmark again") from None
    return StoredResults(folder, benchmark, scores, documents, contents)


def golden_digests(goldens: Iterable[Golden], corpus: Corpus) -> dict[str, str]:
    """By id, a digest of what scores depend on: query, answer, kind, and the texts of the evidence and its equivalents.

    Texts, not offsets: evidence that a refresh found again in another place is the same evidence.
    """

    def text(span: Span) -> str:
        return corpus.text(span) if span.doc_id in corpus else span.id

    def digest(golden: Golden) -> str:
        evidence, equivalents = (sorted(map(text, spans)) for spans in (golden.evidence, golden.equivalents))
        content: list[Any] = [golden.query, golden.answer, golden.kind, evidence, equivalents, golden.grades]
        if golden.conversation:
            content.append(
                [golden.conversation.question, *((one.question, one.answer) for one in golden.conversation.turns)]
            )
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]

    return {golden.id: digest(golden) for golden in goldens}


def _leaderboard(results: Results) -> "pd.DataFrame":
    import pandas as pd

    rows: dict[str, dict[str, Any]] = {
        system.name: system.model_dump(exclude={"mapping", "efficiency"}) for system in results.systems
    }
    for one in results.standings:
        row, metric = rows[one.configuration], one.metric
        row |= {metric: one.mean, f"{metric} low": one.low, f"{metric} high": one.high}
        if one.bounds:
            row |= {f"{metric} worst": one.bounds.worst, f"{metric} best": one.bounds.best}
    for system in results.systems:
        if took := system.efficiency:
            timed = took.seconds.items()
            rows[system.name] |= {f"{step} seconds {name}": value for step, of in timed for name, value in of}
            rows[system.name] |= {"tokens": took.tokens, "cost": took.cost}
    return pd.DataFrame(list(rows.values()))


def _per_query(results: Results, documents: Mapping[str, Hashable]) -> "pd.DataFrame":
    """A row for each golden with the primary score of every configuration: wins and losses side by side."""
    primary = results.scores[results.scores["metric"] == results.primary]
    wide = primary.pivot_table(index="golden", columns="configuration", values="value", dropna=False, sort=False)
    wide.insert(0, "query", wide.index.map({golden.id: golden.query for golden in results.goldens}))
    wide.insert(1, "document", wide.index.map(documents))
    return wide.reset_index()


def _trec(run: Run, name: str, own: Mapping[str, OwnChunk]) -> str:
    """`qid Q0 docid rank score tag`, the score falling with the rank as it was; existing chunks by their own ids."""
    ids = {place: _own_id(chunk) for place, chunk in own.items()}
    return "".join(
        f"{golden} Q0 {ids.get(hit.id, hit.id)} {rank} {hit.score:.6f} {_tag(name)}\n"
        for golden, hits in run.items()
        for rank, hit in enumerate(hits, start=1)
    )


def _own_id(chunk: OwnChunk) -> str:
    """Without white space, which parts the columns of a run."""
    return "_".join(chunk.id.split())


def _chunk_line(place: str, chunk: OwnChunk) -> str:
    """A line of a file of chunks that a system with runs can name: the place in the documents, or the text."""
    places = places_of(place)
    known = len(places) == 1 and not places[0].doc_id.startswith(UNALIGNED)
    where = {"document": places[0].doc_id, "start": places[0].start, "end": places[0].end}
    return json.dumps({"id": _own_id(chunk), **(where if known else {"text": chunk.text})}, ensure_ascii=False) + "\n"


def _tag(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-")[:100]


def _write_csv(path: Path, frame: "pd.DataFrame") -> None:
    def safe(cell: object) -> object:
        return shielded(cell) if isinstance(cell, str) else cell

    cells = frame.map(safe) if len(frame) else frame
    _write_text(path, "\ufeff" + cells.rename(columns=shielded).to_csv(index=False, lineterminator="\r\n"))


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")
