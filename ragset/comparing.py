"""Two benchmarks beside each other: what fell, and by more than its noise; and how many queries show a difference."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ragset.errors import InputError
from ragset.experiment import GOLD_RANK, table_of
from ragset.metrics.stats import CAUTIOUS, FEWEST, holm, paired, queries_needed, spread
from ragset.models import Model
from ragset.results import Read

if TYPE_CHECKING:
    import pandas as pd

_UNCLUSTERED = (
    "Neither of the results says which document each golden is of, as they are by an earlier version: goldens are "
    "taken as independent of each other, so a fall is found too easily. Run the benchmark again."
)


class Change(Model):
    """One configuration in one metric, before and after, over the goldens that have a score in both results."""

    configuration: str
    metric: str
    before: float
    after: float
    difference: float
    low: float | None
    """None where a single golden has both scores."""
    high: float | None
    p: float
    p_holm: float
    """Corrected for the number of changes looked at."""
    goldens: int

    @property
    def fell(self) -> bool:
        """By more than its noise."""
        return self.difference < 0 and self.p_holm < 0.05


class Shared(Model):
    """How many goldens are scored in a metric before and after."""

    metric: str
    both: int
    only_before: int
    only_after: int


class Compared(Model):
    """What changed, and what could not be compared."""

    changes: tuple[Change, ...]
    goldens: tuple[Shared, ...]
    """For each metric; what one result alone has is in no change."""
    only_before: tuple[str, ...]
    """Configurations that have no score afterwards; with the metric, where they have one in another."""
    only_after: tuple[str, ...]
    notice: str = ""

    @property
    def fell(self) -> tuple[Change, ...]:
        """Those for the worse, by more than their noise."""
        return tuple(change for change in self.changes if change.fell)


def compare(old: Read, new: Read, metrics: tuple[str, ...] = ()) -> Compared:
    """How each configuration that both results have changed, in `metrics` or else in the primary one of `old`.

    Configurations are matched by name and goldens by id. Goldens of one document are not independent of each other, and
    are drawn together, as in the benchmark.

    Raises:
        InputError: there is no such metric, or they share no configuration or golden.
    """
    wanted = tuple(dict.fromkeys(metrics)) or (old.benchmark.primary,)
    documents = _documents(old, new)
    found: list[Change] = []
    shared: list[Shared] = []
    gone: dict[str, list[str]] = {}
    come: dict[str, list[str]] = {}
    for metric in wanted:
        one, other = _table(old, metric), _table(new, metric)
        goldens = [str(golden) for golden in one.columns if golden in other.columns]
        names = [str(name) for name in one.index if name in other.index]
        if not names or not goldens:
            raise InputError(_apart(old, new, metric, one, other, "golden" if names else "configuration"))
        labels = None if documents is None else [documents[golden] for golden in goldens]
        changes = [
            change
            for name in names
            if (change := _change(name, metric, one, other, goldens, labels, old.benchmark.seed)) is not None
        ]
        found += changes
        compared = {change.configuration for change in changes}
        for table, lacking in ((one, gone), (other, come)):
            for name in map(str, table.index):
                if name not in compared:
                    lacking.setdefault(name, []).append(metric)
        only = len(one.columns) - len(goldens), len(other.columns) - len(goldens)
        shared.append(Shared(metric=metric, both=len(goldens), only_before=only[0], only_after=only[1]))
    corrected = holm([change.p for change in found])
    return Compared(
        changes=tuple(change.model_copy(update={"p_holm": p}) for change, p in zip(found, corrected, strict=True)),
        goldens=tuple(shared),
        only_before=_named(gone, wanted),
        only_after=_named(come, wanted),
        notice="" if documents is not None else _UNCLUSTERED,
    )


def _documents(old: Read, new: Read) -> Mapping[str, str] | None:
    """Of each golden that both have. One of them is enough: an id is made of the evidence, and so names its document."""
    if old.documents is None and new.documents is None:
        return None
    return {**(new.documents or {}), **(old.documents or {})}


def _table(read: Read, metric: str) -> "pd.DataFrame":
    """Configurations that have any score in it as rows, and goldens as columns."""
    if metric == GOLD_RANK:
        raise InputError(f"metric: {GOLD_RANK} has no mean; choose another")
    known = [str(name) for name in dict.fromkeys(read.scores["metric"]) if name != GOLD_RANK]
    if metric not in known:
        raise InputError(f"{read.folder}: there is no metric {metric}; choose from {', '.join(known)}")
    return table_of(read.scores, metric).dropna(how="all")


def _apart(old: Read, new: Read, metric: str, one: "pd.DataFrame", other: "pd.DataFrame", what: str) -> str:
    told = f"{old.folder} and {new.folder} have no {what} in common in {metric}"
    if what == "golden":
        return f"{told}; measure both on one dataset"
    before, after = ("; ".join(map(str, table.index)) or "none" for table in (one, other))
    return f"{told}: configurations are matched by name, and there are {before} before, {after} after"


def _change(
    name: str,
    metric: str,
    one: "pd.DataFrame",
    other: "pd.DataFrame",
    goldens: list[str],
    labels: list[str] | None,
    seed: int,
) -> Change | None:
    """None where no golden has a score in both."""
    a, b = (table.loc[[name], goldens].to_numpy(dtype=float)[0] for table in (one, other))
    difference = paired(b, a, labels, seed=seed)
    if not difference.n:
        return None
    # What could not be judged in one of them is in neither mean, so that they differ by the difference.
    both = (a == a) & (b == b)
    return Change(
        configuration=name,
        metric=metric,
        before=float(a[both].mean()),
        after=float(b[both].mean()),
        difference=difference.mean,
        low=None if math.isnan(difference.low) else difference.low,
        high=None if math.isnan(difference.high) else difference.high,
        p=difference.p,
        p_holm=difference.p,
        goldens=difference.n,
    )


def _named(lacking: Mapping[str, list[str]], wanted: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        name if len(metrics) == len(wanted) else f"{name} in {', '.join(metrics)}" for name, metrics in lacking.items()
    )


class Plan(Model):
    """How many queries a difference needs to be seen."""

    difference: float
    sd: float
    """Of the paired differences between two configurations."""
    basis: str
    queries: int
    """That show it in 4 of 5 benchmarks."""


def plan(difference: float, results: Read | None) -> Plan:
    """The queries that `difference` needs, by the spread of differences in `results`, or by a cautious guess.

    Raises:
        InputError: the difference is not above 0, or the results are of one configuration or of one golden.
    """
    if not 0 < difference <= 1:
        raise InputError(
            f"--difference: is {difference}; metrics lie from 0 to 1, so ask for one between, such as 0.05"
        )
    sd, basis = CAUTIOUS, _guess("give --results for the spread of your own")
    if results is not None:
        primary = results.benchmark.primary
        table = _table(results, primary)
        if len(table) < 2:
            raise InputError(f"{results.folder}: has one configuration; two are needed to see how their scores differ")
        if len(table.columns) < 2:
            raise InputError(f"{results.folder}: has one golden; two or more are needed to see how scores vary")
        found = spread(table)
        if found is None:
            basis = f"scores hardly differ in {results.folder}; the spread cannot be told, so by {_guess()}"
        else:
            sd = found
            basis = f"how {primary} of the best and of another configuration differs from query to query in {results.folder}"
    queries = max(FEWEST, queries_needed(difference, sd))
    return Plan(difference=difference, sd=sd, basis=basis, queries=queries)


def _guess(mend: str = "") -> str:
    told = f"a guess: differences of single queries that vary by {CAUTIOUS}, as where one query in four has another hit"
    return f"{told}; {mend}" if mend else told
