"""Prints what became of labelled queries."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from flows.cli.results.completeness import print_completeness
from flows.cli.results.datasets import print_cost, print_exports, print_funnel, print_problems
from flows.cli.terminal import duration, output, say
from ragset.dataset import read_dataset
from ragset.dataset.completeness import completeness_of
from ragset.settings import OFFLINE

if TYPE_CHECKING:
    from flows.cli.running import Run
    from tasks.dataset import DatasetSummary


def print_labels(run: Run) -> None:
    """Print what became of the queries, how complete the labels are, cost, and where the report is."""
    summary: DatasetSummary = run.result
    print_funnel(summary.funnel)
    folder = Path(summary.folder)
    goldens = read_dataset(folder).goldens
    answered = sum(golden.answer is not None for golden in goldens)
    line = f" answered, {summary.kept - answered:,} without an answer in the documents, in {duration(run.seconds)}"
    if OFFLINE in {summary.generator, summary.critic}:
        line += " · by rules, not by a language model (offline)"
    output.print(Text(f"{answered:,} queries", style="bold") + Text(line))
    if found := completeness_of(goldens):
        print_completeness(found)
    print_cost(summary.totals, run.progress)
    print_problems(summary)
    say(f"Test set: {summary.folder}")
    say(Text("Report:   ") + Text(summary.report, style="bold"))
    print_exports(summary.exports)
