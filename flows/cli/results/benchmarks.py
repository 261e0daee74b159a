"""What benchmarks measured and how it changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from flows.cli.terminal import duration, money, notice, output, say, table
from ragset.evaluation.metrics.paired import FEWEST
from ragset.evaluation.results.messages import by_rules, differences_shown

if TYPE_CHECKING:
    from ragset.evaluation.results.comparing import Compared, Shared
    from ragset.evaluation.results.external import ExternalFacts
    from ragset.evaluation.results.planning import Plan
    from tasks.results import ResultsSummary
    from tasks.run.progress import Progress


def print_benchmark(summary: ResultsSummary, progress: Progress, seconds: float) -> None:
    """The leaderboard, what the data carry, and where to look."""
    standings = table("configuration", right=(summary.primary, "95 % interval"))
    standings.add_column("")
    for row in summary.standings:
        mean = "" if row.mean is None else f"{row.mean:.3f}"
        between = "" if row.low is None or row.high is None else f"{row.low:.3f}–{row.high:.3f}"
        missing = ", ".join(
            filter(
                None,
                (
                    f"{row.missing} not judged" if row.missing else "",
                    f"could be {row.bounds.worst:.3f}–{row.bounds.best:.3f}" if row.bounds else "",
                ),
            )
        )
        leads = row.configuration in summary.leaders
        mark = " *" if leads and len(summary.leaders) > 1 and not output.is_terminal else ""
        name = Text(f"{row.configuration}{mark}")
        standings.add_row(name, mean, between, Text(missing, style="dim"), style="bold" if leads else "")
    output.print(standings)
    if summary.primary_basis:
        say(summary.primary_basis)
    if len(summary.leaders) > 1:
        where = "in bold" if output.is_terminal else "marked *"
        say(f"The data do not tell the {len(summary.leaders)} configurations {where} from each other.", "bold")
    elif summary.leaders and len(summary.standings) > 1:
        say(f"Best: {summary.leaders[0]}", "bold")
    if told := _smallest(summary):
        say(told)
    if told := by_rules(summary.made_by_rules, summary.goldens):
        notice(told)
    if summary.unanswerable:
        line = f"{summary.unanswerable} of {summary.goldens} goldens are unanswerable, and in no metric of retrieval."
        say(line)
    for alike in summary.agreements:
        tau = "not defined" if alike.tau_b is None else f"{alike.tau_b:.2f}"
        between = "" if alike.tau_low is None else f" ({alike.tau_low:.2f} to {alike.tau_high:.2f})"
        line = f"{alike.one} and {alike.other} rank {alike.configurations} configurations with tau-b {tau}{between}."
        say(line)
    for name, facts in summary.external.items():
        print_external(name, facts)
    for change in summary.changes:
        if change.fell:
            line = f"{change.configuration}: {change.metric} fell from {change.before:.3f} to {change.after:.3f}"
            notice(f"{line} since the results that were there before", "bold red")
    if summary.problems:
        _print_problems(summary)
    calls = f", {progress.calls_made:,} calls, {money(progress.cost_made)}" if progress.calls_made else ""
    output.print(f"{_many(len(summary.standings), 'configuration')} in {duration(seconds)}{calls}")
    say(Text("Report: ") + Text(summary.report, style="bold"))


def print_external(name: str, facts: ExternalFacts) -> None:
    """What of another system was not answered or not found, with examples."""
    for fault in facts.notices:
        notice(f"{name}: {fault}")
    for example in facts.examples:
        notice(f"  {example.golden}: {example.text!r} ({example.score:.0%} found; {example.reason})")


def _smallest(summary: ResultsSummary) -> str:
    """What these goldens can show."""
    if len(summary.standings) < 2:
        return ""
    measured = _many(max(row.n + row.missing for row in summary.standings), "golden")
    if max(row.n + row.missing for row in summary.standings) < FEWEST:
        return f"{measured} can show no difference: it takes {FEWEST} or more."
    told = differences_shown(summary.comparisons)
    return f"{told[:1].upper()}{told[1:]}." if told else ""


def _print_problems(summary: ResultsSummary) -> None:
    """The first records that could not be used, and where the others stand."""
    notice(f"{_many(summary.problems, 'record')} of the datasets could not be used:")
    for problem in summary.first_problems:
        notice(f"  {problem.where}: {problem.reason}")
    if more := summary.problems - len(summary.first_problems):
        notice(f"  and {more:,} more, all in {summary.folder}/benchmark.json")


def print_changes(found: Compared) -> None:
    """What changed between two benchmarks, a table for each metric, and what stands in one of them alone."""
    if found.ground.differs:
        notice(f"Not measured on the same: {found.ground.told}. Only the same goldens are compared.")
    for shared in found.goldens:
        changes = [change for change in found.changes if change.metric == shared.metric]
        fewer = any(change.goldens < shared.both for change in changes)
        columns = ("before", "after", "change", "interval", "p (Holm)", *(["goldens"] if fewer else []), "")
        rows = table("configuration", right=columns)
        rows.title, rows.title_justify = shared.metric, "left"
        for change in changes:
            rows.add_row(
                Text(change.configuration),
                f"{change.before:.3f}",
                f"{change.after:.3f}",
                f"{change.difference:+.3f}",
                "" if change.low is None or change.high is None else f"{change.low:+.3f}…{change.high:+.3f}",
                f"{change.p_holm:.3f}",
                *([str(change.goldens)] if fewer else []),
                Text("fell", style="bold red") if change.fell else "",
            )
        output.print(rows)
        for change in changes:
            if change.bounds:
                line = (
                    f"{change.configuration}: {change.missing or 'some'} scores are not known; by what they could be, the change "
                    f"is between {change.bounds.worst:+.3f} and {change.bounds.best:+.3f}."
                )
                say(Text(line, style="yellow"))
        say(_shared(shared))
    if found.only_before:
        say(f"Only in BEFORE, not compared: {', '.join(found.only_before)}", "bold red")
    if found.only_after:
        say(f"Only in AFTER, not compared: {', '.join(found.only_after)}")
    if found.notice:
        notice(found.notice)


def _shared(shared: Shared) -> str:
    apart = [
        f"{count:,} only {when}"
        for count, when in ((shared.only_before, "before"), (shared.only_after, "after"))
        if count
    ]
    only = f" ({', '.join(apart)})" if apart else ""
    return f"Compared on {_many(shared.both, 'golden')} that both have{only}."


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def print_plan(found: Plan) -> None:
    """Queries that a difference needs."""
    line = f"{found.queries:,} queries show a difference of {found.difference:g} in 4 of 5 benchmarks (two-sided, 5 %)."
    say(line, "bold")
    say(f"By {found.basis} (standard deviation {found.sd:.3f}).")
