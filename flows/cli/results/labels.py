"""Prints what became of labelled queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from flows.cli.results.completeness import print_completeness
from flows.cli.results.datasets import print_cost, print_exports, print_funnel, print_problems, print_split
from flows.cli.terminal import duration, output, say
from ragset.settings import OFFLINE

if TYPE_CHECKING:
    from flows.cli.running import Run
    from ragset.dataset.completeness import Completeness
    from tasks.dataset import DatasetSummary


def print_labels(run: Run, labels: Completeness | None) -> None:
    """Print what became of the queries, how complete the labels are, cost, and where the report is."""
    summary: DatasetSummary = run.result
    print_funnel(summary.funnel)
    answered = labels.answered if labels else 0
    line = f" answered, {summary.kept - answered:,} without an answer in the documents, in {duration(run.seconds)}"
    if OFFLINE in {summary.generator, summary.critic}:
        line += " · by rules, not by a language model (offline)"
    output.print(Text(f"{answered:,} queries", style="bold") + Text(line))
    if labels:
        print_completeness(labels)
    print_split(summary.split)
    print_cost(summary.totals, run.progress)
    print_problems(summary)
    say(f"Test set: {summary.folder}")
    say(Text("Report:   ") + Text(summary.report, style="bold"))
    print_exports(summary.exports)
