"""Prints test sets, for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from flows.cli.results.completeness import print_completeness
from flows.cli.results.reviews import print_review
from flows.cli.terminal import duration, money, notice, notice_list, output, say, table
from flows.steps.ending import ended_early
from ragset.dataset import Dataset, FunnelRow, Manifest, Split, Totals, edited
from ragset.dataset.completeness import completeness_of
from ragset.dataset.dialogue import dialogue_of
from ragset.dataset.place import Places
from ragset.dataset.report.census import StyleMix, query_mix
from ragset.dataset.review.figures import Figures
from ragset.documents import Failure
from ragset.settings import OFFLINE

if TYPE_CHECKING:
    from flows.cli.running import Run
    from ragset.dataset.exporters import Exported
    from ragset.models import Usage
    from tasks.dataset import DatasetSummary
    from tasks.refresh import RefreshSummary
    from tasks.run.progress import Progress


def with_spent(run: Run) -> dict[str, Any]:
    """The summary of a run, and what this process paid, for `--json`."""
    progress = run.progress
    made = {"calls": progress.calls_made, "tokens": progress.tokens_made, "cost": progress.cost_made}
    return {**run.result.model_dump(mode="json"), "this_run": made}


def print_dataset(run: Run) -> None:
    """Print goldens, funnel, cost, and where the report is."""
    summary: DatasetSummary = run.result
    print_funnel(summary.funnel)
    wanted = "" if summary.wanted is None else f" of {summary.wanted}"
    names = dict.fromkeys((summary.generator, summary.critic))
    by = "rules, not by a language model (offline)" if list(names) == [OFFLINE] else " and ".join(names)
    line = f" from {summary.documents} documents in {duration(run.seconds)} · made by {by}"
    output.print(Text(f"{summary.kept}{wanted} goldens", style="bold") + Text(line, style=""))
    if summary.kind == "multi-chunk" and summary.kept:
        share = f"{summary.cross_document / summary.kept:.0%}"
        output.print(f"{summary.cross_document} of them ({share}) need chunks of two or more documents")
    print_split(summary.split)
    print_cost(summary.totals, run.progress)
    print_problems(summary)
    say(f"Test set: {summary.folder}")
    say(Text("Report:   ") + Text(summary.report, style="bold"))
    if judged := summary.reviewed:
        say(f"Reviewed: {judged.applied.folder} ({judged.said})")
    print_exports(summary.exports)


def print_split(split: Split | None) -> None:
    """Print the sizes of the sides, and what each two share; nothing where goldens are not split."""
    if split is None:
        return
    sizes = ", ".join(f"{side} {facts.goldens}" for side, facts in split.sides.items())
    say(f"Split by {split.by}: {sizes}. {split.notice}".rstrip())
    for leak in split.leakage:
        cosine = "" if leak.highest_cosine is None else f", highest cosine {leak.highest_cosine:.2f}"
        say(
            f"  {leak.sides[0]} and {leak.sides[1]}: shared evidence {leak.evidence}, repeated queries {leak.repeats}, "
            f"shared documents {leak.documents}{cosine}"
        )


def print_refresh(run: Run) -> None:
    """Print what became of the goldens, and where the report is."""
    summary: RefreshSummary = run.result
    if summary.state == "unchanged":
        short = "" if summary.kept >= summary.wanted else f", of {summary.wanted} wanted"
        say(Text("unchanged", style="bold") + Text(f": the documents are, and {summary.kept} goldens{short}"))
        say(f"Test set: {summary.folder}")
        print_exports(summary.exports)
        return
    counts = ", ".join(f"{getattr(summary, change)} {change}" for change in ("valid", "moved", "stale", "added"))
    line = f" in {duration(run.seconds)}: {counts}"
    output.print(Text(f"{summary.kept} of {summary.wanted} goldens", style="bold") + Text(line))
    if made := summary.dataset:
        if made.totals.calls:
            print_cost(made.totals, run.progress)
        print_problems(made)
    say(f"Went on from: {summary.before}")
    say(f"Test set:     {summary.folder}")
    say(Text("Changes:      ") + Text(summary.changes, style="bold"))
    say(Text("Report:       ") + Text(summary.report, style="bold"))
    print_exports(summary.exports)


def print_exports(exports: Iterable[Exported]) -> None:
    """Print where a dataset was written for other tools."""
    for one in exports:
        say(f"Export to {one.to}: {one.out}")


def print_problems(summary: DatasetSummary) -> None:
    """Print on stderr what could not be read, and why there are fewer goldens than asked for."""
    print_unread(summary.unread)
    if why := ended_early(summary):
        notice(f"Ended early: {why}.")


def print_unread(unread: tuple[Failure, ...]) -> None:
    """Print on stderr what could not be read, and why."""
    said = [f"{failure.source}: {failure.reason}" for failure in unread]
    notice_list("could not be read", said, ", all in manifest.json")


def print_shown(dataset: Dataset, goldens: int, review: Figures | None = None) -> None:
    """Print a dataset in short, with its first goldens."""
    manifest = dataset.manifest
    corpus, models = manifest.corpus, manifest.models
    line = f" ({manifest.kind}) of {corpus.name}: {corpus.documents} documents, {corpus.chunks} chunks"
    output.print(Text(f"{len(dataset.goldens):,} goldens", style="bold") + Text(line))
    notice(edited(dataset))
    notice(manifest.favours)
    output.print(f"written by {models.generator}, judged by {models.critic}, embedded by {models.embedding}")
    if manifest.audience:
        say(f"for: {manifest.audience}")
    print_funnel(manifest.funnel)
    if manifest.usage:
        output.print(usage_table(manifest.usage))
    if mix := query_mix(dataset.goldens):
        output.print(_query_mix(mix))
    if manifest.cut_rates:
        output.print(_cut_rates(manifest))
    if labels := completeness_of(dataset.goldens):
        print_completeness(labels)
        notice(labels.advice)
    if facts := manifest.reviewed:
        say(
            f"People judged {facts.judged:,} of {facts.before}: {facts.removed:,} removed, {facts.corrected:,} corrected"
        )
    if review:
        print_review(review)
    places = Places(dataset.corpus)
    for golden in dataset.goldens[:goldens]:
        say(f"\n{golden.query}", "bold")
        if golden.conversation:
            say(dialogue_of(golden), "dim")
        say(golden.answer or "(no answer in the corpus)")
        found = dict.fromkeys(str(places.of(span)) for span in golden.evidence)
        say(" · ".join([golden.id, "; ".join(found)]), "dim")
    say(f"\nReport: {dataset.folder / 'report.html'}")


def _query_mix(mix: Sequence[StyleMix]) -> Table:
    """How long the queries of each style are, and how near to the words of their evidence."""
    rows = table("style", right=("goldens", "words", "question mark", "words in evidence", "worded as evidence"))
    for row in mix:
        shares = ("" if share is None else f"{share:.0%}" for share in (row.question_marks, row.covered, row.copied))
        rows.add_row(Text(row.style), f"{row.goldens:,}", f"{row.words:g}", *shares)
    return rows


def _cut_rates(manifest: Manifest) -> Table:
    """How often each chunking cuts the evidence."""
    rows = table("chunking", right=("evidence cut", "by chance"))
    rows.add_column("")
    for rate in manifest.cut_rates:
        marks = ["drawn from it"] * (rate.chunking == manifest.home) + ["favoured"] * rate.favoured
        chance = f"{rate.chance:.1%} ± {rate.noise:.1%}"
        rows.add_row(Text(rate.chunking), f"{rate.cut:.1%}", chance, ", ".join(marks))
    return rows


def print_cost(totals: Totals, progress: Progress) -> None:
    """Print calls, tokens and cost, of all replies and of those paid in this run."""
    if not totals.calls:
        output.print("Replies: none")
        return
    tokens = totals.prompt_tokens + totals.completion_tokens
    line = f"Replies: {totals.calls:,} calls, {tokens:,} tokens, {money(totals.cost)}"
    if totals.prompt_tokens:
        line += f" · paid in this run: {progress.calls_made:,} calls, {money(progress.cost_made)}"
    output.print(line)


def print_funnel(rows: tuple[FunnelRow, ...]) -> None:
    """Print what entered and left each stage, and why the others were rejected."""
    funnel = table("stage", right=("in", "out"))
    funnel.add_column("rejected because", overflow="fold")
    for row in rows:
        reasons = ", ".join(f"{reason.replace('_', ' ')} {count:,}" for reason, count in row.rejected.items())
        funnel.add_row(row.stage, f"{row.entered:,}", f"{row.left:,}", Text(reasons, style="dim"))
    output.print(funnel)


def usage_table(rows: tuple[Usage, ...]) -> Table:
    """Calls, tokens and cost, a row for each stage, prompt and model."""
    used = table("stage", "prompt", "model", right=("calls", "prompt tokens", "reply tokens", "cost"))
    for row in rows:
        numbers = (f"{row.calls:,}", f"{row.prompt_tokens:,}", f"{row.completion_tokens:,}", money(row.cost))
        used.add_row(row.stage, row.prompt, row.asked, *numbers)
    return used
