"""What to run next, at the end of a command: each a command that can be pasted into a shell."""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ragset.settings import OFFLINE
from ragset.settings.command_line import Next, command

if TYPE_CHECKING:
    from ragset.dataset.exporters import Exported
    from ragset.evaluation.results.comparing import Compared
    from ragset.evaluation.results.corrected import Judged
    from ragset.evaluation.results.planning import Plan
    from ragset.generation.estimate import Estimate
    from tasks.dataset import DatasetSummary
    from tasks.effect import TrainedSummary
    from tasks.refresh import RefreshSummary
    from tasks.results import ResultsSummary

_MODEL = ("--model", "gpt-4o-mini")
_NOT_OF_ESTIMATES = {
    *("--out", "--max-calls", "--max-tokens", "--max-cost", "--concurrency", "--batch-hours"),
    *("--json", "--model", "--critic"),
}
"""Options of runs that `estimate` does not take, or that are given anew."""
_JUDGED_THERE = {"argilla", "label-studio"}
"""Formats of tools that give judgements back."""


def after_estimate(estimate: Estimate, pipeline: str) -> tuple[Next, ...]:
    """The run that was estimated, within the upper end of the estimate."""
    if not estimate.goldens:
        return ()
    calls = sum(row.calls for row in estimate.at_most)
    budget = () if estimate.free else ("--max-calls", str(calls))
    words = words_without({"--pipeline", "--pilot", "--json"})
    return (Next("Make them", command(pipeline, *words, *budget)),)


def after_making(summary: DatasetSummary, *, examples: bool = False) -> tuple[Next, ...]:
    """A model after the built-in rules, and own documents after the `examples`; else people's judgement and a benchmark."""
    steps: list[Next] = []
    if examples:
        steps.append(_own_documents(100))
    elif summary.generator == OFFLINE:
        steps.append(_with_model(summary.kind))
    if not summary.kept:
        return tuple(steps)
    return (*steps, *of_dataset(summary.folder, summary.kind, review=not steps))


def of_dataset(folder: str | Path, kind: str = "", *, review: bool = True) -> tuple[Next, ...]:
    """What a finished dataset of a kind is for."""
    judged = Next("Let people judge a sample of the goldens", command("review", folder))
    # Corpus-wide goldens are scored by answers alone.
    answering = ("--reader", "gpt-4o-mini", "--critic", "gpt-4o") if kind == "corpus-wide" else ()
    measured = Next("Compare configurations on them", command("benchmark", folder, *answering))
    return (judged, measured) if review else (measured,)


def after_refresh(summary: RefreshSummary) -> tuple[Next, ...]:
    """A benchmark on the new version, and people's judgement where goldens are new."""
    return of_dataset(summary.folder, review=summary.added > 0) if summary.state == "refreshed" else ()


def after_index() -> tuple[Next, ...]:
    """What goldens of the same documents would cost."""
    return (Next("See what a test set of them costs", command("estimate", *words_without(_NOT_OF_ESTIMATES), *_MODEL)),)


def after_benchmark(summary: ResultsSummary) -> tuple[Next, ...]:
    """More goldens where none wins, people's judgement of answers, and how to measure a change."""
    folder = summary.folder
    later = f"{folder.rstrip('/')}-2"
    steps: list[Next] = []
    if len(summary.leaders) > 1:
        plan = command("plan", "--difference", "0.05", "--results", folder)
        steps.append(Next("See how many goldens it takes to tell the best apart", plan))
    again = command("benchmark", *words_without({"--json", "--out"}), "--out", later)
    return (
        *steps,
        Next("Let people judge answers and passages", command("review", folder)),
        Next("After a change of your system, measure it", f"{again} && {command('compare', folder, later)}"),
    )


def after_train_data(dataset: str) -> tuple[Next, ...]:
    """What needs no graphics card, on the same split."""
    return (Next("See what a small reranker learns from them", command("train-reranker", dataset)),)


def after_comparing(found: Compared, after: str | Path) -> tuple[Next, ...]:
    """How many goldens would show half of the change that can be seen now, where nothing fell."""
    if found.fell or not found.changes:
        return ()
    halves = [(one.high - one.low) / 2 for one in found.changes if one.low is not None and one.high is not None]
    if not max(halves, default=0.0):
        return ()
    smaller = f"{max(0.01, math.floor(50 * max(halves)) / 100):g}"
    plan = command("plan", "--difference", smaller, "--results", after)
    return (Next(f"See how many goldens it takes to show a change of {smaller}", plan),)


def after_training(summary: TrainedSummary, dataset: str) -> tuple[Next, ...]:
    """A benchmark of search with and without what was kept, else of search as it can be without training."""
    test = ("benchmark", dataset, "--split", "test")
    if not summary.kept:
        return (Next("Compare configurations without training", command(*test)),)
    from tasks.effect import GRID

    out = summary.out.rstrip("/")
    with_it = command(*test, "--config", f"{out}/{GRID}", "--out", f"{out}-benchmark")
    return (Next("Compare search with it and without it in a benchmark", with_it),)


def after_export(done: Exported, dataset: str, kind: str) -> tuple[Next, ...]:
    """What people judge elsewhere comes back; other test sets are benchmarked here too."""
    if done.to in _JUDGED_THERE:
        back = command("import-review", dataset, "FILE")
        return (Next("When people have judged them there, add their judgements", back),)
    return of_dataset(dataset, kind, review=False)


def after_plan(found: Plan) -> tuple[Next, ...]:
    """What a test set of that size costs."""
    return (_own_documents(found.queries),)


def after_correcting(results: Path, found: Sequence[Judged]) -> tuple[Next, ...]:
    """More judgements, which make the intervals narrower."""
    why = (
        "Let people judge more, which makes the intervals narrower"
        if found
        else "Let people judge answers and passages"
    )
    return (Next(why, command("review", results)),)


def _own_documents(n: int) -> Next:
    """The estimate of a test set of n goldens."""
    own = command("estimate", "my_docs/", "--n", n, *_MODEL)
    return Next("See what a test set of your own documents by a language model costs", own)


def _with_model(kind: str) -> Next:
    """The estimate of the same test set with a language model."""
    if kind == "labelled":
        words = words_without({"--json", "--model", "--max-calls"})
        return Next(
            "Label them with a language model, for a few calls first",
            command("label", *words, *_MODEL, "--max-calls", 200),
        )
    pipeline = () if kind == "single-chunk" else ("--pipeline", kind)
    words = (*words_without(_NOT_OF_ESTIMATES), *_MODEL, *pipeline)
    return Next("See what a test set by a language model costs", command("estimate", *words))


def words_without(options: Collection[str], typed: Sequence[str] | None = None) -> tuple[str, ...]:
    """What was typed after the command, without these options and their values."""
    kept: list[str] = []
    words = iter((sys.argv if typed is None else typed)[2:])
    for word in words:
        name, given, _ = word.partition("=")
        if name not in options:
            kept.append(word)
        elif not given and name != "--json":
            next(words, None)
    return tuple(kept)
