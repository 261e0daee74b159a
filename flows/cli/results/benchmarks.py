"""Prints results of benchmarks and changes between them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from flows.cli.terminal import duration, money, notice, output, print_json, say, table
from ragset.evaluation.efficiency import TOTAL
from ragset.evaluation.failures import FAILURES, READING, REFUSING, RIGHT
from ragset.evaluation.metrics.paired import FEWEST
from ragset.evaluation.results.comparing import how_to_map
from ragset.evaluation.results.facts import DatasetAgreement, favour_notices
from ragset.evaluation.results.sentences import by_rules, differences_shown, many
from ragset.settings.command_line import command

if TYPE_CHECKING:
    from flows.cli.app import ChangeFormat
    from flows.cli.running import Run
    from ragset.evaluation.results.comparing import Compared
    from ragset.evaluation.results.corrected import Judged
    from tasks.results import ResultsSummary


def print_benchmark(run: Run) -> None:
    """Print the leaderboard, what the data show, and where the report is."""
    summary: ResultsSummary = run.result
    leaders, several = summary.leaders, len(summary.standings) > 1
    _print_standings(summary)
    _print_failures(summary)
    if summary.primary_basis:
        say(summary.primary_basis)
    if len(leaders) > 1:
        where = "in bold" if output.is_terminal else "marked *"
        say(f"The data do not tell the {len(leaders)} configurations {where} from each other.", "bold")
    elif leaders and several:
        say(f"Best: {leaders[0]}", "bold")
    if several and (line := _smallest_difference(summary)):
        say(line)
    notice(by_rules(summary.made_by_rules, summary.goldens))
    if summary.unanswerable:
        say(f"{summary.unanswerable} of {summary.goldens} goldens are unanswerable, and in no metric of retrieval.")
    if summary.corpus_wide:
        say(f"{summary.corpus_wide} of {summary.goldens} goldens are corpus-wide, and in no metric but assertions_met.")
    for told in favour_notices(summary.cut_rates):
        notice(told)
    for one in summary.discrimination:
        say(f"{one.dataset} tells {one.told} of {one.pairs} pairs of configurations apart.")
    for alike in summary.agreements:
        say(_agreement(alike))
    for name, facts in summary.external.items():
        for fault in facts.notices:
            notice(f"{name}: {fault}")
        for example in facts.examples:
            notice(f"  {example.golden}: {example.text!r} ({example.score:.0%} found; {example.reason})")
    for name, mapping in summary.mappings.items():
        for fault in mapping.notices:
            notice(f"{name}: {fault}")
        for example in mapping.examples:
            notice(f"  {example}")
    for change in (change for change in summary.changes if change.fell):
        line = f"{change.configuration}: {change.metric} fell from {change.before:.3f} to {change.after:.3f}"
        notice(f"{line} since the results that were there before", "bold red")
    if summary.problems:
        notice(f"{many(summary.problems, 'record')} of the datasets could not be used:")
        for problem in summary.first_problems:
            notice(f"  {problem.where}: {problem.reason}")
        if more := summary.problems - len(summary.first_problems):
            notice(f"  and {more:,} more, all in {summary.folder}/benchmark.json")
    calls = f", {run.progress.calls_made:,} calls, {money(run.progress.cost_made)}" if run.progress.calls_made else ""
    output.print(f"{many(len(summary.standings), 'configuration')} in {duration(run.seconds)}{calls}")
    say(Text("Report: ") + Text(summary.report, style="bold"))


def print_changes(found: Compared, written: ChangeFormat) -> None:
    """Print what changed between two benchmarks, in one of the formats."""
    if written == "table":
        _print_change_tables(found)
    elif written == "json":
        changes = [{**change.model_dump(mode="json"), "fell": change.fell} for change in found.changes]
        print_json({**found.model_dump(mode="json"), "changes": changes})
    else:
        from ragset.evaluation.results.change_formats import to_junit, to_markdown

        sys.stdout.write(to_markdown(found) if written == "markdown" else to_junit(found))


def _print_change_tables(found: Compared) -> None:
    """Print a table of changes for each metric, and what only one of the benchmarks has."""
    if found.ground.differs:
        notice(f"Not measured on the same: {found.ground.told}. Only the same goldens are compared.")
    for shared in found.goldens:
        rows = table("configuration", right=("before", "after", "change", "interval", "p (Holm)", "goldens", ""))
        rows.title, rows.title_justify = shared.metric, "left"
        changes = [change for change in found.changes if change.metric == shared.metric]
        for change in changes:
            rows.add_row(
                Text(change.configuration),
                f"{change.before:.3f}",
                f"{change.after:.3f}",
                f"{change.difference:+.3f}",
                "" if change.low is None or change.high is None else f"{change.low:+.3f}…{change.high:+.3f}",
                f"{change.p_holm:.3f}",
                str(change.goldens),
                Text("fell", style="bold red") if change.fell else "rose" if change.rose else "",
            )
        output.print(rows)
        for change in changes:
            if change.bounds:
                say(
                    f"{change.configuration}: {change.missing or 'some'} scores are not known; by what they could be, the "
                    f"change is between {change.bounds.worst:+.3f} and {change.bounds.best:+.3f}.",
                    "yellow",
                )
        apart = {"before": shared.only_before, "after": shared.only_after}
        only = ", ".join(f"{count:,} only {when}" for when, count in apart.items() if count)
        say(f"Compared on {many(shared.both, 'golden')} that both have{f' ({only})' if only else ''}.")
    if found.only_before:
        say(f"Only in BEFORE, not compared: {', '.join(found.only_before)}", "bold red")
        if found.only_after:
            say(how_to_map(found.only_before, found.only_after))
    if found.only_after:
        say(f"Only in AFTER, not compared: {', '.join(found.only_after)}")


def print_judged(found: Sequence[Judged], folder: Path) -> None:
    """Print what people said of a benchmark, beside what it says without them."""
    if not found:
        notice(f"Nobody has judged anything of these results: `{command('review', folder)}` shows it to people.")
    for one in found:
        say(f"{many(one.judgements, 'judgement')} of {one.kind} under {one.guideline}, people: {one.people}", "bold")
        for other, number in one.others.items():
            notice(f"{many(number, 'judgement')} under {other} not counted.")
        for metric in one.metrics:
            rows = table("configuration", right=("people", "95 % interval", "without", "goldens judged", "to halve"))
            rows.title, rows.title_justify = metric.metric, "left"
            for row in metric.means:
                rows.add_row(
                    Text(row.configuration),
                    f"{row.mean:.3f}",
                    "" if row.low is None or row.high is None else f"{row.low:.3f}–{row.high:.3f}",
                    "" if row.plain is None else f"{row.plain:.3f}",
                    str(row.labels),
                    str(row.labels_to_halve or ""),
                )
            output.print(rows)
        if not one.metrics:
            notice("No golden was judged whole yet, so nothing is corrected.")


def _print_standings(summary: ResultsSummary) -> None:
    columns = _effort_columns(summary)
    standings = table("configuration", right=(summary.primary, "95 % interval", *columns))
    standings.add_column("")
    for row in summary.standings:
        missing = [f"{row.missing} not judged"] if row.missing else []
        missing += [f"could be {row.bounds.worst:.3f}–{row.bounds.best:.3f}"] if row.bounds else []
        leads = row.configuration in summary.leaders
        mark = " *" if leads and len(summary.leaders) > 1 and not output.is_terminal else ""
        standings.add_row(
            Text(f"{row.configuration}{mark}"),
            "" if row.mean is None else f"{row.mean:.3f}",
            "" if row.low is None or row.high is None else f"{row.low:.3f}–{row.high:.3f}",
            *(value(row.configuration) for value in columns.values()),
            Text(", ".join(missing), style="dim"),
            style="bold" if leads else "",
        )
    output.print(standings)


def _print_failures(summary: ResultsSummary) -> None:
    """Print where configurations fail, if anybody answers; without readers, retrieval's metrics say it."""
    if not any(READING in of or REFUSING in of for of in summary.failures.values()):
        return
    rows = table("where it fails", right=(RIGHT, *FAILURES))
    for name in (row.configuration for row in summary.standings if row.configuration in summary.failures):
        rows.add_row(Text(name), *(str(summary.failures[name].get(step, "")) for step in (RIGHT, *FAILURES)))
    output.print(rows)


def _effort_columns(summary: ResultsSummary) -> dict[str, Callable[[str], str]]:
    """What a query takes, by the head of the column, where anything is known; the report has the rest."""
    seconds = {name: one.seconds[TOTAL].p50 for name, one in summary.efficiencies.items() if TOTAL in one.seconds}
    thousand = {name: 1000 * one.cost for name, one in summary.efficiencies.items() if one.cost is not None}
    columns: dict[str, Callable[[str], str]] = {}
    if seconds:
        columns["s (median)"] = lambda name: f"{seconds[name]:.2g}" if name in seconds else ""
    if any(thousand.values()):
        columns["$ per 1,000"] = lambda name: f"{thousand[name]:.3g}" if name in thousand else ""
    return columns


def _agreement(alike: DatasetAgreement) -> str:
    tau = "not defined" if alike.tau_b is None else f"{alike.tau_b:.2f}"
    between = "" if alike.tau_low is None else f" ({alike.tau_low:.2f} to {alike.tau_high:.2f})"
    line = f"{alike.one} and {alike.other} rank {alike.configurations} configurations with tau-b {tau}{between}."
    if alike.ceiling is None:
        return line
    part = f"{many(alike.ceiling_goldens, 'random golden')} of {alike.other} against the rest of it"
    ratio = "" if alike.ratio is None else f" The agreement is {alike.ratio:.0%} of it."
    between = f"{alike.ceiling:.2f} ({alike.ceiling_low:.2f} to {alike.ceiling_high:.2f})"
    return f"{line} The ceiling, {part}, is {between}.{ratio}"


def _smallest_difference(summary: ResultsSummary) -> str:
    measured = max(row.n + row.missing for row in summary.standings)
    if measured < FEWEST:
        return f"{many(measured, 'golden')} can show no difference: it takes {FEWEST} or more."
    line = differences_shown(summary.comparisons)
    return f"{line[:1].upper()}{line[1:]}." if line else ""
