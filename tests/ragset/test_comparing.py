from pathlib import Path

import pandas as pd
import pytest

from ragset.comparing import changes, plan
from ragset.corpus import Corpus
from ragset.errors import InputError
from ragset.results import Read, Results, System, read_results, write_results
from tests.small_dataset import TEA, golden_of

GOLDENS = tuple(golden_of(f"Query {number}?") for number in range(30))


def write(folder: Path, **values: list[float]) -> Read:
    folder.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        (name, golden.id, "mrr", value)
        for name, column in values.items()
        for golden, value in zip(GOLDENS, column, strict=True)
    ]
    results = Results(
        name="teas",
        datasets=("d",),
        corpus=Corpus.write(folder.parent / "corpus.jsonl", [TEA]),
        goldens=GOLDENS,
        systems=tuple(System(name=name) for name in values),
        runs={},
        answers={},
        scores=pd.DataFrame(rows, columns=["configuration", "golden", "metric", "value"]),
        standings=(),
        comparisons=(),
        primary="mrr",
        baseline="",
        smallest_difference=None,
    )
    write_results(folder, results, "")
    return read_results(folder)


def test_a_fall_beyond_noise_is_one_and_a_small_one_is_not(tmp_path: Path) -> None:
    before = write(tmp_path / "before", a=[1.0] * 30, b=[1.0] * 30)
    after = write(tmp_path / "after", a=[0.0] * 15 + [1.0] * 15, b=[0.0] + [1.0] * 29)
    found = {change.configuration: change for change in changes(before, after)}
    assert (found["a"].before, found["a"].after, found["a"].difference) == (1.0, 0.5, -0.5)
    assert found["a"].fell
    assert not found["b"].fell


def test_a_rise_is_no_fall(tmp_path: Path) -> None:
    before, after = write(tmp_path / "before", a=[0.0] * 30), write(tmp_path / "after", a=[1.0] * 30)
    (change,) = changes(before, after)
    assert change.difference == 1
    assert not change.fell


def test_nothing_in_common_is_an_error(tmp_path: Path) -> None:
    before, after = write(tmp_path / "before", a=[0.0] * 30), write(tmp_path / "after", b=[1.0] * 30)
    with pytest.raises(InputError, match="no configuration in common"):
        changes(before, after)


def test_a_plan_is_worked_out_by_hand(tmp_path: Path) -> None:
    # (1.960 + 0.842)² · 0.5² / 0.1² = 196.2
    assert plan(0.1, None).queries == 197
    before = write(tmp_path / "r", a=[1.0, 0.0] * 15, b=[0.0, 0.0] * 15)
    # the differences are 1 and 0 by turns: sd = 0.5 · sqrt(30 / 29) = 0.5085
    assert plan(0.1, before).sd == pytest.approx(0.5085, abs=1e-4)
    with pytest.raises(InputError, match="between"):
        plan(2, None)
    with pytest.raises(InputError, match="two are needed"):
        plan(0.1, write(tmp_path / "one", a=[1.0] * 30))
