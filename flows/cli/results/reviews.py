"""Prints what people said of a test set, and what became of it."""

from __future__ import annotations

import math

from rich.text import Text

from flows.cli.terminal import notice, notice_list, output, say, table
from ragset.dataset.review.estimates import Share
from ragset.dataset.review.exchange.importing import Imported
from ragset.dataset.review.figures import Figures
from ragset.dataset.review.new_version import ReviewSummary

_REST = " (--json lists all)"


def print_applied(done: ReviewSummary) -> None:
    """Print what was changed, what was not, and where the new version is."""
    facts = done.reviewed
    counts = f"{facts.removed:,} removed, {facts.corrected:,} corrected"
    say(Text(f"{done.kept:,} goldens", style="bold") + Text(f" left; {facts.judged:,} were judged, {counts}"))
    print_others(done.others, facts.guideline)
    notice_list("not applied", [f"{left.golden}: {left.why}" for left in done.unapplied], _REST)
    notice(done.notice)
    say(f"Went on from: {facts.before}")
    say(f"Test set:     {done.folder}")
    say(Text("Report:       ") + Text(done.report, style="bold"))


def print_imported(done: Imported) -> None:
    """Print how many judgements were added, and what could not be."""
    say(
        Text(f"{done.added:,} judgements", style="bold")
        + Text(f" added from {done.tool}, {done.known:,} there already")
    )
    notice_list("not added", done.problems, _REST)


def print_review(found: Figures) -> None:
    """Print the share of good goldens, the reasons, how far people agree, and which label predicts them."""
    shares = f"of {found.good.n:,} drawn at random {_share(found.good)} are good as made, {_share(found.mended)} with corrections"
    unknown = "none of them counts as drawn at random yet, so no share can be estimated"
    judged = f"{found.people:,} people judged {found.goldens:,} goldens by {found.guideline}"
    say(f"{judged}; {shares if found.good.n else unknown}")
    if found.reasons:
        say("Reasons: " + ", ".join(f"{reason.replace('_', ' ')} {count:,}" for reason, count in found.reasons.items()))
    if found.agreement.items:
        both = found.agreement
        say(
            f"{both.items:,} goldens judged by two or more: {both.raw:.0%} of the pairs agree, alpha {_figure(both.alpha)}, "
            f"AC1 {_figure(both.ac)}, {found.base_rate:.0%} good"
        )
    if found.predictors:
        rows = table("label", right=("ranks good above bad", "95 % interval", "good", "bad"))
        for label, one in found.predictors:
            rows.add_row(
                Text(label), f"{one.auc:.2f}", f"{one.low:.2f}–{one.high:.2f}", f"{one.good:,}", f"{one.bad:,}"
            )
        output.print(rows)
    print_others(found.others, found.guideline)
    notice(found.notice)


def print_others(others: dict[str, int], guideline: str) -> None:
    """Print which judgements were not counted."""
    if others:
        listed = ", ".join(f"{number:,} by {name}" for name, number in others.items())
        notice(f"Judgements by other versions than {guideline} are not counted: {listed}.")


def _share(found: Share) -> str:
    return f"{found.share:.0%} ({found.low:.0%}–{found.high:.0%})" if found.n else "none"


def _figure(value: float) -> str:
    return "not defined" if math.isnan(value) else f"{value:.2f}"
