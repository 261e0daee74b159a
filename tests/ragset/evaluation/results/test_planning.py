"""How many queries a difference needs."""

import math
from pathlib import Path

import pandas as pd
import pytest

from ragset.errors import InputError
from ragset.evaluation.results.planning import plan, queries_needed, spread
from tests.ragset.evaluation.results.test_comparing import GOLDENS, write

NAN = math.nan


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


def test_a_plan_from_results_that_hardly_differ_is_by_the_guess(tmp_path: Path) -> None:
    alike = write(tmp_path / "alike", a=[1.0, 0.0] * 15, b=[1.0, 0.0] * 15)
    found = plan(0.1, alike)
    assert (found.sd, found.queries) == (0.5, 197)
    assert "scores hardly differ in" in found.basis
    assert "the spread cannot be told" in found.basis
    # a third that differs says how far
    other = write(tmp_path / "other", a=[1.0, 0.0] * 15, b=[1.0, 0.0] * 15, c=[0.0] * 30)
    assert plan(0.1, other).sd == pytest.approx(0.5085, abs=1e-4)


def test_a_plan_never_asks_for_fewer_queries_than_can_show_anything(tmp_path: Path) -> None:
    before = write(tmp_path / "r", a=[1.0, 0.8] * 15, b=[0.5, 0.5] * 15)
    # the differences are 0.5 and 0.3: sd = 0.1 · sqrt(30 / 29), and 2.8² · 0.1² / 0.5² is less than one query
    assert plan(0.5, before).queries == 6


def test_queries_needed_for_a_difference() -> None:
    # (2.80158 · 0.5 / 0.1)**2 = 196.2
    assert queries_needed(0.1, 0.5) == 197
    assert queries_needed(-0.1, 0.5) == 197


def table(**rows: list[float]) -> pd.DataFrame:
    count = len(next(iter(rows.values())))
    return pd.DataFrame(rows, index=[f"g{place}" for place in range(count)]).T


@pytest.mark.parametrize(
    ("other", "sd"),
    [
        # 5 of 12 differ, which no test can show
        ([0.0] * 5 + [1.0] * 7, None),
        # 6 of 12: variance 1/4 · 12/11
        ([0.0] * 6 + [1.0] * 6, 0.52223),
        # all by the same, or by next to nothing
        ([0.7] * 12, None),
        ([0.999, 1.0] * 6, None),
        # 0.2 and 0 by turns: 0.1 · sqrt(12/11)
        ([0.8, 1.0] * 6, 0.10445),
    ],
)
def test_the_spread_is_that_of_differences_where_it_can_be_told(other: list[float], sd: float | None) -> None:
    found = spread(table(best=[1.0] * 12, other=other))
    assert found == (None if sd is None else pytest.approx(sd, abs=1e-5))


def test_variances_are_averaged_over_configurations_that_differ() -> None:
    # 1/4 and 1/100, each · 12/11; the copy of the best says nothing
    half, fifth = [0.0, 1.0] * 6, [0.8, 1.0] * 6
    found = spread(table(best=[1.0] * 12, half=half, fifth=fifth, copy=[1.0] * 12))
    assert found == pytest.approx(math.sqrt((0.25 + 0.01) / 2 * 12 / 11))


def test_the_spread_leaves_out_what_is_missing_and_needs_two_configurations() -> None:
    assert spread(table(best=[1.0] * 14, other=[0.0, 1.0] * 6 + [NAN] * 2)) == pytest.approx(0.52223, abs=1e-5)
    assert spread(table(best=[1.0] * 12)) is None
    assert spread(table(best=[1.0] * 12, other=[NAN] * 12)) is None


def test_results_over_one_golden_make_no_plan(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has one golden"):
        plan(0.1, write(tmp_path / "r", GOLDENS[:1], a=[1.0], b=[0.0]))
