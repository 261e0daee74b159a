"""What a benchmark finds: scores for each configuration and golden, and what follows from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import Field

from ragset.dataset.importers import Unaligned
from ragset.dataset.relevance.qrels import places_of
from ragset.documents.corpus import Corpus
from ragset.evaluation.efficiency import Efficiency, Effort
from ragset.evaluation.failures import FAILURES, RIGHT
from ragset.evaluation.metrics.claims import Diagnosis
from ragset.evaluation.metrics.holm import ALPHA
from ragset.evaluation.metrics.scores import Bounds
from ragset.evaluation.results.facts import (
    DatasetAgreement,
    DatasetCutRate,
    DatasetDiscrimination,
    ExternalFacts,
    MappingFacts,
)
from ragset.models import CORPUS_WIDE, UNANSWERABLE, Golden, Model
from ragset.retrieval.fusion import Hit
from ragset.settings import OFFLINE

if TYPE_CHECKING:
    import pandas as pd

Run = Mapping[str, Sequence[Hit]]
"""Hits by golden id, best first; the id of a hit is `doc_id:start-end`."""


class RetrievalResult(Model):
    """What a system retrieved for each golden, best first, and what another system answered."""

    hits: dict[str, tuple[Hit, ...]]
    """By golden id; a hit of another system may be several places of documents (`ragset.dataset.relevance.qrels`)."""
    answers: dict[str, str | None] = Field(default_factory=dict)
    """Of another system; empty where it answered nothing."""
    texts: dict[str, str] = Field(default_factory=dict)
    """Passages of another system by the id of their hit."""
    cited: dict[str, tuple[int, ...]] = Field(default_factory=dict)
    """Of another system, the numbers of the passages that an answer cites; empty where it never cites."""
    efforts: dict[str, dict[str, Effort]] = Field(default_factory=dict)
    """What each step took, by step and golden."""
    external: ExternalFacts | None = None

    def text_of(self, hit: str, corpus: Corpus) -> str:
        """The passage of a hit, by its id: as the system gave it, or as the documents have it."""
        if hit in self.texts:
            return self.texts[hit]
        return " … ".join(corpus.text(place.span) for place in places_of(hit) if place.doc_id in corpus)

    def passages_of(self, golden: str, corpus: Corpus, most: int) -> tuple[str, ...]:
        """The first passages that were found for a golden, and those after them that its answer cites."""
        shown = self.hits[golden][: max((most, *self.cited.get(golden, ())))]
        return tuple(self.text_of(hit.id, corpus) for hit in shown)


class System(Model):
    """A RAG system under test, as the results know it."""

    name: str
    chunking: str = ""
    """Empty for somebody else's system."""
    embedding: str = ""
    retrieval: str = ""
    reranker: str = ""
    reader: str = ""
    chunks: int = 0
    external: ExternalFacts | None = None
    """None for a configuration of the grid."""
    mapping: MappingFacts | None = None
    """Of existing chunks; None where a strategy cut the documents."""
    efficiency: Efficiency | None = None
    """None where nothing of it is known, as of a file of runs."""


class Standing(Model):
    """One configuration in one metric."""

    configuration: str
    metric: str
    mean: float | None
    low: float | None
    high: float | None
    n: int
    missing: int = 0
    bounds: Bounds | None = None
    """What the mean could be, by what is not known; None where all is known."""
    tied: bool = False


class Comparison(Model):
    """One configuration against another, golden by golden."""

    configuration: str
    against: str
    metric: str
    difference: float
    low: float | None
    """With `high` the interval, which excludes 0 only where `p_holm` is below 0.05. None where the goldens are too few."""
    high: float | None
    p: float
    p_holm: float
    smallest: float | None = None
    """The true difference that this pair would show in 4 of 5 benchmarks; None where that is not known."""

    @property
    def told(self) -> str:
        """`better`, `worse`, or empty where the data do not tell the two apart."""
        if not self.p_holm < ALPHA or not self.difference:
            return ""
        return "better" if self.difference > 0 else "worse"


class OwnChunk(NamedTuple):
    """An existing chunk, as results name it."""

    id: str
    text: str


@dataclass(frozen=True)
class Results:
    """Everything that a report is made of."""

    name: str
    datasets: tuple[str, ...]
    corpus: Corpus
    goldens: tuple[Golden, ...]
    systems: tuple[System, ...]
    runs: Mapping[str, Run]
    answers: Mapping[str, Mapping[str, str | None]]
    scores: "pd.DataFrame"
    """Columns `configuration`, `golden`, `metric`, `value` (NaN where not judged), and perhaps its bounds `worst`, `best`."""
    standings: tuple[Standing, ...]
    comparisons: tuple[Comparison, ...]
    primary: str
    baseline: str
    primary_basis: str = ""
    problems: tuple[Unaligned, ...] = ()
    agreements: tuple[DatasetAgreement, ...] = ()
    cut_rates: tuple[DatasetCutRate, ...] = ()
    discrimination: tuple[DatasetDiscrimination, ...] = ()
    failures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By configuration and golden, `right` or the step that failed; empty where nobody judged."""
    diagnoses: Mapping[str, Mapping[str, Diagnosis]] = field(default_factory=dict)
    """By configuration and golden, the claims that a critic looked at."""
    seed: int = 0
    own_chunks: Mapping[str, Mapping[str, OwnChunk]] = field(default_factory=dict)
    """By configuration that searches existing chunks, these by the ids of hits."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    def values_of(self, metric: str) -> dict[tuple[str, str], float]:
        """The scores in one metric by configuration and golden; NaN where it could not be judged."""
        rows: Any = self.scores.loc[self.scores["metric"] == metric, ["configuration", "golden", "value"]]
        return {(str(name), str(golden)): float(value) for name, golden, value in rows.itertuples(index=False)}

    @property
    def failure_counts(self) -> dict[str, dict[str, int]]:
        """By configuration, how many goldens are right, or fail at each step."""
        return {
            name: {step: count for step in (RIGHT, *FAILURES) if (count := list(of.values()).count(step))}
            for name, of in self.failures.items()
        }

    @property
    def made_by_rules(self) -> int:
        """Goldens whose query was drafted by rules, not by a language model."""
        made = (any(step.stage == "draft" and step.model == OFFLINE for step in one.lineage) for one in self.goldens)
        return sum(made)

    @property
    def unanswerable(self) -> int:
        """Goldens without an answer in the corpus, which no metric of retrieval counts."""
        return sum(golden.kind == UNANSWERABLE for golden in self.goldens)

    @property
    def corpus_wide(self) -> int:
        """Goldens that are scored by the assertions that answers to them make, and by nothing else."""
        return sum(golden.kind == CORPUS_WIDE for golden in self.goldens)
