import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.evaluation.metrics.resample import Interval, intervals

NAN = math.nan
VALUES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, NAN]), min_size=1, max_size=25)


def interval(values: Sequence[float], clusters: Sequence[Hashable] | None = None, **options: Any) -> Interval:
    """Of one row."""
    return intervals(np.array([values]), clusters, **options)[0]


def test_the_interval_of_few_values_is_that_of_all_their_resamples() -> None:
    # Of 0, 0, 1 there are 27 resamples; their means are 0 in 8 (30 %), 1/3 in 12, 2/3 in 6, 1 in 1 (4 %).
    # For 50 % t(0.25, 2 degrees) = -0.8165, times sqrt(3/2) = -1: from the 15.9th percentile to the 84.1th.
    found = interval([0, 0, 1], level=0.5)
    assert found.mean == pytest.approx(1 / 3)
    assert (found.low, found.high) == pytest.approx((0, 2 / 3))
    # For 80 % t(0.1) = -1.886, times 1.2247 = -2.31: from the 1st to the 99th.
    assert interval([0, 0, 1], level=0.8)[1:3] == pytest.approx((0, 1))


def test_a_single_value_has_no_interval() -> None:
    assert interval([0.5]) == pytest.approx(Interval(0.5, NAN, NAN, 1, 0), nan_ok=True)


def test_a_large_sample_has_the_interval_of_the_normal_approximation() -> None:
    # 200 zeros and 200 ones: 0.5 ± 1.96 · 0.5 / 20 = 0.5 ± 0.049
    found = interval([0.0, 1.0] * 200)
    assert (found.low, found.high) == pytest.approx((0.451, 0.549), abs=0.004)


def test_clusters_of_like_values_make_it_wider() -> None:
    # 20 documents of 20 queries, all alike within a document: 0.5 ± 1.96 · 0.5 / sqrt(20) = 0.5 ± 0.219
    values = [float(document % 2) for document in range(20) for _ in range(20)]
    documents = [document for document in range(20) for _ in range(20)]
    found = interval(values, documents)
    assert (found.low, found.high) == pytest.approx((0.281, 0.719), abs=0.04)
    assert interval(values)[1:3] == pytest.approx((0.451, 0.549), abs=0.004)


def test_a_cluster_is_drawn_whole_and_weighs_by_its_size() -> None:
    # Ten documents, one of them with 91 zeros and nine with a one: the mean is 9/100, and without the large one 1.
    values = [0.0] * 91 + [1.0] * 9
    documents = ["large"] * 91 + list("abcdefghi")
    found = interval(values, documents)
    # (9/10)**10 = 35 % of draws lack the large document. t(0.025, 9) = -2.262, times sqrt(10/9) = -2.384: from the 0.86th
    # percentile. 1.28 % draw the large one four times or more, 0.16 % five times: 6 ones to 364 zeros.
    assert found.mean == pytest.approx(0.09)
    assert found.high == 1
    assert found.low == pytest.approx(6 / 370)


def test_fewer_than_ten_clusters_are_not_drawn() -> None:
    values = [0.0, 1.0] * 50
    assert interval(values, [place % 9 for place in range(100)]) == interval(values)
    assert interval(values, [place % 10 for place in range(100)]) != interval(values)


def test_what_could_not_be_judged_is_left_out_and_counted() -> None:
    found = interval([NAN, 1.0, NAN, 0.0, 1.0])
    assert found == interval([1.0, 0.0, 1.0])._replace(missing=2)
    assert (found.n, found.missing) == (3, 2)
    assert found.mean == pytest.approx(2 / 3)


@pytest.mark.parametrize("values", [[], [NAN, NAN]])
def test_nothing_judged_has_no_mean(values: list[float]) -> None:
    assert interval(values) == pytest.approx(Interval(NAN, NAN, NAN, 0, len(values)), nan_ok=True)


def test_the_same_seed_gives_the_same_interval_and_another_seed_nearly_the_same() -> None:
    values = np.random.default_rng(1).random(100)
    assert interval(values, seed=3) == interval(values, seed=3)
    assert interval(values, seed=3)[1:3] == pytest.approx(interval(values, seed=4)[1:3], abs=0.005)


def test_draws_in_blocks_are_as_many_as_asked_for() -> None:
    # 3,000 values: 10,000 draws do not fit one block; 0.5 ± 1.96 · 0.5 / sqrt(3000) = 0.5 ± 0.0179
    found = interval([0.0, 1.0] * 1500)
    assert (found.low, found.high) == pytest.approx((0.4821, 0.5179), abs=0.002)


@pytest.mark.slow
def test_nine_in_ten_intervals_of_90_per_cent_hold_the_true_mean() -> None:
    # 30 documents of 4 queries with an effect of the document of variance 1 beside a noise of 1, around 0.
    rng = np.random.default_rng(7)
    documents = np.repeat(np.arange(30), 4)
    held = blind = 0
    for _ in range(400):
        values = rng.normal(size=30)[documents] + rng.normal(size=120)
        low, high = interval(values, documents.tolist(), level=0.9, draws=1_000)[1:3]
        held += low <= 0 <= high
        low, high = interval(values, level=0.9, draws=1_000)[1:3]
        blind += low <= 0 <= high
    # 90 % ± 4 % (two and a half standard errors of 1.5 %); queries alone pretend to know sqrt(2.5) times better.
    assert 0.85 <= held / 400 <= 0.94
    assert blind / 400 < 0.8


@given(VALUES)
def test_an_interval_lies_within_the_values_and_around_the_mean(values: list[float]) -> None:
    found = interval(values, draws=300)
    judged = [value for value in values if not math.isnan(value)]
    assert (found.n, found.missing) == (len(judged), len(values) - len(judged))
    if len(judged) > 1:
        assert min(judged) - 1e-9 <= found.low <= found.high <= max(judged) + 1e-9
        assert found.mean == pytest.approx(sum(judged) / len(judged))


@settings(max_examples=20)
@given(st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0, math.nan]), min_size=12, max_size=12), min_size=1, max_size=4))
def test_intervals_of_rows_are_those_of_each_alone(rows: list[list[float]]) -> None:
    labels = [number // 2 for number in range(12)]
    for clusters in (None, labels, list(range(12))):
        together = intervals(np.array(rows), clusters, draws=200)
        alone = [interval(row, clusters, draws=200) for row in rows]
        assert [repr(found) for found in together] == [repr(found) for found in alone]
