from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ragset.evaluation.effect.model import Validation
from ragset.evaluation.results.model import Run
from tasks.effect import measure_training
from tests.effect_samples import documents_of, evaluation_set_of, golden_at, run_with

TRAINED = [f"t-{number}" for number in range(8)]


@pytest.mark.parametrize(("chosen", "sizes"), [(1, [0, 2, 4, 8]), (0, [])])
async def test_the_learning_curve_is_drawn_of_what_was_kept_alone(
    tmp_path: Path, chosen: int, sizes: list[int]
) -> None:
    documents = documents_of(7)
    measured_on = evaluation_set_of(tmp_path, [golden_at(one) for one in documents], documents)
    # Like a training set and an index, as far as they are asked.
    sides = SimpleNamespace(test=measured_on.goldens)
    training: Any = SimpleNamespace(sides=sides, corpus=SimpleNamespace(open=lambda: measured_on.corpus))
    index: Any = SimpleNamespace(open=lambda: SimpleNamespace(ids=measured_on.chunks))

    def fit(part: frozenset[str]) -> Run:
        assert part < set(TRAINED)
        return run_with(measured_on, 1)

    effect = await measure_training(
        training,
        index,
        changed="adapter",
        before=run_with(measured_on, 2),
        after=run_with(measured_on, 1 if chosen else 2),
        trained_with=[*TRAINED, *TRAINED],
        fit=fit,
        validation=Validation(metric="ndcg@10", goldens=5, values=(0.4, 0.5), chosen=chosen),
    )
    assert effect.trained_with == 8
    assert [one.goldens for one in effect.curve] == sizes
    assert effect.told.startswith("The adapter helps" if chosen else "The adapter is not used")
