"""What a benchmark finds: scores for each configuration and golden, and what follows from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import Field

from ragset.dataset.importers import Unaligned
from ragset.dataset.relevance.layout import places_of
from ragset.documents.corpus import Corpus
from ragset.evaluation.efficiency import Efficiency, Effort
from ragset.evaluation.failures import FAILURES, RIGHT
from ragset.evaluation.metrics.claims import Diagnosis
from ragset.evaluation.metrics.holm import ALPHA
from ragset.evaluation.metrics.paired import FEWEST
from ragset.evaluation.metrics.scores import Bounds
from ragset.evaluation.results.datasets import DatasetAgreement, DatasetCutRate, DatasetDiscrimination
from ragset.models import UNANSWERABLE, Golden, Model
from ragset.retrieval.fusion import Hit
from ragset.settings import OFFLINE

if TYPE_CHECKING:
    import pandas as pd

Run = Mapping[str, Sequence[Hit]]
"""Hits by golden id, best first; the id of a hit is `doc_id:start-end`."""


class UnansweredQuery(Model):
    """A query that another system failed on."""

    golden: str
    query: str
    reason: str


class UnalignedPassage(Model):
    """A passage that was not found in the documents; its score is the share of its letters that they have, in order."""

    golden: str
    text: str
    score: float = 0.0
    reason: str = ""


class ExternalFacts(Model):
    """How far the scores of another system can be trusted."""

    queries: int
    answered: int
    failed: tuple[UnansweredQuery, ...] = ()
    passages: int = 0
    unaligned: int = 0
    unaligned_queries: int = 0
    examples: tuple[UnalignedPassage, ...] = ()
    alignment: float | None = None
    """Mean share of a passage's letters that the documents have, in order; None where no passage is known by its text."""
    unknown: tuple[str, ...] = ()
    """The first ten ids or queries of the file that no golden has."""
    unknown_count: int = 0

    @property
    def notices(self) -> tuple[str, ...]:
        """What a reader of the scores must know, a sentence each."""
        said: list[str] = []
        if left_out := self.queries - self.answered - len(self.failed):
            others = f"the other {left_out} count 0 at worst and 1 at best"
            said.append(f"covers {self.answered} of {self.queries} goldens: {others}")
        if self.failed:
            first = f"first on {self.failed[0].query!r}: {self.failed[0].reason}"
            share = f"{len(self.failed)} of {self.queries} queries"
            said.append(f"failed on {share}, which count 0 at worst and 1 at best; {first}")
        if self.unknown_count:
            more = ", …" if self.unknown_count > len(self.unknown) else ""
            said.append(f"{self.unknown_count} of its queries are of no golden: {', '.join(self.unknown)}{more}")
        if self.unaligned:
            share = f"{self.unaligned:,} of its {self.passages:,} passages, in {self.unaligned_queries} of {self.queries} queries"
            said.append(f"{share}, could not be found in the documents: irrelevant at worst, evidence at best")
        return tuple(said)


class MappingFacts(Model):
    """How existing chunks stand in the documents."""

    chunks: int
    """That are searched."""
    repeated: int = 0
    """Left out, since they are empty or have the text of another."""
    not_found: int = 0
    """In no document; they are searched, and are no evidence."""
    examples: tuple[str, ...] = ()

    @property
    def notices(self) -> tuple[str, ...]:
        """What a reader of the scores must know, a sentence each."""
        said: list[str] = []
        if self.not_found:
            share = f"{self.not_found:,} of its {self.chunks:,} chunks"
            said.append(f"{share} could not be found in the documents, and count as irrelevant")
        if self.repeated:
            said.append(f"{self.repeated:,} chunks are left out: they are empty, or have the text of another")
        return tuple(said)


class RetrievalResult(Model):
    """What a system retrieved for each golden, best first, and what another system answered."""

    hits: dict[str, tuple[Hit, ...]]
    """By golden id; a hit of another system may be several places of documents (`ragset.dataset.relevance.layout`)."""
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


def differences_shown(comparisons: Sequence[Comparison]) -> str:
    """How large a difference from the best must be to show, as a sentence without a stop; empty where nothing is compared."""
    # The first are those with the best.
    pairs = [one for one in comparisons if one.against == comparisons[0].against]
    known = [one.smallest for one in pairs if one.smallest is not None]
    if not pairs:
        return ""
    if not known:
        needed = f"it takes more goldens, and {FEWEST} or more on which two configurations differ"
        return f"how large a difference must be to show is not known: {needed}"
    low, high = f"{min(known):.3f}", f"{max(known):.3f}"
    size = low if low == high else f"{low} to {high}, by pair,"
    rest = "" if len(known) == len(pairs) else f" (not known of {len(pairs) - len(known)} of {len(pairs)} pairs)"
    return f"a difference from the best of {size} would show in 4 of 5 benchmarks{rest}"


def by_rules(made: int, goldens: int) -> str:
    """That goldens were made by rules, as sentences; empty where none were."""
    if not made:
        return ""
    which = f"All {goldens:,} goldens were" if made == goldens else f"{made:,} of {goldens:,} goldens were"
    return (
        f"{which} made by rules (offline), not by a language model. Such queries repeat the words of their passages: they show "
        "that a benchmark runs, make no test set, and say little about which configuration answers people best."
    )
