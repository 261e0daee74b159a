"""Results of commands, for people and for scripts."""

import math
from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from flows.terminal import duration, errors, money, output, print_json
from flows.translating import Translated
from ragset.comparing import Change, Plan
from ragset.dataset import Dataset, FunnelRow, Split, Totals, Unread
from ragset.estimate import Estimate
from ragset.models import Usage
from ragset.prompt import Prompt
from ragset.settings import OFFLINE
from ragset.similarity import Calibration
from tasks.dataset import DatasetSummary
from tasks.index import IndexSummary
from tasks.progress import Progress
from tasks.refreshing import RefreshSummary
from tasks.results import ResultsSummary

__all__ = [
    "dataset_json",
    "print_benchmark",
    "print_calibration",
    "print_changes",
    "print_dataset",
    "print_estimate",
    "print_index",
    "print_json",
    "print_plan",
    "print_problems",
    "print_prompts",
    "print_refresh",
    "print_shown",
    "print_translated",
    "print_unread",
    "refresh_json",
]

_MORE = {
    "rules": "most chunks are lists, links or boilerplate: add documents of running text",
    "expand": "most chunks have too few similar ones: add documents on near subjects, or lower --min-similarity",
    "judge": "most chunks were judged as metadata or as not self-contained: add documents, or cut larger chunks",
    "draft": "most chunks held nothing worth asking: add documents, or choose other --styles",
    "split": "most queries asked several things at once: try a stronger --model, or --single keep",
    "evolve": "most evolved queries were refused: give none a larger weight in --evolutions",
    "relevant": "most queries need one chunk alone: try a stronger --model, larger contexts, or --single keep",
    "necessity": "most queries can do with one chunk alone: try a stronger --model, or --single keep",
    "answer": "most answers could not be quoted from their chunk: try a stronger --model, or larger chunks",
    "critique": "most goldens scored below the threshold: try a stronger --model, or a lower --threshold",
    "keep": "the queries repeat each other: add documents",
}
"""What helps, by the stage that lost most."""


def dataset_json(summary: DatasetSummary, progress: Progress) -> dict[str, Any]:
    """What `--json` prints of a run: the dataset, and what this try of it did."""
    made = {"calls": progress.calls_made, "tokens": progress.tokens_made, "cost": progress.cost_made}
    return {**summary.model_dump(mode="json"), "this_run": made}


def print_dataset(summary: DatasetSummary, progress: Progress, seconds: float) -> None:
    """Goldens, funnel, cost, and where to look."""
    output.print(_funnel(summary.funnel))
    wanted = "" if summary.wanted is None else f" of {summary.wanted}"
    line = Text(f"{summary.kept}{wanted} goldens", style="bold")
    line.append(f" from {summary.documents} documents in {duration(seconds)} · {_made_by(summary)}", style="")
    output.print(line)
    if summary.kind == "multi-chunk" and summary.kept:
        share = f"{summary.cross_document / summary.kept:.0%}"
        output.print(f"{summary.cross_document} of them ({share}) need chunks of two or more documents")
    if summary.split is not None:
        _print_split(summary.split)
    output.print(_cost(summary.totals, progress))
    print_problems(summary)
    output.print(f"Test set: {summary.folder}", soft_wrap=True)
    output.print(Text("Report:   ") + Text(summary.report, style="bold"), soft_wrap=True)


def _print_split(split: Split) -> None:
    """Sizes of the sides, and what stands on two of them."""
    sizes = ", ".join(f"{side} {facts.goldens}" for side, facts in split.sides.items())
    output.print(f"Split by {split.by}: {sizes}. {split.notice}".rstrip(), soft_wrap=True)
    for leak in split.leakage:
        cosine = "" if leak.highest_cosine is None else f", highest cosine {leak.highest_cosine:.2f}"
        output.print(
            f"  {leak.sides[0]} and {leak.sides[1]}: shared evidence {leak.evidence}, repeated queries {leak.repeats}, "
            f"shared documents {leak.documents}{cosine}",
            soft_wrap=True,
        )


def refresh_json(summary: RefreshSummary, progress: Progress) -> dict[str, Any]:
    """What `--json` prints of a refresh: the new version, and what this try of it did."""
    made = {"calls": progress.calls_made, "tokens": progress.tokens_made, "cost": progress.cost_made}
    return {**summary.model_dump(mode="json"), "this_run": made}


def print_refresh(summary: RefreshSummary, progress: Progress, seconds: float) -> None:
    """What became of the goldens, and where to look."""
    if summary.state == "unchanged":
        short = "" if summary.kept >= summary.wanted else f", of {summary.wanted} wanted"
        output.print(Text("unchanged", style="bold") + Text(f": the documents are, and {summary.kept} goldens{short}"))
        output.print(f"Test set: {summary.folder}", soft_wrap=True)
        return
    counts = ", ".join(f"{getattr(summary, change)} {change}" for change in ("valid", "moved", "stale", "added"))
    output.print(
        Text(f"{summary.kept} of {summary.wanted} goldens", style="bold") + Text(f" in {duration(seconds)}: {counts}")
    )
    if summary.dataset is not None:
        if summary.dataset.totals.calls:
            output.print(_cost(summary.dataset.totals, progress))
        print_problems(summary.dataset)
    output.print(f"Went on from: {summary.before}", soft_wrap=True)
    output.print(f"Test set:     {summary.folder}", soft_wrap=True)
    output.print(Text("Changes:      ") + Text(summary.changes, style="bold"), soft_wrap=True)
    output.print(Text("Report:       ") + Text(summary.report, style="bold"), soft_wrap=True)


def print_problems(summary: DatasetSummary) -> None:
    """What could not be read, and why there are fewer goldens than asked for, on stderr."""
    print_unread(summary.unread)
    if summary.ended != "complete":
        errors.print(Text(f"Ended early: {_why(summary)}.", style="yellow"), soft_wrap=True)


def _why(summary: DatasetSummary) -> str:
    if summary.ended == "budget spent":
        return "the budget is spent; raise it and run the same command to go on from here"
    rows = [row for row in summary.funnel if row.stage in _MORE]
    most = max(rows, key=lambda row: row.entered - row.left, default=None)
    tried = "every chunk of the corpus was tried"
    if most is None or most.entered == most.left:
        return f"{tried}; add documents, or cut smaller chunks"
    help_ = _MORE[most.stage]
    if OFFLINE in {summary.generator, summary.critic} and most.stage not in {"rules", "expand", "keep"}:
        help_ = "the offline rules can ask about few of them: name a model with --model, or add documents"
    return f"{tried}, and {most.entered - most.left:,} of {most.entered:,} were lost at {most.stage}; {help_}"


def print_index(summary: IndexSummary) -> None:
    """What changed in a collection."""
    print_unread(summary.unread)
    output.print(
        f"{summary.chunks:,} chunks of {summary.documents:,} documents in {summary.collection}: "
        f"{summary.added:,} added ({summary.embedded:,} embedded), {summary.kept:,} kept, {summary.removed:,} removed, "
        f"{summary.dropped:,} dropped as near-empty or repeated",
        soft_wrap=True,
    )


def print_estimate(estimate: Estimate, wanted: int | None) -> None:
    """Calls, tokens and money by stage, and what they rest on."""
    table = _usage(estimate.usage)
    output.print(table)
    totals = estimate.totals
    output.print(
        Text(
            f"About {totals.calls:,} calls, {totals.prompt_tokens:,} prompt and {totals.completion_tokens:,} reply "
            f"tokens, {money(totals.cost)}, for {estimate.goldens:,} goldens",
            style="bold",
        ),
        soft_wrap=True,
    )
    output.print(f"{estimate.basis}", soft_wrap=True)
    if estimate.passed is None:
        errors.print(Text("No chunk of the pilot passed, so the figures are a lower bound.", style="yellow"))
    elif wanted is not None and estimate.goldens < wanted:
        line = f"The {estimate.chunks_eligible:,} chunks to draw from will not make {wanted:,} goldens: add documents."
        errors.print(Text(line, style="yellow"), soft_wrap=True)


def print_calibration(calibration: Calibration, embedding: str) -> None:
    """The two distributions beside each other, and the cosine that follows from them."""
    table = Table(box=None, pad_edge=False)
    for name in ("cosine", "of any two chunks", "of a chunk and its nearest"):
        table.add_column(name, justify="right" if name == "cosine" else "left")
    rows = zip(calibration.pairs.counts, calibration.nearest.counts, strict=True)
    for place, counts in enumerate(rows):
        if not any(counts):
            continue
        low = calibration.pairs.low + place * calibration.pairs.width
        bars = [
            _bar(count, all_.counts)
            for count, all_ in zip(counts, (calibration.pairs, calibration.nearest), strict=True)
        ]
        here = low <= calibration.min_similarity < low + calibration.pairs.width
        table.add_row(f"{low:.3f}", *bars, style="bold" if here else "")
    output.print(table)
    line = (
        f"Least similarity for {embedding}, from {calibration.chunks:,} chunks: {calibration.min_similarity}. 95 % of all "
        f"pairs stay under it, and {calibration.with_neighbour:.0%} of chunks have a neighbour above."
    )
    output.print(Text(line, style="bold"), soft_wrap=True)
    output.print("It is what multi-chunk uses where no --min-similarity is given.")


def _bar(count: int, counts: tuple[int, ...]) -> Text:
    """As long as its share of the largest; one that is not 0 is seen."""
    most = max(counts)
    return Text("█" * (math.ceil(24 * count / most) if most else 0))


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


def print_shown(dataset: Dataset, goldens: int) -> None:
    """A dataset in short, with its first goldens."""
    manifest = dataset.manifest
    corpus = manifest.corpus
    output.print(
        Text(f"{manifest.kept} goldens", style="bold")
        + Text(f" ({manifest.kind}) of {corpus.name}: {corpus.documents} documents, {corpus.chunks} chunks")
    )
    models = manifest.models
    output.print(f"written by {models.generator}, judged by {models.critic}, embedded by {models.embedding}")
    output.print(_funnel(manifest.funnel))
    if manifest.usage:
        output.print(_usage(manifest.usage))
    for golden in dataset.goldens[:goldens]:
        output.print(Text(f"\n{golden.query}", style="bold"), soft_wrap=True)
        output.print(Text(golden.answer or "(no answer in the corpus)"), soft_wrap=True)
        sources = {source for span in golden.evidence for source in dataset.corpus[span.doc_id].sources}
        output.print(Text(f"{golden.id} · {', '.join(sorted(sources))}", style="dim"), soft_wrap=True)
    output.print(f"\nReport: {dataset.folder / 'report.html'}", soft_wrap=True)


def print_prompts(prompts: list[Prompt]) -> None:
    """A line for each prompt."""
    table = Table(box=None, pad_edge=False)
    for name in ("prompt", "digest", "reply", "purpose"):
        table.add_column(name, no_wrap=name != "purpose")
    for prompt in prompts:
        table.add_row(prompt.key, prompt.digest, prompt.reply, prompt.purpose)
    output.print(table)


def print_translated(done: Translated) -> None:
    """What was written, what was not, and what a person should do now."""
    for path in done.written:
        output.print(str(path), soft_wrap=True)
    for name, reason in done.failed.items():
        errors.print(f"{name}: not written: {reason}", style="yellow", soft_wrap=True)
    if not done.written and not done.failed:
        output.print("Nothing to do: every prompt has a file in that language (--force writes them again).")
        return
    tokens = done.totals.prompt_tokens + done.totals.completion_tokens
    output.print(f"{done.totals.calls:,} calls, {tokens:,} tokens, {money(done.totals.cost)}")
    if done.written:
        output.print(
            "A model wrote these: somebody who speaks the language should read and correct them. Then take the line "
            "translated_by out, and run `python -m flows prompts pin` where the folder keeps a pins.yaml."
        )
    if done.hint:
        output.print(done.hint, soft_wrap=True)


def _made_by(summary: DatasetSummary) -> str:
    names = dict.fromkeys((summary.generator, summary.critic))
    said = "rules, not by a language model (offline)" if list(names) == [OFFLINE] else " and ".join(names)
    return f"made by {said}"


def _cost(totals: Totals, progress: Progress) -> str:
    if not totals.calls:
        return "Replies: none"
    tokens = totals.prompt_tokens + totals.completion_tokens
    line = f"Replies: {totals.calls:,} calls, {tokens:,} tokens, {money(totals.cost)}"
    if totals.prompt_tokens:
        line += f" · paid in this run: {progress.calls_made:,} calls, {money(progress.cost_made)}"
    return line


def _funnel(rows: tuple[FunnelRow, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("stage")
    table.add_column("in", justify="right")
    table.add_column("out", justify="right")
    table.add_column("rejected because", overflow="fold")
    for row in rows:
        reasons = ", ".join(f"{reason.replace('_', ' ')} {count:,}" for reason, count in row.rejected.items())
        table.add_row(row.stage, f"{row.entered:,}", f"{row.left:,}", Text(reasons, style="dim"))
    return table


def _usage(rows: tuple[Usage, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("stage", "prompt", "model"):
        table.add_column(name)
    for name in ("calls", "prompt tokens", "reply tokens", "cost"):
        table.add_column(name, justify="right")
    for row in rows:
        numbers = (f"{row.calls:,}", f"{row.prompt_tokens:,}", f"{row.completion_tokens:,}", money(row.cost))
        table.add_row(row.stage, row.prompt, row.model, *numbers)
    return table


def print_unread(unread: tuple[Unread, ...]) -> None:
    """What could not be read, and why, on stderr."""
    if unread:
        errors.print(Text(f"{len(unread)} could not be read:", style="yellow"))
    for failure in unread[:20]:
        errors.print(Text(f"  {failure.source}: {failure.reason}"), soft_wrap=True)
    if len(unread) > 20:
        errors.print(f"  … and {len(unread) - 20} more, all in manifest.json")
