"""`manifest.json`: the parts, models and cost of a dataset, without time or place, so that equal runs give equal bytes."""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from platform import python_version
from typing import Any, Literal

from pydantic import Field

from ragset import __version__
from ragset.documents import Failure
from ragset.llm.usage import total_cost
from ragset.models import Model, Reject, Usage
from ragset.settings import ChunkingSettings

FORMAT = 1
LABELLED = "labelled"  # the kind of a dataset of queries that people asked
MANIFEST = "manifest.json"  # the file that makes a folder a dataset

_PACKAGES = ("llama-index-core", "milvus-lite", "numpy", "openai", "prefect", "pydantic", "pymilvus")


class FunnelRow(Model):
    """One stage: how many entered and left it, and why the others were rejected."""

    stage: str
    entered: int
    left: int
    rejected: dict[str, int] = Field(default_factory=dict)  # by reason, the most frequent first


class CorpusFacts(Model):
    """The documents of a dataset."""

    name: str
    hash: str  # of the ids of all documents, so of all texts
    documents: int
    characters: int
    chunks: int  # retrievable chunks under the strategy of the run


class Models(Model):
    """The models of a run; `offline` where rules stood in for one."""

    generator: str
    critic: str
    embedding: str


class Totals(Model):
    """Sums over all replies that the dataset rests on."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None  # US dollars; None where a price is unknown

    @classmethod
    def of(cls, usage: Iterable[Usage]) -> "Totals":
        """The sums of these rows."""
        rows = tuple(usage)
        return cls(
            calls=sum(row.calls for row in rows),
            prompt_tokens=sum(row.prompt_tokens for row in rows),
            completion_tokens=sum(row.completion_tokens for row in rows),
            cost=total_cost(rows),
        )


class Refreshed(Model):
    """How many goldens of an earlier version a refresh kept, lost and added."""

    before: str  # name of that version's folder
    valid: int
    moved: int
    stale: int
    added: int


class Reviewed(Model):
    """What people changed in an earlier version."""

    before: str  # name of that version's folder
    guideline: str  # `name@version` of the text that they judged by
    judged: int  # goldens
    removed: int
    corrected: int
    unapplied: int  # judgements of people who do not agree, or that do not fit


class Side(Model):
    """One side of a split."""

    wanted: float  # goldens by its share; seldom a whole number
    goldens: int
    components: int
    documents: int
    kinds: dict[str, int]


class Leakage(Model):
    """What two sides share; numbers of goldens are of those on either side that share it."""

    sides: tuple[str, str]
    evidence: int  # goldens whose evidence, or a passage as good, overlaps that of one on the other side
    chunks: int  # goldens drawn from a chunk that one on the other side was drawn from too
    repeats: int  # goldens that repeat one on the other side, in any way
    documents: int  # documents with evidence on both sides: some are to be expected, unless it was split by document
    highest_cosine: float | None
    """Of a query of one side and a query of the other; None without vectors or where a side is empty."""


class Split(Model):
    """How the goldens are divided, and what two sides share."""

    by: Literal["evidence", "document"]
    sides: dict[str, Side]
    leakage: tuple[Leakage, ...]  # for each two sides
    notice: str = ""  # why sizes are not as wanted; empty: they are


class CutRate(Model):
    """The share of goldens whose evidence a chunking cuts: a span of it is wholly in no chunk."""

    chunking: str
    goldens: int  # those with evidence
    cut: float
    chance: float  # the share expected with the evidence at other places of its documents
    noise: float  # how far `cut` lies from `chance` at most in 95 % of sets of so many goldens

    @property
    def favoured(self) -> bool:
        """Whether the chunking cuts the evidence less often than chance would, by more than the noise."""
        return self.cut < self.chance - self.noise

    @property
    def told(self) -> str:
        """The figures in words."""
        return f"the evidence of {self.cut:.1%} of its goldens, by chance {self.chance:.1%} (± {self.noise:.1%})"


class Manifest(Model):
    """Everything about a dataset except its goldens."""

    format: int = FORMAT
    kind: str = "single-chunk"
    ended: Literal["complete", "corpus used up", "budget spent"] = "complete"
    wanted: int | Literal["all"]
    kept: int
    seed: int
    corpus: CorpusFacts
    models: Models
    parameters: dict[str, Any]
    samples: str = ""  # digest of the sample queries whose style is imitated; empty without samples
    audience: str = ""  # who asks and why, by the user or else by the generator; empty: nobody was described
    prompts: tuple[str, ...] = ()  # each as `name@version#digest`
    funnel: tuple[FunnelRow, ...] = ()
    usage: tuple[Usage, ...] = ()
    totals: Totals
    unread: tuple[Failure, ...] = ()
    refreshed: Refreshed | None = None  # None: it is a first version
    reviewed: Reviewed | None = None  # None: it was made, and not by a review
    split: Split | None = None  # None: all goldens are for testing
    cut_rates: tuple[CutRate, ...] = ()  # the chunking of the run first; empty in older datasets
    notices: tuple[str, ...] = ()  # what a person should know, a line each: what is missing, what was not checked
    versions: dict[str, str] = Field(default_factory=dict)

    @property
    def drawn_from(self) -> Literal["passages", "chunks", "queries"]:
        """What goldens were made of: passages, chunks, or queries of one's own. Older datasets do not say so: chunks."""
        if self.kind == LABELLED:
            return "queries"
        sampling: dict[str, Any] = self.parameters.get("sampling") or {}
        return "passages" if sampling.get("from") == "passages" else "chunks"

    @property
    def home(self) -> str:
        """The chunking whose chunks the queries were drawn from; empty where they were drawn from passages."""
        drawn = "chunking" in self.parameters and self.drawn_from == "chunks"
        return chunking_of(self.parameters).name if drawn else ""

    @property
    def favours(self) -> str:
        """A notice that the goldens favour a chunking that they need not have favoured; else empty."""
        return favours(self.home) if self.home and self.kind == "single-chunk" else ""


def favours(chunking: str) -> str:
    """The notice on goldens that were drawn from the chunks of the chunking of that name."""
    return (
        f"The queries were drawn from chunks of {chunking}, so this test set favours that chunking. "
        "Drawn from passages (sampling.from) they would favour none."
    )


def chunking_of(parameters: Mapping[str, Any]) -> ChunkingSettings:
    """The chunking that parameters of a run name."""
    return ChunkingSettings.model_validate(parameters.get("chunking") or {})


def funnel_row(stage: str, entered: int, left: int, rejects: Iterable[Reject], **others: int) -> FunnelRow:
    """The row of a stage; `others` count reasons that leave no reject."""
    counts = Counter(reject.reason for reject in rejects if reject.stage == stage) + Counter(others)
    ordered = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    return FunnelRow(stage=stage, entered=entered, left=left, rejected=ordered)


def versions() -> Mapping[str, str]:
    """The versions of ragset, Python and the packages that can change a dataset."""
    found = {"ragset": __version__, "python": python_version()}
    for package in _PACKAGES:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found
