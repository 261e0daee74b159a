"""How many queries a benchmark needs to show a difference."""

from ragset.errors import InputError
from ragset.evaluation.metrics.paired import FEWEST
from ragset.evaluation.metrics.stats import CAUTIOUS, queries_needed, spread
from ragset.evaluation.results.comparing import table_in
from ragset.evaluation.results.folder import StoredResults
from ragset.models import Model


class Plan(Model):
    """How many queries a difference needs to be seen."""

    difference: float
    sd: float
    """Of the paired differences between two configurations."""
    basis: str
    queries: int
    """That show it in 4 of 5 benchmarks."""


def plan(difference: float, results: StoredResults | None) -> Plan:
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
        table = table_in(results, primary)
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
