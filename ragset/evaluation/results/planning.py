"""How many queries a benchmark needs to show a difference."""

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from ragset.errors import InputError
from ragset.evaluation.metrics.holm import ALPHA
from ragset.evaluation.metrics.paired import FEWEST, POWER, SAME
from ragset.evaluation.results.comparing import table_in
from ragset.evaluation.results.folder import StoredResults
from ragset.models import Model

if TYPE_CHECKING:
    import pandas as pd

CAUTIOUS = 0.5
"""The standard deviation of paired differences that is assumed where theirs is not known."""
_GUESS = f"a guess: differences of single queries that vary by {CAUTIOUS}, as where one query in four has another hit"


class Plan(Model):
    """How many queries show a difference in 4 of 5 benchmarks."""

    difference: float
    sd: float
    """Of the paired differences between two configurations."""
    basis: str
    queries: int


def plan(difference: float, results: StoredResults | None) -> Plan:
    """The queries that `difference` needs, by the spread of differences in `results`, or by a cautious guess."""
    if not 0 < difference <= 1:
        told = "metrics lie from 0 to 1, so ask for one between, such as 0.05"
        raise InputError(f"--difference: is {difference}; {told}")
    sd, basis = CAUTIOUS, f"{_GUESS}; give --results for the spread of your own"
    if results is not None:
        primary = results.benchmark.primary
        table = table_in(results, primary)
        if len(table) < 2:
            raise InputError(f"{results.folder}: has one configuration; two are needed to see how their scores differ")
        if len(table.columns) < 2:
            raise InputError(f"{results.folder}: has one golden; two or more are needed to see how scores vary")
        basis = f"scores hardly differ in {results.folder}; the spread cannot be told, so by {_GUESS}"
        if (found := spread(table)) is not None:
            sd = found
            basis = f"how {primary} of the best and of another configuration differs from query to query in {results.folder}"
    return Plan(difference=difference, sd=sd, basis=basis, queries=max(FEWEST, queries_needed(difference, sd)))


def spread(scores: "pd.DataFrame") -> float | None:
    """The standard deviation of paired differences between the best configuration and another.

    `scores` has configurations as rows and goldens as columns. Variances are averaged over the configurations that differ
    from the best on six goldens or more. None where none does, or where the result is too small to say anything.
    """
    means = scores.mean(axis=1).dropna().sort_values(ascending=False, kind="stable")
    if len(means) < 2:
        return None
    differences = (scores.loc[means.index[1:]] - scores.loc[means.index[0]]).to_numpy(dtype=np.float64)
    telling = differences[(np.abs(differences) > SAME).sum(axis=1) >= FEWEST]
    if not len(telling):
        return None
    sd = math.sqrt(float(np.nanvar(telling, axis=1, ddof=1).mean()))
    return sd if sd >= 0.05 else None


def queries_needed(difference: float, sd: float) -> int:
    """How many independent queries show a true mean difference, two-sided, by the normal approximation."""
    z = NormalDist().inv_cdf(1 - ALPHA / 2) + NormalDist().inv_cdf(POWER)
    # Rounded first, so that a whole number does not come out one too many.
    return max(2, math.ceil(round((z * sd / difference) ** 2, 6)))
