"""Prints indexes and estimates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flows.cli.results.datasets import usage_table
from flows.cli.terminal import money, notice, output, say
from ragset.dataset import Totals

if TYPE_CHECKING:
    from ragset.generation.estimate import Estimate
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
            say(f"The mix of hardness draws until each level is full: up to {taken}, if that takes the whole corpus.")
        else:
            say(f"If all that is tried passes: {taken}, {estimate.if_all_pass_goldens:,} goldens.")
    if estimate.passed is None:
        notice("Nothing of the pilot passed, so the figures are a lower bound.")
    elif wanted is not None and estimate.goldens < wanted:
        notice(f"The corpus will not make {wanted:,} goldens, about {estimate.goldens:,}: add documents.")
