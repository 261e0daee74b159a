"""Two benchmarks beside each other: what fell, and by more than its noise."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ragset.errors import InputError
from ragset.evaluation.metrics.paired import ALPHA, Difference, KnownScores, differences
from ragset.evaluation.metrics.registry import has_mean
from ragset.evaluation.metrics.resample import Floats
from ragset.evaluation.metrics.scores import Bounds, with_bounds
from ragset.evaluation.results.comparability import Comparability, comparability
from ragset.evaluation.results.folder import StoredResults
from ragset.evaluation.results.standings import known_of, table_of
from ragset.models import Model

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
    """None where the goldens are too few for an interval."""
    high: float | None
    p: float
    p_holm: float
    """Corrected for the number of changes looked at."""
    goldens: int
    missing: int = 0
    """Goldens whose score is not known in one of the results."""
    bounds: Bounds | None = None
    """What the difference could be, by what is not known; None where all is known."""

    @property
    def fell(self) -> bool:
        """By more than its noise, whatever the scores are that are not known."""
        return self.difference < 0 and self.p_holm < ALPHA


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
    ground: Comparability
    """What both were measured on."""
    notice: str = ""

    @property
    def fell(self) -> tuple[Change, ...]:
        """Those for the worse, by more than their noise."""
        return tuple(change for change in self.changes if change.fell)


class _Pair(NamedTuple):
    """One configuration in one metric; a row each."""

    configuration: str
    metric: str
    after: KnownScores
    before: KnownScores


def compare(
    old: StoredResults, new: StoredResults, metrics: tuple[str, ...] = (), *, across_corpora: bool = False
) -> Compared:
    """How each configuration that both results have changed, in `metrics` or else in the primary one of `old`.

    Configurations are matched by name and goldens by id. Where documents or goldens differ, the results are compared only
    `across_corpora`, and then over the goldens that are the same in both. Goldens of one document are drawn together,
    as in the benchmark.

    Raises:
        InputError: documents or goldens differ, there is no such metric, or they share no configuration or golden.
    """
    ground = comparability(old.contents, new.contents, old.benchmark.corpus_hash, new.benchmark.corpus_hash)
    if ground.differs and not across_corpora:
        raise InputError(
            f"{old.folder} and {new.folder} were not measured on the same: {ground.told}. Measure both on one dataset, "
            "or give --across-corpora to compare them over the goldens that are the same"
        )
    wanted = tuple(dict.fromkeys(metrics)) or (old.benchmark.primary,)
    pairs: list[_Pair] = []
    shared: list[Shared] = []
    lacking: tuple[dict[str, list[str]], dict[str, list[str]]] = {}, {}
    for metric in wanted:
        tables = table_in(old, metric), table_in(new, metric)
        both = [golden for golden in ground.same if all(golden in table.columns for table in tables)]
        names = [str(name) for name in tables[0].index if name in tables[1].index]
        if not names or not both:
            raise InputError(_apart(old, new, metric, *tables, "golden" if names else "configuration"))
        rows = (_rows(stored, metric, names, list(ground.same)) for stored in (new, old))
        ones = [_Pair(name, metric, after, before) for name, after, before in zip(names, *rows, strict=True)]
        ones = [pair for pair in ones if not np.isnan(pair.after.values - pair.before.values).all()]
        pairs += ones
        compared = {pair.configuration for pair in ones}
        for table, of in zip(tables, lacking, strict=True):
            for name in map(str, table.index):
                if name not in compared:
                    of.setdefault(name, []).append(metric)
        only_before, only_after = (len(table.columns) - len(both) for table in tables)
        shared.append(Shared(metric=metric, both=len(both), only_before=only_before, only_after=only_after))
    documents: dict[str, str] | None = None
    if old.documents is not None or new.documents is not None:
        # One of them is enough: an id is made of the evidence, and so names its document.
        documents = {**(new.documents or {}), **(old.documents or {})}
    labels = None if documents is None else [documents[golden] for golden in ground.same]
    found: list[Difference] = []
    if pairs:
        sides = [pair.after for pair in pairs], [pair.before for pair in pairs]
        ours, theirs = (KnownScores(*map(np.vstack, zip(*side, strict=True))) for side in sides)
        found = differences(ours, theirs, labels, seed=old.benchmark.seed)
    gone, come = (_named(of, wanted) for of in lacking)
    return Compared(
        changes=tuple(_change(pair, one) for pair, one in zip(pairs, found, strict=True)),
        goldens=tuple(shared),
        only_before=gone,
        only_after=come,
        ground=ground,
        notice="" if documents is not None else _UNCLUSTERED,
    )


def _rows(stored: StoredResults, metric: str, names: list[str], goldens: list[str]) -> list[KnownScores]:
    """Of each configuration its scores, golden by golden of `goldens`."""
    scores = with_bounds(stored.scores[stored.scores["configuration"].isin(names)])
    known = known_of(scores, metric, goldens)
    there = [str(name) for name in table_of(scores, metric).index]
    return [known.rows([there.index(name)]) for name in names]


def _change(pair: _Pair, found: Difference) -> Change:
    # What could not be judged in one of them is in neither mean, so that they differ by the difference.
    both = ~np.isnan(pair.after.values - pair.before.values)
    worst, best = _mean(pair.after.worst - pair.before.best), _mean(pair.after.best - pair.before.worst)
    return Change(
        configuration=pair.configuration,
        metric=pair.metric,
        before=float(pair.before.values[both].mean()),
        after=float(pair.after.values[both].mean()),
        difference=found.mean,
        low=found.low if math.isfinite(found.low) else None,
        high=found.high if math.isfinite(found.high) else None,
        p=found.p,
        p_holm=found.p_holm,
        goldens=found.n,
        missing=int((~np.isnan(pair.after.worst - pair.before.worst)).sum()) - found.n,
        bounds=None if math.isclose(worst, best, abs_tol=1e-9) else Bounds(worst=worst, best=best),
    )


def _mean(values: Floats) -> float:
    return float(values[~np.isnan(values)].mean())


def table_in(stored: StoredResults, metric: str) -> "pd.DataFrame":
    """Configurations that have any score in it as rows, and goldens as columns."""
    if not has_mean(metric):
        raise InputError(f"metric: {metric} has no mean; choose another")
    known = [str(name) for name in dict.fromkeys(stored.scores["metric"]) if has_mean(str(name))]
    if metric not in known:
        raise InputError(f"{stored.folder}: there is no metric {metric}; choose from {', '.join(known)}")
    return table_of(stored.scores, metric).dropna(how="all")


def _apart(
    old: StoredResults, new: StoredResults, metric: str, one: "pd.DataFrame", other: "pd.DataFrame", what: str
) -> str:
    told = f"{old.folder} and {new.folder} have no {what} in common in {metric}"
    if what == "golden":
        return f"{told}; measure both on one dataset"
    before, after = ("; ".join(map(str, table.index)) or "none" for table in (one, other))
    return f"{told}: configurations are matched by name, and there are {before} before, {after} after"


def _named(lacking: Mapping[str, list[str]], wanted: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        name if len(metrics) == len(wanted) else f"{name} in {', '.join(metrics)}" for name, metrics in lacking.items()
    )
