"""What benchmarks measured and how it changed."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from flows.terminal import duration, errors, money, output
from ragset.comparing import Change, Plan
from tasks.progress import Progress
from tasks.results import ResultsSummary


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
        missing = f"{row.missing} not judged" if row.missing else ""
        leads = row.configuration in summary.leaders
        table.add_row(Text(row.configuration), mean, between, Text(missing, style="dim"), style="bold" if leads else "")
    output.print(table)
    if len(summary.leaders) == 1:
        output.print(Text(f"Best: {summary.leaders[0]}", style="bold"), soft_wrap=True)
    else:
        line = f"The data do not tell the {len(summary.leaders)} configurations in bold from each other."
        output.print(Text(line, style="bold"), soft_wrap=True)
    if summary.smallest_difference is not None:
        measured = max(row.n + row.missing for row in summary.standings)
        output.print(f"{measured} goldens show a difference of {summary.smallest_difference:.3f} in 4 of 5 cases.")
    if summary.unanswerable:
        line = f"{summary.unanswerable} of {summary.goldens} goldens are unanswerable, and in no metric of retrieval."
        output.print(line, soft_wrap=True)
    for alike in summary.agreements:
        tau = "not defined" if alike.tau_b is None else f"{alike.tau_b:.2f}"
        between = "" if alike.tau_low is None else f" ({alike.tau_low:.2f} to {alike.tau_high:.2f})"
        line = f"{alike.one} and {alike.other} rank {alike.configurations} configurations with tau-b {tau}{between}."
        output.print(line, soft_wrap=True)
    for name, count in summary.unaligned.items():
        errors.print(Text(f"{name}: {count:,} of its passages do not stand in the corpus", style="yellow"))
    for change in summary.changes:
        if change.fell:
            line = f"{change.configuration}: {change.metric} fell from {change.before:.3f} to {change.after:.3f}"
            errors.print(Text(f"{line} since the results that were there before", style="bold red"), soft_wrap=True)
    if summary.problems:
        errors.print(Text(f"{summary.problems:,} records of the datasets could not be used", style="yellow"))
    calls = f", {progress.calls_made:,} calls, {money(progress.cost_made)}" if progress.calls_made else ""
    output.print(f"{len(summary.standings)} configurations in {duration(seconds)}{calls}")
    output.print(Text("Report: ") + Text(summary.report, style="bold"), soft_wrap=True)


def print_changes(found: Sequence[Change]) -> None:
    """What changed between two benchmarks, a table for each metric."""
    for metric in dict.fromkeys(change.metric for change in found):
        table = Table(box=None, pad_edge=False, title=metric, title_justify="left")
        table.add_column("configuration", overflow="fold")
        for name in ("before", "after", "change", "95 % interval", "p (Holm)", ""):
            table.add_column(name, justify="right", no_wrap=True)
        for change in found:
            if change.metric == metric:
                table.add_row(
                    Text(change.configuration),
                    f"{change.before:.3f}",
                    f"{change.after:.3f}",
                    f"{change.difference:+.3f}",
                    f"{change.low:+.3f}…{change.high:+.3f}",
                    f"{change.p_holm:.3f}",
                    Text("fell", style="bold red") if change.fell else "",
                )
        output.print(table)


def print_plan(found: Plan) -> None:
    """Queries that a difference needs."""
    line = f"{found.queries:,} queries show a difference of {found.difference:g} in 4 of 5 benchmarks (two-sided, 5 %)."
    output.print(Text(line, style="bold"), soft_wrap=True)
    output.print(f"By {found.basis} (standard deviation {found.sd:.3f}).", soft_wrap=True)
