"""What a training did to retrieval, measured on the test side of its dataset."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from ragset.dataset.swap import check_free, replaced
from ragset.evaluation.effect.measure import EvaluationSet, learning_curve, measure_effect
from ragset.evaluation.effect.model import Effect, Validation
from ragset.evaluation.effect.report import EFFECT, REPORT, effect_files
from ragset.evaluation.grid import Grid
from ragset.evaluation.results.model import Run
from ragset.models import Model
from tasks.index import IndexFile
from tasks.run.artifacts import show_effect, show_report
from tasks.run.threads import in_thread
from tasks.training import TrainingSet

GRID = "grid.yaml"
"""Retrieval with what was trained and without it, for `benchmark`."""
_WHAT = "the result of a training"


class TrainedSummary(Model):
    """The outcome of a training, in short."""

    out: str
    report: str
    kept: bool
    """Whether what was trained is in the folder; else it was no better than no change."""
    effect: Effect


def check_trained(folder: Path) -> None:
    """Return if the result of a training can be written to the folder, as far as can be told beforehand."""
    check_free(folder, EFFECT, _WHAT)


async def write_trained(
    out: str,
    dataset: str,
    effect: Effect,
    parameters: Mapping[str, Any],
    keep: Callable[[Path], object] | None,
    grid: Grid,
) -> TrainedSummary:
    """Write report and figures, in place of an earlier result; with what `keep` writes and the grid, unless nothing was worth keeping."""

    def write() -> None:
        with replaced(Path(out), EFFECT, _WHAT) as folder:
            for name, text in effect_files(effect, dataset, parameters, GRID if keep else "").items():
                (folder / name).write_text(text, encoding="utf-8")
            if keep:
                keep(folder)
                (folder / GRID).write_text(_as_yaml(grid), encoding="utf-8")

    await in_thread(write)
    report = str(Path(out) / REPORT)
    await show_effect(dataset, effect)
    await show_report(dataset, report)
    return TrainedSummary(out=out, report=report, kept=keep is not None, effect=effect)


def _as_yaml(grid: Grid) -> str:
    given = grid.model_dump(mode="json", exclude_defaults=True)
    embedding = [{"model": one.model, **one.model_dump(mode="json", exclude_defaults=True)} for one in grid.embedding]
    return yaml.safe_dump({"grid": {**given, "embedding": embedding}}, sort_keys=False, allow_unicode=True)


async def measure_training(
    training: TrainingSet,
    index: IndexFile,
    *,
    changed: str,
    before: Run,
    after: Run,
    trained_with: Sequence[str],
    fit: Callable[[frozenset[str]], Run] | None = None,
    validation: Validation | None = None,
    seed: int = 0,
) -> Effect:
    """`ragset.evaluation.effect.measure_effect`, with the learning curve if `fit` is given and something was kept.

    Runs are of the test goldens; `trained_with` are the ids of the goldens that were trained on.
    """

    def measure() -> Effect:
        measured_on = EvaluationSet.of(training.sides.test, training.corpus.open(), index.open().ids, seed=seed)
        kept = validation is None or validation.chosen
        curve = learning_curve(measured_on, before, after, trained_with, fit) if fit and kept else ()
        return measure_effect(
            measured_on,
            before,
            after,
            changed=changed,
            trained_with=len(set(trained_with)),
            curve=curve,
            validation=validation,
        )

    return await in_thread(measure)
