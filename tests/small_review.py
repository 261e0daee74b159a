"""A benchmark of two systems on four goldens, to be judged by people."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ragset.dataset.review.file import ReviewFile
from ragset.dataset.review.order import ReviewPlan
from ragset.dataset.review.records import Review
from ragset.evaluation.results.model import System
from ragset.evaluation.results.report import render_results
from ragset.evaluation.results.writing import write_results
from ragset.evaluation.review.pool import Pool, read_pool
from ragset.models import Golden
from ragset.retrieval.fusion import Hit
from tests.small_dataset import TEA, golden_of
from tests.small_results import Score, frame_of, tea_results

GOLDENS = tuple(golden_of(f"How hot, in the words of {who}?") for who in ("Ada", "Bob", "Cy", "Di"))
HOT, LONG = f"{TEA.id}:0-35", f"{TEA.id}:36-61"
PLAN = ReviewPlan(shared=0.0)

Answers = Mapping[str, Sequence[str | None]]


def judged_results(
    folder: Path,
    answers: Answers | None = None,
    correctness: Mapping[str, Sequence[float]] | None = None,
    goldens: Sequence[Golden] = GOLDENS,
    *,
    report: bool = False,
) -> Pool:
    """Written to `folder`. By system, what it answered to each golden and how the critic scored that; `good` finds the evidence
    first, `none` nothing, and any other last."""
    answers = answers or {"good": ["80 °C"] * len(goldens), "bad": ["Cold.", "80  °C", None, "Warm."]}
    correctness = correctness or {"good": [1.0] * len(goldens), "bad": [0.0, 1.0, 0.0, 0.5]}
    rows: list[Score] = [
        (name, golden.id, "correctness", value)
        for name, of in correctness.items()
        for golden, value in zip(goldens, of, strict=True)
    ]
    rows += [
        (name, golden.id, f"{metric}@{k}", 1.0 if name == "good" or (k == 2 and metric == "hit_rate") else 0.5)
        for name in correctness
        for golden in goldens
        for metric in ("precision", "hit_rate")
        for k in (1, 2)
    ]
    ranked = {"good": [Hit(HOT, 0.9), Hit(LONG, 0.1)], "none": []}
    late = [Hit(LONG, 0.9), Hit(HOT, 0.8)]
    given = tea_results(
        folder,
        goldens=tuple(goldens),
        systems=tuple(System(name=name, reader="m") for name in correctness),
        runs={name: {golden.id: ranked.get(name, late) for golden in goldens} for name in correctness},
        answers={name: dict(zip([golden.id for golden in goldens], of, strict=True)) for name, of in answers.items()},
        scores=frame_of(rows),
        standings=(),
        primary="correctness",
    )
    write_results(folder / "bench", given, render_results(given) if report else "")
    return read_pool(folder / "bench", PLAN)


def grade(folder: Path, grades: Mapping[str, int | None], reviewer: str = "Ada", version: int = 1) -> None:
    """Judge items; None skips."""
    pool = read_pool(folder / "bench", PLAN)

    def review(item: str, given: int | None) -> Review:
        kind = pool.items[item].kind
        return Review.of(reviewer, item, kind, f"{kind}@{version}", grade=given)

    ReviewFile(folder / "bench").append(*(review(*one) for one in grades.items()))
