"""Prints indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flows.cli.results.datasets import usage_table
from flows.cli.terminal import output, say

if TYPE_CHECKING:
    from tasks.index import IndexSummary


def print_index(summary: IndexSummary) -> None:
    """Print what changed in a collection."""
    say(
        f"{summary.chunks:,} chunks of {summary.documents:,} documents in {summary.collection}: "
        f"{summary.added:,} added, {summary.kept:,} kept, {summary.removed:,} removed, "
        f"{summary.dropped:,} dropped as near-empty or repeated"
    )
    if summary.usage:
        output.print(usage_table(summary.usage))
