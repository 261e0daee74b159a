"""What a benchmark finds: scores for each configuration and golden, and what follows from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import Field

from ragset.dataset.importers import Unaligned
from ragset.documents.corpus import Corpus
from ragset.evaluation.metrics.paired import ALPHA
from ragset.evaluation.metrics.scores import Bounds
from ragset.evaluation.results.external import ExternalFacts
from ragset.models import UNANSWERABLE, Golden, Model
from ragset.retrieval.fusion import Hit
from ragset.settings import OFFLINE

if TYPE_CHECKING:
    import pandas as pd

Run = Mapping[str, Sequence[Hit]]
"""Hits by golden id, best first; the id of a hit is `doc_id:start-end`."""


class RetrievalResult(Model):
    """What a system retrieved for each golden, best first, and what another system answered."""

    hits: dict[str, tuple[Hit, ...]]
    """By golden id; a hit of another system may be several places of documents (`ragset.evaluation.metrics.layout`)."""
    answers: dict[str, str | None] = Field(default_factory=dict)
    """Of another system; empty where it answered nothing."""
    texts: dict[str, str] = Field(default_factory=dict)
    """Of another system's passages by the id of their hit, as it gave them."""
    external: ExternalFacts | None = None


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
    """Of another system: what it did not answer, and what was not found in the documents; None of one of ours."""


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
    """With `high` the interval at the level of the test, which excludes 0 where `p_holm` is below 0.05 and nowhere else. None:
    the goldens are too few for one."""
    high: float | None
    p: float
    p_holm: float
    smallest: float | None = None
    """The true difference that this pair would show in 4 of 5 benchmarks, corrected alike; None where that is not known."""

    @property
    def told(self) -> str:
        """`better`, `worse`, or empty where the data do not tell the two apart."""
        if not self.p_holm < ALPHA or not self.difference:
            return ""
        return "better" if self.difference > 0 else "worse"


class DatasetAgreement(Model):
    """How alike two datasets rank the same configurations: rank correlations from -1 to 1, None where not defined."""

    one: str
    other: str
    metric: str
    tau_b: float | None
    tau_low: float | None
    tau_high: float | None
    spearman: float | None
    rho_low: float | None
    rho_high: float | None
    configurations: int


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
    """Columns `configuration`, `golden`, `metric`, `value`; NaN where a judgement could not be had. `worst` and `best`, if
    there are such columns, are the bounds of each value (`ragset.evaluation.metrics.scores`)."""
    standings: tuple[Standing, ...]
    comparisons: tuple[Comparison, ...]
    primary: str
    baseline: str
    primary_basis: str = ""
    problems: tuple[Unaligned, ...] = ()
    agreements: tuple[DatasetAgreement, ...] = ()
    seed: int = 0
    parameters: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    def values_of(self, metric: str) -> dict[tuple[str, str], float]:
        """The scores in one metric by configuration and golden; NaN where it could not be judged."""
        rows: Any = self.scores[self.scores["metric"] == metric]
        return {
            (str(configuration), str(golden)): float(value)
            for configuration, golden, value in zip(rows["configuration"], rows["golden"], rows["value"], strict=True)
        }

    @property
    def made_by_rules(self) -> int:
        """Goldens whose query was drafted by rules, not by a language model."""
        return sum(
            any(step.stage == "draft" and step.model == OFFLINE for step in golden.lineage) for golden in self.goldens
        )

    @property
    def unanswerable(self) -> int:
        """Goldens without an answer in the corpus: nothing is to be found for them, so they are in no metric of retrieval."""
        return sum(golden.kind == UNANSWERABLE for golden in self.goldens)
