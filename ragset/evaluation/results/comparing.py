"""Two benchmarks beside each other: what fell, and by more than its noise."""

import math
import shlex
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ragset.errors import InputError
from ragset.evaluation.metrics.holm import ALPHA
from ragset.evaluation.metrics.paired import Difference, KnownScores, differences
from ragset.evaluation.metrics.registry import ranks
from ragset.evaluation.metrics.scores import Bounds, with_bounds
from ragset.evaluation.results.folder import StoredResults
from ragset.evaluation.results.renaming import suggested
from ragset.evaluation.results.standings import finite, known_of, table_of
from ragset.models import Model

if TYPE_CHECKING:
    import pandas as pd


class Change(Model):
    """One configuration in one metric, before and after, over the goldens that have a score in both results."""

    configuration: str
    metric: str
    before: float
    after: float
    difference: float
    low: float | None
    high: float | None
    p: float
    p_holm: float
    goldens: int
    missing: int = 0
    bounds: Bounds | None = None
    """Of the difference; None where all scores are known."""

    @property
    def fell(self) -> bool:
        """Whether it fell by more than its noise, whatever the unknown scores are."""
        return self.difference < 0 and self.p_holm < ALPHA

    @property
    def rose(self) -> bool:
        """Whether it rose by more than its noise, whatever the unknown scores are."""
        return self.difference > 0 and self.p_holm < ALPHA


class Shared(Model):
    """How many goldens are scored in a metric before and after."""

    metric: str
    both: int
    only_before: int
    only_after: int


class Comparability(Model):
    """Which documents and goldens two benchmarks share; goldens by their ids."""

    corpus_before: str
    corpus_after: str
    same: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    added: tuple[str, ...]

    @classmethod
    def of(cls, old: StoredResults, new: StoredResults) -> "Comparability":
        """Compare the digests of documents and goldens."""
        before, after = old.contents, new.contents
        return cls(
            corpus_before=old.benchmark.corpus_hash,
            corpus_after=new.benchmark.corpus_hash,
            same=tuple(golden for golden in before if after.get(golden) == before[golden]),
            changed=tuple(golden for golden in before if golden in after and after[golden] != before[golden]),
            removed=tuple(golden for golden in before if golden not in after),
            added=tuple(golden for golden in after if golden not in before),
        )

    @property
    def differs(self) -> bool:
        """Whether documents or goldens differ."""
        return bool(self.told)

    @property
    def told(self) -> str:
        """What differs, as a list of phrases."""
        parts = ("removed", "added", "changed")
        goldens = ", ".join(f"{len(getattr(self, part)):,} {part}" for part in parts if getattr(self, part))
        phrases: list[str] = []
        if self.corpus_before != self.corpus_after:
            phrases.append(f"the documents are others (corpus {self.corpus_before} before, {self.corpus_after} after)")
        if goldens:
            phrases.append(f"goldens: {goldens}, {len(self.same):,} the same")
        return "; ".join(phrases)


class Compared(Model):
    """What changed, and what could not be compared."""

    changes: tuple[Change, ...]
    goldens: tuple[Shared, ...]
    only_before: tuple[str, ...]
    """Configurations that lack a score afterwards, in any of the metrics."""
    only_after: tuple[str, ...]
    ground: Comparability

    @property
    def fell(self) -> tuple[Change, ...]:
        """The changes for the worse by more than their noise."""
        return tuple(change for change in self.changes if change.fell)


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
    ground = Comparability.of(old, new)
    if ground.differs and not across_corpora:
        raise InputError(
            f"{old.folder} and {new.folder} were not measured on the same: {ground.told}. Measure both on one dataset, "
            "or give --across-corpora to compare them over the goldens that are the same"
        )
    pairs: list[tuple[str, str]] = []
    sides: tuple[list[KnownScores], list[KnownScores]] = [], []
    shared: list[Shared] = []
    only_before: dict[str, None] = {}
    only_after: dict[str, None] = {}
    for metric in dict.fromkeys(metrics or (old.benchmark.primary,)):
        before, after = table_in(old, metric), table_in(new, metric)
        both = [golden for golden in ground.same if golden in before.columns and golden in after.columns]
        names = [str(name) for name in before.index if name in after.index]
        if not names or not both:
            raise InputError(_apart(old, new, metric, before, after))
        scores = [known_of(with_bounds(stored.scores), metric, names, list(ground.same)) for stored in (new, old)]
        kept = np.flatnonzero(~np.isnan(scores[0].values - scores[1].values).all(axis=1)).tolist()
        pairs += ((names[place], metric) for place in kept)
        for side, known in zip(sides, scores, strict=True):
            side.append(known.rows(kept))
        only_before |= {name: None for name in map(str, before.index) if (name, metric) not in pairs}
        only_after |= {name: None for name in map(str, after.index) if (name, metric) not in pairs}
        first, then = (len(table.columns) - len(both) for table in (before, after))
        shared.append(Shared(metric=metric, both=len(both), only_before=first, only_after=then))
    ours, theirs = (KnownScores(*map(np.concatenate, zip(*side, strict=True))) for side in sides)
    found = differences(ours, theirs, [old.documents[golden] for golden in ground.same], seed=old.benchmark.seed)
    rows = enumerate(zip(pairs, found, strict=True))
    return Compared(
        changes=tuple(_change(pair, one, ours.rows([row]), theirs.rows([row])) for row, (pair, one) in rows),
        goldens=tuple(shared),
        only_before=tuple(only_before),
        only_after=tuple(only_after),
        ground=ground,
    )


def _change(pair: tuple[str, str], found: Difference, after: KnownScores, before: KnownScores) -> Change:
    # What could not be judged in one of them is in neither mean, so that they differ by the difference.
    both = ~np.isnan(after.values - before.values)
    lowest, highest = after.worst - before.best, after.best - before.worst
    asked = ~np.isnan(lowest)
    worst, best = float(lowest[asked].mean()), float(highest[asked].mean())
    return Change(
        configuration=pair[0],
        metric=pair[1],
        before=float(before.values[both].mean()),
        after=float(after.values[both].mean()),
        difference=found.mean,
        low=finite(found.low),
        high=finite(found.high),
        p=found.p,
        p_holm=found.p_holm,
        goldens=found.n,
        missing=int(asked.sum()) - found.n,
        bounds=None if math.isclose(worst, best, abs_tol=1e-9) else Bounds(worst=worst, best=best),
    )


def table_in(stored: StoredResults, metric: str) -> "pd.DataFrame":
    """The configurations with any score as rows, and goldens as columns."""
    known = [str(name) for name in dict.fromkeys(stored.scores["metric"]) if ranks(str(name))]
    if not ranks(metric):
        raise InputError(f"metric: a higher {metric} is not better; choose from {', '.join(known)}")
    if metric not in known:
        raise InputError(f"{stored.folder}: there is no metric {metric}; choose from {', '.join(known)}")
    return table_of(stored.scores, metric).dropna(how="all")


def _apart(old: StoredResults, new: StoredResults, metric: str, before: "pd.DataFrame", after: "pd.DataFrame") -> str:
    told = f"{old.folder} and {new.folder} have no"
    if set(before.index) & set(after.index):
        return f"{told} golden in common in {metric}; measure both on one dataset"
    first, then = ("; ".join(map(str, table.index)) or "none" for table in (before, after))
    names = f"configurations are matched by name, and there are {first} before, {then} after"
    return f"{told} configuration in common in {metric}: {names}. {how_to_map(before.index, after.index)}"


def how_to_map(before: Iterable[object], after: Iterable[object]) -> str:
    """How to compare configurations that have other names afterwards: the options where their names suggest any."""
    names = suggested(map(str, before), map(str, after))
    options = " ".join(shlex.join(["--map", f"{old}={new}"]) for old, new in names.items())
    return f"To compare them all the same: {options or '--map BEFORE=AFTER, with names or parts of names'}"
