"""Prints indexes, similarities and estimates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flows.cli.results.datasets import usage_table
from flows.cli.terminal import money, notice, output, say, table
from ragset.dataset import Totals

if TYPE_CHECKING:
    from ragset.generation.estimate import Estimate
    from ragset.retrieval.similarity import Calibration
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


def print_estimate(estimate: Estimate, wanted: int | None, *, mixed: bool = False) -> None:
    """Print calls, tokens and money by stage, their basis, and the other end of the estimate."""
    output.print(usage_table(estimate.usage))
    totals = estimate.totals
    say(
        f"About {totals.calls:,} calls, {totals.prompt_tokens:,} prompt and {totals.completion_tokens:,} reply "
        f"tokens, {money(totals.cost)}, for {estimate.goldens:,} goldens",
        "bold",
    )
    say(estimate.basis)
    if estimate.if_all_pass:
        end = Totals.of(estimate.if_all_pass)
        taken = f"{end.calls:,} calls, {money(end.cost)}"
        if mixed:
            say(f"The mix of hardness draws until each level is full: up to {taken}, if that takes every chunk.")
        else:
            say(f"If every chunk that is tried passes: {taken}, {estimate.if_all_pass_goldens:,} goldens.")
    if estimate.passed is None:
        notice("No chunk of the pilot passed, so the figures are a lower bound.")
    elif wanted is not None and estimate.goldens < wanted:
        notice(f"The {estimate.chunks_eligible:,} chunks to draw from will not make {wanted:,} goldens: add documents.")


def print_calibration(calibration: Calibration, embedding: str) -> None:
    """Print the two distributions side by side, and the cosine that follows from them."""
    bars = table("cosine", "of any two chunks", "of a chunk and its nearest")
    both = (calibration.pairs, calibration.nearest)
    for place, counts in enumerate(zip(*(one.counts for one in both), strict=True)):
        low = both[0].low + place * both[0].width
        here = low <= calibration.min_similarity < low + both[0].width
        # At most 24 characters, and at least one for a count that is not 0.
        lengths = [math.ceil(24 * count / max(1, *one.counts)) for count, one in zip(counts, both, strict=True)]
        if any(counts):
            bars.add_row(f"{low:.3f}", *("█" * length for length in lengths), style="bold" if here else "")
    output.print(bars)
    say(
        f"Least similarity for {embedding}, from {calibration.chunks:,} chunks: {calibration.min_similarity}. 95 % of all "
        f"pairs stay under it, and {calibration.with_neighbour:.0%} of chunks have a neighbour above.",
        "bold",
    )
    output.print("It is what multi-chunk uses where no --min-similarity is given.")
