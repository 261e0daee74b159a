"""Prints what became of a training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from flows.cli.terminal import duration, notice, output, say, table

if TYPE_CHECKING:
    from flows.cli.running import Run
    from ragset.evaluation.effect.model import Effect, MetricChange
    from ragset.training.formats import WrittenData
    from tasks.effect import TrainedSummary

_STYLES = {"helps": "bold green", "harms": "bold red"}


def print_training_data(run: Run) -> None:
    """Print how many examples there are, which goldens make none, and the files."""
    written: WrittenData = run.result
    each = written.negatives / written.examples if written.examples else 0.0
    say(f"{written.examples:,} examples with {each:.1f} hard negatives each, in {duration(run.seconds)}", "bold")
    say(f"Passages by {written.chunking}, searched by BM25 and {written.embedding}")
    for reason, number in written.left_out.items():
        notice(f"{number:,} goldens make no example: {reason}")
    if written.without_negatives:
        notice(f"{written.without_negatives:,} examples have no hard negative, and stand in pairs alone")
    shown = table("file", "rows")
    for name, rows in written.rows.items():
        shown.add_row(name, f"{rows:,}")
    output.print(shown)
    say(f"Training data: {written.out}")


def print_trained(run: Run, use: str) -> None:
    """Print what a training did, and how to `use` what was kept."""
    trained: TrainedSummary = run.result
    print_effect(trained.effect, trained.report)
    say(
        Text(f"Trained in {duration(run.seconds)}. ")
        + Text(f"To use it: {use}" if trained.kept else "Nothing was kept.")
    )


def print_effect(effect: Effect, report: str) -> None:
    """Print the metrics before and after, the learning curve, the verdict, and where the report is."""
    metrics = table("metric", right=("before", "after", "change", "interval", "p"))
    for change in effect.metrics:
        metrics.add_row(*_row(change.metric, change), style="bold" if change.metric == effect.primary else "")
    output.print(metrics)
    for title in dict.fromkeys(one.property for one in effect.groups if one.property != "document"):
        groups = table(title, right=("before", "after", "change", "interval", "p", "goldens"))
        for one in effect.groups:
            if one.property == title:
                groups.add_row(*_row(one.group, one.change), f"{one.change.goldens:,}")
        output.print(groups)
    if effect.curve:
        points = ", ".join(f"{one.mean:.3f} with {one.goldens:,}" for one in effect.curve[1:])
        say(f"Learning curve in {effect.primary}: {effect.curve[0].mean:.3f} before, {points} goldens.")
    say(effect.told, _STYLES.get(effect.verdict, "bold"))
    say(Text("Report: ") + Text(report, style="bold"))


def _row(name: str, change: MetricChange) -> tuple[Text | str, ...]:
    known = change.low is not None and change.high is not None
    return (
        Text(name),
        f"{change.before:.3f}",
        f"{change.after:.3f}",
        f"{change.difference:+.3f}",
        f"{change.low:+.3f}…{change.high:+.3f}" if known else "",
        f"{change.p:.3f}",
    )
