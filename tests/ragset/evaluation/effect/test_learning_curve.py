from collections.abc import Collection
from pathlib import Path

import pytest

from ragset.evaluation.effect.measure import EvaluationSet, learning_curve
from ragset.evaluation.results.model import Run
from tests.effect_samples import documents_of, evaluation_set_of, golden_at, run_with


@pytest.fixture
def evaluation_set(tmp_path: Path) -> EvaluationSet:
    documents = documents_of(8)
    return evaluation_set_of(tmp_path, [golden_at(one) for one in documents], documents)


def test_a_part_is_drawn_at_random_and_lies_in_the_larger_part(evaluation_set: EvaluationSet) -> None:
    trained_with = [f"t-{number}" for number in range(8)]
    seen: list[frozenset[str]] = []

    def fit(part: Collection[str]) -> Run:
        seen.append(frozenset(part))
        # With k goldens of 8, k of 8 queries are found.
        return run_with(
            evaluation_set, {one.id: 1 if place < len(part) else 0 for place, one in enumerate(evaluation_set.goldens)}
        )

    before, after = run_with(evaluation_set, 0), run_with(evaluation_set, 1)
    curve = learning_curve(evaluation_set, before, after, trained_with, fit)
    assert [(one.goldens, one.draws, one.mean) for one in curve] == [(0, 1, 0), (2, 3, 0.25), (4, 3, 0.5), (8, 1, 1)]
    quarters, halves = seen[:3], seen[3:]
    assert len(set(halves)) > 1
    assert all(small < large <= set(trained_with) for small, large in zip(quarters, halves, strict=True))
    first = list(seen)
    seen.clear()
    learning_curve(evaluation_set, before, after, trained_with[::-1], fit)
    assert seen == first


def test_two_goldens_have_no_quarter(evaluation_set: EvaluationSet) -> None:
    run = run_with(evaluation_set, 1)
    curve = learning_curve(evaluation_set, run, run, ["t-0", "t-1"], lambda _: run)
    assert [one.goldens for one in curve] == [0, 1, 2]
