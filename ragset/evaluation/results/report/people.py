"""The section on what people judged. It stands between two marks, so that it can be written anew when more was judged."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ragset.dataset.report.page import template_of
from ragset.evaluation.metrics.registry import in_order
from ragset.evaluation.results.corrected import CorrectedDifference, CorrectedMetric, Judged
from ragset.evaluation.results.folder import Benchmark
from ragset.evaluation.results.model import Results
from ragset.evaluation.results.report.board import make_board
from ragset.evaluation.results.report.charts import Axis, axis_of_changes, axis_over
from ragset.evaluation.results.report.filters import FILTERS

_START, _END = "<!-- people -->", "<!-- /people -->"


class Chart(NamedTuple):
    """The means of one metric, and its differences by what they are less."""

    of: CorrectedMetric
    axis: Axis
    changes: Axis
    differences: dict[str, list[CorrectedDifference]]
    halving: str
    weights: str


def people_section(found: Results | Benchmark, judged: tuple[Judged, ...] = ()) -> str:
    """The section as HTML between its marks."""
    board = make_board(found)
    text = _template().render(
        judged=[(one, list(_charts(one))) for one in judged],
        labels=board.labels,
        places={entry.name: entry.place for entry in board.entries},
    )
    return f"{_START}\n{text}\n{_END}"


def with_people(page: str, found: Benchmark) -> str:
    """The page of a report with the section of what is judged now; the page as it is where it has none."""
    before, start, rest = page.partition(_START)
    _, end, after = rest.partition(_END)
    return before + people_section(found, found.judged) + after if start and end else page


def _charts(judged: Judged) -> Iterator[Chart]:
    metrics = {one.metric: one for one in judged.metrics}
    for name in in_order(metrics, ""):
        one = metrics[name]
        against = dict.fromkeys(row.against for row in one.differences)
        rows = {name: [row for row in one.differences if row.against == name] for name in against}
        yield Chart(
            of=one,
            axis=axis_over(value for row in one.means for value in (row.mean, row.low, row.high, row.plain)),
            changes=axis_of_changes(value for row in one.differences for value in (row.difference, row.low, row.high)),
            differences=rows,
            halving=_range([row.labels_to_halve for row in one.means if row.labels_to_halve], "{:,}"),
            weights=_range([row.weight for row in one.means], "{:.2f}"),
        )


def _range(values: list[Any], form: str) -> str:
    told = [form.format(value) for value in (min(values, default=None), max(values, default=None)) if value is not None]
    return " to ".join(dict.fromkeys(told))


@lru_cache(maxsize=1)
def _template() -> Any:
    return template_of(Path(__file__).parent / "people.html.jinja", FILTERS)
