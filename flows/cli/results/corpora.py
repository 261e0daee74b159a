"""Indexes, similarities and estimates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rich.text import Text

from flows.cli.results.datasets import print_unread, usage_table
from flows.cli.terminal import money, notice, output, say, table
from ragset.dataset.manifest import Totals

if TYPE_CHECKING:
    from ragset.generation.estimate import Estimate
    from ragset.retrieval.similarity import Calibration
    from tasks.index import IndexSummary


def print_index(summary: IndexSummary) -> None:
    """What changed in a collection."""
    print_unread(summary.unread)
    say(
        f"{summary.chunks:,} chunks of {summary.documents:,} documents in {summary.collection}: "
        f"{summary.added:,} added, {summary.kept:,} kept, {summary.removed:,} removed, "
        f"{summary.dropped:,} dropped as near-empty or repeated"
    )
    if summary.usage:
        output.print(usage_table(summary.usage))


def print_estimate(estimate: Estimate, wanted: int | None, *, mixed: bool = False) -> None:
    """Calls, tokens and money by stage, what they rest on, and the other end of what it may take."""
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
            line = f"The mix of hardness draws until each level is full: up to {taken}, if that takes every chunk."
        else:
            line = f"If every chunk that is tried passes: {taken}, {estimate.if_all_pass_goldens:,} goldens."
        say(line)
    if estimate.passed is None:
        notice("No chunk of the pilot passed, so the figures are a lower bound.")
    elif wanted is not None and estimate.goldens < wanted:
        line = f"The {estimate.chunks_eligible:,} chunks to draw from will not make {wanted:,} goldens: add documents."
        notice(line)


def print_calibration(calibration: Calibration, embedding: str) -> None:
    """The two distributions beside each other, and the cosine that follows from them."""
    bars_of = table("cosine", "of any two chunks", "of a chunk and its nearest")
    rows = zip(calibration.pairs.counts, calibration.nearest.counts, strict=True)
    for place, counts in enumerate(rows):
        if not any(counts):
            continue
        low = calibration.pairs.low + place * calibration.pairs.width
        bars = [
            _bar(count, all_.counts)
            for count, all_ in zip(counts, (calibration.pairs, calibration.nearest), strict=True)
        ]
        here = low <= calibration.min_similarity < low + calibration.pairs.width
        bars_of.add_row(f"{low:.3f}", *bars, style="bold" if here else "")
    output.print(bars_of)
    line = (
        f"Least similarity for {embedding}, from {calibration.chunks:,} chunks: {calibration.min_similarity}. 95 % of all "
        f"pairs stay under it, and {calibration.with_neighbour:.0%} of chunks have a neighbour above."
    )
    say(line, "bold")
    output.print("It is what multi-chunk uses where no --min-similarity is given.")


def _bar(count: int, counts: tuple[int, ...]) -> Text:
    """As long as its share of the largest; one that is not 0 is seen."""
    most = max(counts)
    return Text("█" * (math.ceil(24 * count / most) if most else 0))
