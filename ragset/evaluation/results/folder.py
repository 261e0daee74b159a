"""Results of a benchmark in a folder: its manifest, and the scores, read again."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field, ValidationError

from ragset.dataset.importers import Unaligned
from ragset.documents.corpus import Corpus
from ragset.errors import InputError, problems_of
from ragset.evaluation.metrics.resample import clusters_of
from ragset.evaluation.results.corrected import Judged
from ragset.evaluation.results.facts import DatasetAgreement, DatasetCutRate, DatasetDiscrimination
from ragset.evaluation.results.model import Comparison, Results, Standing, System
from ragset.evaluation.results.sentences import by_rules, html_table, leaderboard
from ragset.models import Golden, Model, Span

if TYPE_CHECKING:
    import pandas as pd

MANIFEST = "benchmark.json"
REPORT = "report.html"
CORPUS, GOLDENS = "corpus.jsonl", "goldens.jsonl"
FORMAT = 1
_AS_IN_RESULTS = (
    *("datasets", "unanswerable", "corpus_wide", "made_by_rules", "primary", "baseline", "primary_basis", "seed"),
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
    corpus_wide: int = 0
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

    @property
    def _title(self) -> str:
        found, systems = self.benchmark, len(self.benchmark.systems)
        of = f"{systems} configuration{'s'[: systems != 1]} on {found.goldens:,} goldens of {found.corpus}"
        return f"{self.folder}: {of}, by {found.primary}"

    def __repr__(self) -> str:
        """What they are, in a line."""
        return f"<StoredResults {self._title}>"

    def _repr_html_(self) -> str:
        """The title, the leaderboard and what must be known of it."""
        found = self.benchmark
        head = ("configuration", found.primary, "95 % interval", "")
        notices = [by_rules(found.made_by_rules, found.goldens)]
        return html_table(self._title, head, leaderboard(found.standings, found.primary), notices)


def manifest_text(benchmark: Benchmark) -> str:
    """As it stands in the folder."""
    return json.dumps(benchmark.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


def benchmark_of(results: Results, **files: dict[str, str]) -> Benchmark:
    """All of them but the scores of single goldens; `files` are the runs and chunks, as in the manifest."""
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
    return StoredResults(Path(results.name), benchmark_of(results), results.scores, documents, contents)


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
