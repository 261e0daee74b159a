"""Two benchmarks beside each other: what fell, and by more than its noise."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ragset.errors import InputError
from ragset.evaluation.metrics.paired import ALPHA, KnownScores, differences
from ragset.evaluation.metrics.registry import has_mean
from ragset.evaluation.metrics.resample import Floats
from ragset.evaluation.metrics.scores import Bounds, with_bounds
from ragset.evaluation.results.folder import Read
from ragset.evaluation.results.identity import Ground, compare_ground
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
    ground: Ground
    """What both were measured on."""
    notice: str = ""

    @property
    def fell(self) -> tuple[Change, ...]:
        """Those for the worse, by more than their noise."""
        return tuple(change for change in self.changes if change.fell)


class _Pair(NamedTuple):
    """One configuration in one metric."""

    configuration: str
    metric: str
    after: KnownScores
    before: KnownScores


def compare(old: Read, new: Read, metrics: tuple[str, ...] = (), *, across_corpora: bool = False) -> Compared:
    """How each configuration that both results have changed, in `metrics` or else in the primary one of `old`.

    Configurations are matched by name and goldens by id. Where documents or goldens differ, the results are compared only
    `across_corpora`, and then over the goldens that are the same in both. Goldens of one document are not independent
    of each other, and are drawn together, as in the benchmark.

    Raises:
        InputError: documents or goldens differ, there is no such metric, or they share no configuration or golden.
    """
    ground = _ground(old, new)
    if ground.differs and not across_corpora:
        raise InputError(
            f"{old.folder} and {new.folder} were not measured on the same: {ground.told}. Measure both on one dataset, "
            "or give --across-corpora to compare them over the goldens that are the same"
        )
    wanted = tuple(dict.fromkeys(metrics)) or (old.benchmark.primary,)
    documents = _documents(old, new)
    goldens = list(ground.same)
    pairs: list[_Pair] = []
    shared: list[Shared] = []
    gone: dict[str, list[str]] = {}
    come: dict[str, list[str]] = {}
    for metric in wanted:
        one, other = table_in(old, metric), table_in(new, metric)
        both = [golden for golden in goldens if golden in one.columns and golden in other.columns]
        names = [str(name) for name in one.index if name in other.index]
        if not names or not both:
            raise InputError(_apart(old, new, metric, one, other, "golden" if names else "configuration"))
        found = [pair for pair in _pairs(old, new, metric, names, goldens) if _judged(pair).any()]
        pairs += found
        compared = {pair.configuration for pair in found}
        for table, lacking in ((one, gone), (other, come)):
            for name in map(str, table.index):
                if name not in compared:
                    lacking.setdefault(name, []).append(metric)
        only = len(one.columns) - len(both), len(other.columns) - len(both)
        shared.append(Shared(metric=metric, both=len(both), only_before=only[0], only_after=only[1]))
    return Compared(
        changes=_changes(pairs, None if documents is None else [documents[golden] for golden in goldens], old),
        goldens=tuple(shared),
        only_before=_named(gone, wanted),
        only_after=_named(come, wanted),
        ground=ground,
        notice="" if documents is not None else _UNCLUSTERED,
    )


def _ground(old: Read, new: Read) -> Ground:
    return compare_ground(old.contents, new.contents, old.benchmark.corpus_hash, new.benchmark.corpus_hash)


def _pairs(old: Read, new: Read, metric: str, names: list[str], goldens: list[str]) -> list[_Pair]:
    """Of each configuration its scores, golden by golden of `goldens`."""
    known = [_rows(read, metric, names, goldens) for read in (new, old)]
    return [
        _Pair(name, metric, *(KnownScores(*(part[[place]] for part in one)) for one in known))
        for place, name in enumerate(names)
    ]


def _rows(read: Read, metric: str, names: list[str], goldens: list[str]) -> KnownScores:
    scores = with_bounds(read.scores[read.scores["configuration"].isin(names)])
    known = known_of(scores, metric, goldens)
    there = [str(name) for name in table_of(scores, metric).index]
    order = [there.index(name) for name in names]
    return KnownScores(*(part[order] for part in known))


def _judged(pair: _Pair) -> "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]":
    return ~np.isnan((pair.after.values - pair.before.values)[0])


def _changes(pairs: Sequence[_Pair], labels: list[str] | None, old: Read) -> tuple[Change, ...]:
    if not pairs:
        return ()
    ours, theirs = (
        KnownScores(*(np.vstack(parts) for parts in zip(*sides, strict=True)))
        for sides in zip(*((pair.after, pair.before) for pair in pairs), strict=True)
    )
    found = differences(ours, theirs, labels, seed=old.benchmark.seed)
    changes: list[Change] = []
    for pair, one in zip(pairs, found, strict=True):
        # What could not be judged in one of them is in neither mean, so that they differ by the difference.
        both = _judged(pair)
        bounds = Bounds(
            worst=_mean(pair.after.worst - pair.before.best), best=_mean(pair.after.best - pair.before.worst)
        )
        changes.append(
            Change(
                configuration=pair.configuration,
                metric=pair.metric,
                before=float(pair.before.values[0, both].mean()),
                after=float(pair.after.values[0, both].mean()),
                difference=one.mean,
                low=one.low if math.isfinite(one.low) else None,
                high=one.high if math.isfinite(one.high) else None,
                p=one.p,
                p_holm=one.p_holm,
                goldens=one.n,
                missing=int((~np.isnan(pair.after.worst - pair.before.worst)).sum()) - one.n,
                bounds=None if math.isclose(bounds.worst, bounds.best, abs_tol=1e-9) else bounds,
            )
        )
    return tuple(changes)


def _mean(row: Floats) -> float:
    return float(row[~np.isnan(row)].mean())


def _documents(old: Read, new: Read) -> Mapping[str, str] | None:
    """Of each golden that both have. One of them is enough: an id is made of the evidence, and so names its document."""
    if old.documents is None and new.documents is None:
        return None
    return {**(new.documents or {}), **(old.documents or {})}


def table_in(read: Read, metric: str) -> "pd.DataFrame":
    """Configurations that have any score in it as rows, and goldens as columns."""
    if not has_mean(metric):
        raise InputError(f"metric: {metric} has no mean; choose another")
    known = [str(name) for name in dict.fromkeys(read.scores["metric"]) if has_mean(str(name))]
    if metric not in known:
        raise InputError(f"{read.folder}: there is no metric {metric}; choose from {', '.join(known)}")
    return table_of(read.scores, metric).dropna(how="all")


def _apart(old: Read, new: Read, metric: str, one: "pd.DataFrame", other: "pd.DataFrame", what: str) -> str:
    told = f"{old.folder} and {new.folder} have no {what} in common in {metric}"
    if what == "golden":
        return f"{told}; measure both on one dataset"
    before, after = ("; ".join(map(str, table.index)) or "none" for table in (one, other))
    return f"{told}: configurations are matched by name, and there are {before} before, {after} after"


def _named(lacking: Mapping[str, list[str]], wanted: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        name if len(metrics) == len(wanted) else f"{name} in {', '.join(metrics)}" for name, metrics in lacking.items()
    )
