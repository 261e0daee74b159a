"""Prints estimates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flows.cli.terminal import money, notice, output, say, table
from ragset.dataset import Totals
from ragset.settings import OFFLINE

if TYPE_CHECKING:
    from rich.table import Table

    from ragset.generation.estimate import Estimate
    from ragset.models import Usage


def print_estimate(estimate: Estimate, wanted: int | None, *, mixed: bool = False) -> None:
    """Print calls, tokens and money by prompt, expected and at both ends, and where the pass rates come from."""
    if estimate.free:
        say(f"About {estimate.goldens:,} goldens, at no cost", "bold")
    else:
        least, most, totals = Totals.of(estimate.at_least), Totals.of(estimate.at_most), estimate.totals
        output.print(_calls(estimate))
        expected, lower, upper = (_calls_and_cost(one) for one in (totals, least, most))
        say(f"About {expected} for {estimate.goldens:,} goldens; at least {lower}, at most {upper}", "bold")
        if unpriced := sorted({row.model for row in estimate.usage if row.cost is None}):
            say(
                f"The price of {', '.join(unpriced)} is unknown: write it into a YAML file, and let RAGSET_PRICES name the file."
            )
        if mixed:
            say("At most: the mix of hardness draws until each level is full, which may take the whole corpus.")
        else:
            say("Nine of ten runs end between the two. --max-calls and --max-cost hold in any case.")
    say(estimate.basis)
    if not estimate.passed:
        notice("The free rules let nothing through, so no model would be asked: add documents of running text.")
    elif wanted is not None and estimate.goldens < wanted:
        notice(f"The corpus will not make {wanted:,} goldens, about {estimate.goldens:,}: add documents.")


def _calls_and_cost(totals: Totals) -> str:
    return f"{totals.calls:,} calls" if totals.cost is None else f"{totals.calls:,} calls and {money(totals.cost)}"


def _calls(estimate: Estimate) -> Table:
    """A row for each prompt in the order of the pipeline, and the sums; the models where there are several."""
    rows = [
        one for one in zip(estimate.usage, estimate.at_least, estimate.at_most, strict=True) if one[0].model != OFFLINE
    ]
    models = tuple(dict.fromkeys(row.asked for row, _, _ in rows))
    several = len(models) > 1
    shown = table("stage", "prompt", *["model"] * several, right=("calls", "at least", "at most", "tokens", "cost"))
    for row, least, most in rows:
        shown.add_row(row.stage, row.prompt, *[row.asked] * several, *_figures(row, least, most))
    sums = [Totals.of(end) for end in (estimate.usage, estimate.at_least, estimate.at_most)]
    shown.add_row("all", "" if several else "".join(models), *[""] * several, *_figures(*sums), style="bold")
    return shown


def _figures(expected: Usage | Totals, least: Usage | Totals, most: Usage | Totals) -> tuple[str, ...]:
    tokens = expected.prompt_tokens + expected.completion_tokens
    calls = (f"{one.calls:,}" for one in (expected, least, most))
    return (*calls, f"{tokens:,}", "unknown" if expected.cost is None else money(expected.cost))
