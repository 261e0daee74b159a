"""What a dataset is made of, by whom and at what cost: `manifest.json`.

Nothing in it tells when or where the run was, so the same parameters, documents and replies give the same bytes.
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from platform import python_version
from typing import Any, Literal

from pydantic import Field

from ragset import __version__
from ragset.dataset.leakage import Leakage
from ragset.dataset.train_test_split import Side
from ragset.llm.usage import total_cost
from ragset.models import Model, Reject, Usage

FORMAT = 1
MANIFEST = "manifest.json"
"""The file that makes a folder a dataset."""

_PACKAGES = ("llama-index-core", "milvus-lite", "numpy", "openai", "prefect", "pydantic", "pymilvus")


class FunnelRow(Model):
    """One stage: what entered, what went on, and why the rest did not."""

    stage: str
    entered: int
    left: int
    rejected: dict[str, int] = Field(default_factory=dict)
    """By reason, the most frequent first."""


class CorpusFacts(Model):
    """Which documents."""

    name: str
    hash: str
    """Of the ids of all documents, so of all texts."""
    documents: int
    characters: int
    chunks: int
    """Retrievable chunks under the strategy of the run."""


class Models(Model):
    """Who wrote, who judged, what embedded; `offline` where rules did."""

    generator: str
    critic: str
    embedding: str


class Totals(Model):
    """Of all the replies that the dataset rests on."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    """US dollars; None where a price is unknown."""

    @classmethod
    def of(cls, usage: Iterable[Usage]) -> "Totals":
        """Sums of rows."""
        rows = tuple(usage)
        return cls(
            calls=sum(row.calls for row in rows),
            prompt_tokens=sum(row.prompt_tokens for row in rows),
            completion_tokens=sum(row.completion_tokens for row in rows),
            cost=total_cost(rows),
        )


class Unread(Model):
    """A document that could not be read."""

    source: str
    reason: str


class Refreshed(Model):
    """What a refresh made of an earlier version."""

    before: str
    """Name of that version's folder."""
    valid: int
    moved: int
    stale: int
    added: int


class Split(Model):
    """How the goldens are divided, and what stands on two sides all the same."""

    by: Literal["evidence", "document"]
    sides: dict[str, Side]
    leakage: tuple[Leakage, ...]
    """For each two sides."""
    notice: str = ""
    """Why sizes are not as wanted; empty: they are."""


class Manifest(Model):
    """Everything about a dataset but the goldens themselves."""

    format: int = FORMAT
    kind: str = "single-chunk"
    ended: Literal["complete", "corpus used up", "budget spent"] = "complete"
    wanted: int | Literal["all"]
    kept: int
    seed: int
    corpus: CorpusFacts
    models: Models
    parameters: dict[str, Any]
    samples: str = ""
    """Digest of the real queries in whose style it is written; empty: there are none."""
    prompts: tuple[str, ...] = ()
    """Each as `name@version#digest`."""
    funnel: tuple[FunnelRow, ...] = ()
    usage: tuple[Usage, ...] = ()
    totals: Totals
    unread: tuple[Unread, ...] = ()
    refreshed: Refreshed | None = None
    """None: made anew."""
    split: Split | None = None
    """None: all goldens are for testing."""
    notices: tuple[str, ...] = ()
    """What a person should know of it, a line each: what was asked for and is not in it, what was not checked."""
    versions: dict[str, str] = Field(default_factory=dict)


def funnel_row(stage: str, entered: int, left: int, rejects: Iterable[Reject], **others: int) -> FunnelRow:
    """The row of a stage; `others` are reasons that leave no reject behind."""
    counts: dict[str, int] = {reason: count for reason, count in others.items() if count}
    for reject in rejects:
        if reject.stage == stage:
            counts[reject.reason] = counts.get(reject.reason, 0) + 1
    ordered = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    return FunnelRow(stage=stage, entered=entered, left=left, rejected=ordered)


def versions() -> Mapping[str, str]:
    """Of ragset, Python and the packages whose version can change a dataset."""
    found = {"ragset": __version__, "python": python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
