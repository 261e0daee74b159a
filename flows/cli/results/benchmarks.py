"""What benchmarks measured and how it changed."""

from rich.table import Table
from rich.text import Text

from flows.cli.terminal import duration, errors, money, output
from ragset.evaluation.metrics.paired import FEWEST
from ragset.evaluation.results.comparing import Compared, Shared
from ragset.evaluation.results.external import ExternalFacts
from ragset.evaluation.results.messages import by_rules, differences_shown
from ragset.evaluation.results.planning import Plan
from tasks.results import ResultsSummary
from tasks.run.progress import Progress


def print_benchmark(summary: ResultsSummary, progress: Progress, seconds: float) -> None:
    """The leaderboard, what the data carry, and where to look."""
    table = Table(box=None, pad_edge=False)
    table.add_column("configuration", overflow="fold")
    for name in (summary.primary, "95 % interval"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("")
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
        table.add_row(name, mean, between, Text(missing, style="dim"), style="bold" if leads else "")
    output.print(table)
    if summary.primary_basis:
        output.print(summary.primary_basis, soft_wrap=True)
    if len(summary.leaders) > 1:
        where = "in bold" if output.is_terminal else "marked *"
        line = f"The data do not tell the {len(summary.leaders)} configurations {where} from each other."
        output.print(Text(line, style="bold"), soft_wrap=True)
    elif summary.leaders and len(summary.standings) > 1:
        output.print(Text(f"Best: {summary.leaders[0]}", style="bold"), soft_wrap=True)
    if told := _smallest(summary):
        output.print(told, soft_wrap=True)
    if told := by_rules(summary.made_by_rules, summary.goldens):
        errors.print(Text(told, style="yellow"), soft_wrap=True)
    if summary.unanswerable:
        line = f"{summary.unanswerable} of {summary.goldens} goldens are unanswerable, and in no metric of retrieval."
        output.print(line, soft_wrap=True)
    for alike in summary.agreements:
        tau = "not defined" if alike.tau_b is None else f"{alike.tau_b:.2f}"
        between = "" if alike.tau_low is None else f" ({alike.tau_low:.2f} to {alike.tau_high:.2f})"
        line = f"{alike.one} and {alike.other} rank {alike.configurations} configurations with tau-b {tau}{between}."
        output.print(line, soft_wrap=True)
    for name, facts in summary.external.items():
        print_external(name, facts)
    for change in summary.changes:
        if change.fell:
            line = f"{change.configuration}: {change.metric} fell from {change.before:.3f} to {change.after:.3f}"
            errors.print(Text(f"{line} since the results that were there before", style="bold red"), soft_wrap=True)
    if summary.problems:
        _print_problems(summary)
    calls = f", {progress.calls_made:,} calls, {money(progress.cost_made)}" if progress.calls_made else ""
    output.print(f"{_many(len(summary.standings), 'configuration')} in {duration(seconds)}{calls}")
    output.print(Text("Report: ") + Text(summary.report, style="bold"), soft_wrap=True)


def print_external(name: str, facts: ExternalFacts) -> None:
    """What of another system was not answered or not found, with examples."""
    for notice in facts.notices:
        errors.print(Text(f"{name}: {notice}", style="yellow"), soft_wrap=True)
    for example in facts.examples:
        line = f"  {example.golden}: {example.text!r} ({example.score:.0%} found; {example.reason})"
        errors.print(Text(line, style="yellow"), soft_wrap=True)


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
    line = f"{_many(summary.problems, 'record')} of the datasets could not be used:"
    errors.print(Text(line, style="yellow"), soft_wrap=True)
    for problem in summary.first_problems:
        errors.print(Text(f"  {problem.where}: {problem.reason}", style="yellow"), soft_wrap=True)
    if more := summary.problems - len(summary.first_problems):
        line = f"  and {more:,} more, all in {summary.folder}/benchmark.json"
        errors.print(Text(line, style="yellow"), soft_wrap=True)


def print_changes(found: Compared) -> None:
    """What changed between two benchmarks, a table for each metric, and what stands in one of them alone."""
    if found.ground.differs:
        line = f"Not measured on the same: {found.ground.told}. Only the same goldens are compared."
        errors.print(Text(line, style="yellow"), soft_wrap=True)
    for shared in found.goldens:
        changes = [change for change in found.changes if change.metric == shared.metric]
        fewer = any(change.goldens < shared.both for change in changes)
        table = Table(box=None, pad_edge=False, title=shared.metric, title_justify="left")
        table.add_column("configuration", overflow="fold")
        for name in ("before", "after", "change", "interval", "p (Holm)", *(["goldens"] if fewer else []), ""):
            table.add_column(name, justify="right", no_wrap=True)
        for change in changes:
            table.add_row(
                Text(change.configuration),
                f"{change.before:.3f}",
                f"{change.after:.3f}",
                f"{change.difference:+.3f}",
                "" if change.low is None or change.high is None else f"{change.low:+.3f}…{change.high:+.3f}",
                f"{change.p_holm:.3f}",
                *([str(change.goldens)] if fewer else []),
                Text("fell", style="bold red") if change.fell else "",
            )
        output.print(table)
        for change in changes:
            if change.bounds:
                line = (
                    f"{change.configuration}: {change.missing or 'some'} scores are not known; by what they could be, the change "
                    f"is between {change.bounds.worst:+.3f} and {change.bounds.best:+.3f}."
                )
                output.print(Text(line, style="yellow"), soft_wrap=True)
        output.print(_shared(shared), soft_wrap=True)
    if found.only_before:
        line = f"Only in BEFORE, not compared: {', '.join(found.only_before)}"
        output.print(Text(line, style="bold red"), soft_wrap=True)
    if found.only_after:
        output.print(f"Only in AFTER, not compared: {', '.join(found.only_after)}", soft_wrap=True)
    if found.notice:
        errors.print(Text(found.notice, style="yellow"), soft_wrap=True)


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
    output.print(Text(line, style="bold"), soft_wrap=True)
    output.print(f"By {found.basis} (standard deviation {found.sd:.3f}).", soft_wrap=True)
