"""Prints what people said of a test set, what became of it, and how the critic compares with them."""

from __future__ import annotations

import math

from rich.text import Text

from flows.cli.terminal import notice, notice_list, output, say, table
from ragset.dataset.review.calibration import Calibration, percent
from ragset.dataset.review.critic_files import CriticFiles
from ragset.dataset.review.estimates import Share
from ragset.dataset.review.exchange.importing import Imported
from ragset.dataset.review.figures import Figures
from ragset.dataset.review.new_version import ReviewSummary
from ragset.settings.command_line import command

_REST = " (--json lists all)"


def print_applied(done: ReviewSummary) -> None:
    """Print what was changed, what was not, and where the new version is."""
    facts = done.reviewed
    counts = f"{facts.removed:,} removed, {facts.corrected:,} corrected"
    say(Text(f"{done.kept:,} goldens", style="bold") + Text(f" left; {facts.judged:,} were judged, {counts}"))
    _print_others(done.others, facts.guideline)
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
    _print_others(found.others, found.guideline)
    notice(found.notice)


def print_calibration(found: Calibration, files: CriticFiles) -> None:
    """Print what each threshold would keep, those that are recommended, and what to do with the files."""
    say(f"{found.good.n} goldens of the random sample, judged by {found.guideline}: {percent(found.good)} good", "bold")
    for name, number in found.others.items():
        notice(f"{number} judgements by {name} do not count.")
    if found.tied:
        notice(f"{found.tied} goldens are left out, as many people call them good as bad.")
    rows = table("score", right=("at least", "kept", "good of them", "of the good ones"))
    for row in found.rows:
        kept = row.kept.precision
        rows.add_row(row.score, str(row.threshold), str(kept.n), percent(kept), percent(row.kept.recall))
    output.print(rows)
    named = ", ".join(
        f"{name} {least}" + (f" (was {found.before[name]})" if found.before.get(name, least) != least else "")
        for name, least in found.thresholds.items()
    )
    say(f"Recommended: {named}", "bold")
    say(
        f"They keep {percent(found.kept.recall)} of the good goldens; {percent(found.kept.precision)} of what they keep."
    )
    if not found.reached:
        notice(f"No threshold is shown to reach {found.wanted:.0%}: judge more goldens, or lower --precision.")
    say(f"Thresholds: {files.thresholds} (in the file of --config: writing: {{thresholds: {files.thresholds}}})")
    if files.prompt:
        say(
            f"Examples:   {files.prompt} proposes {files.version}. Correct it; RAGSET_PROMPTS={files.prompt.parent} tries it. To keep "
            f"it, copy it into your folder of prompts and run `{command('prompts', 'pin')}`."
        )


def _print_others(others: dict[str, int], guideline: str) -> None:
    """Print which judgements were not counted."""
    if others:
        listed = ", ".join(f"{number:,} by {name}" for name, number in others.items())
        notice(f"Judgements by other versions than {guideline} are not counted: {listed}.")


def _share(found: Share) -> str:
    return f"{found.share:.0%} ({found.low:.0%}–{found.high:.0%})" if found.n else "none"


def _figure(value: float) -> str:
    return "not defined" if math.isnan(value) else f"{value:.2f}"
