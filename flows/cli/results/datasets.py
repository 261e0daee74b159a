"""Prints test sets and indexes, for people and for scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from flows.cli.results.reviews import print_review
from flows.cli.terminal import duration, money, notice, notice_list, output, say, table
from flows.steps.ending import ended_early
from ragset.dataset import Dataset, FunnelRow, Manifest, Split, Totals, edited
from ragset.dataset.completeness import Completeness, completeness_of
from ragset.dataset.dialogue import dialogue_of
from ragset.dataset.place import Places
from ragset.dataset.review.figures import Figures
from ragset.documents import Failure
from ragset.settings import OFFLINE

if TYPE_CHECKING:
    from flows.cli.running import Run
    from ragset.dataset.exporters import Exported
    from ragset.models import Golden, Usage
    from tasks.dataset import DatasetSummary
    from tasks.index import IndexSummary
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
    _print_end(run)


def _print_end(run: Run) -> None:
    """Print split, cost, and what was written where."""
    summary: DatasetSummary = run.result
    _print_split(summary.split)
    print_cost(summary.totals, run.progress)
    print_problems(summary)
    say(f"Test set: {summary.folder}")
    say(Text("Report:   ") + Text(summary.report, style="bold"))
    if judged := summary.reviewed:
        say(f"Reviewed: {judged.applied.folder} ({judged.said})")
    print_exports(summary.exports)


def _print_split(split: Split | None) -> None:
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


def print_labels(run: Run, labels: Completeness | None) -> None:
    """Print what became of the queries, how complete the labels are, cost, and where the report is."""
    summary: DatasetSummary = run.result
    print_funnel(summary.funnel)
    answered = labels.answered if labels else 0
    line = f" answered, {summary.kept - answered:,} without an answer in the documents, in {duration(run.seconds)}"
    if OFFLINE in {summary.generator, summary.critic}:
        line += " · by rules, not by a language model (offline)"
    output.print(Text(f"{answered:,} queries", style="bold") + Text(line))
    if labels:
        _print_completeness(labels)
    _print_end(run)


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
        output.print(_usage_table(manifest.usage))
    if counts := _score_counts(dataset.goldens):
        output.print(_scores(counts))
    if manifest.cut_rates:
        output.print(_cut_rates(manifest))
    if labels := completeness_of(dataset.goldens):
        _print_completeness(labels)
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


def _score_counts(goldens: Iterable[Golden]) -> dict[str, Counter[int]]:
    """By name of the score: how many goldens have which."""
    counts: dict[str, Counter[int]] = {}
    for golden in goldens:
        for name, score in golden.scores.items():
            counts.setdefault(name, Counter())[score] += 1
    return counts


def _scores(counts: dict[str, Counter[int]]) -> Table:
    """The critic's scores, best first: what higher thresholds would leave."""
    levels = sorted({score for of in counts.values() for score in of}, reverse=True)
    rows = table("goldens with a score of", right=tuple(map(str, levels)))
    for name, of in counts.items():
        rows.add_row(name, *(f"{of[level]:,}" for level in levels))
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


def _usage_table(rows: tuple[Usage, ...]) -> Table:
    """Calls, tokens and cost, a row for each stage, prompt and model."""
    used = table("stage", "prompt", "model", right=("calls", "prompt tokens", "reply tokens", "cost"))
    for row in rows:
        numbers = (f"{row.calls:,}", f"{row.prompt_tokens:,}", f"{row.completion_tokens:,}", money(row.cost))
        used.add_row(row.stage, row.prompt, row.asked, *numbers)
    return used


def _print_completeness(found: Completeness) -> None:
    """Print at which depth of the pool relevant passages were found."""
    rows = table("pool depth", right=("relevant passages found", "queries complete"))
    for row in found.rows:
        rows.add_row(str(row.depth), f"{row.passages:.0%}", f"{row.queries:.0%}")
    output.print(rows)
    if found.asked > found.queries:
        share = f"{found.asked_answered / found.asked:.0%}"
        say(f"The queries with a relevant passage are {share} of the {found.asked:,} times that people asked.")
    alone = ", ".join(f"{name} {count:,}" for name, count in found.alone)
    say(f"{found.relevant:,} of {found.judged:,} graded passages are relevant; found by one search alone: {alone}")
    if found.at_most is not None:
        say(f"At most {found.at_most:.1%} of all relevant passages are labelled, by what two searches share.")


def print_index(summary: IndexSummary) -> None:
    """Print what changed in a collection."""
    say(
        f"{summary.chunks:,} chunks of {summary.documents:,} documents in {summary.collection}: "
        f"{summary.added:,} added, {summary.kept:,} kept, {summary.removed:,} removed, "
        f"{summary.dropped:,} dropped as near-empty or repeated"
    )
    if summary.usage:
        output.print(_usage_table(summary.usage))
