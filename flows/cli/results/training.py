"""Prints what became of a training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flows.cli.terminal import duration, notice, output, say, table

if TYPE_CHECKING:
    from flows.cli.running import Run
    from ragset.training.formats import WrittenData


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
