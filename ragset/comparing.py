"""Two benchmarks beside each other: what fell, and by more than its noise; and how many queries show a difference."""

import numpy as np

from ragset.errors import InputError
from ragset.experiment import GOLD_RANK, table_of
from ragset.metrics.stats import holm, paired, queries_needed
from ragset.models import Model
from ragset.results import Read


class Change(Model):
    """One configuration in one metric, before and after, over the goldens that both results have."""

    configuration: str
    metric: str
    before: float
    after: float
    difference: float
    low: float
    high: float
    p: float
    p_holm: float
    """Corrected for the number of changes looked at."""
    goldens: int

    @property
    def fell(self) -> bool:
        """By more than its noise."""
        return self.difference < 0 and self.p_holm < 0.05


def changes(old: Read, new: Read, metrics: tuple[str, ...] = ()) -> tuple[Change, ...]:
    """How each configuration that both results have changed, in `metrics` or else in the primary one of `old`.

    Raises:
        InputError: they share no configuration, metric or golden.
    """
    wanted = metrics or (old.benchmark.primary,)
    found: list[Change] = []
    for metric in wanted:
        if metric == GOLD_RANK:
            raise InputError(f"metric: {GOLD_RANK} has no mean; choose another")
        one, other = table_of(old.scores, metric), table_of(new.scores, metric)
        names = [str(name) for name in one.index if name in other.index]
        goldens = [str(golden) for golden in one.columns if golden in other.columns]
        if not names or not goldens:
            what = "configuration" if not names else "golden"
            raise InputError(
                f"{old.folder} and {new.folder} have no {what} in common in {metric}; measure both on one dataset"
            )
        for name in names:
            a, b = (table.loc[[name], goldens].to_numpy(dtype=float)[0] for table in (one, other))
            difference = paired(b, a, seed=old.benchmark.seed)
            if not difference.n:
                continue
            found.append(
                Change(
                    configuration=name,
                    metric=metric,
                    before=float(np.nanmean(a)),
                    after=float(np.nanmean(b)),
                    difference=difference.mean,
                    low=difference.low,
                    high=difference.high,
                    p=difference.p,
                    p_holm=difference.p,
                    goldens=difference.n,
                )
            )
    corrected = holm([change.p for change in found])
    return tuple(change.model_copy(update={"p_holm": p}) for change, p in zip(found, corrected, strict=True))


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
        InputError: the difference is not above 0, or the results are of one configuration.
    """
    if not 0 < difference <= 1:
        raise InputError(
            f"--difference: is {difference}; metrics lie from 0 to 1, so ask for one between, such as 0.05"
        )
    if results is None:
        return Plan(
            difference=difference,
            sd=0.5,
            basis="a guess: differences of single queries that vary by 0.5, as where one query in four has another hit; "
            "give --results for the spread of your own",
            queries=queries_needed(difference, 0.5),
        )
    primary = results.benchmark.primary
    table = table_of(results.scores, primary)
    if len(table) < 2:
        raise InputError(f"{results.folder}: has one configuration; two are needed to see how their scores differ")
    order = table.mean(axis=1).sort_values(ascending=False, kind="stable").index
    sd = float((table.loc[order[0]] - table.loc[order[1]]).std(ddof=1))
    return Plan(
        difference=difference,
        sd=sd,
        basis=f"how {primary} of the two best configurations differs from query to query in {results.folder}",
        queries=queries_needed(difference, sd),
    )
