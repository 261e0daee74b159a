import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm

from ragset.dataset.review.estimates import prediction, share_of


@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_the_interval_of_whole_goldens_is_wilson_s_as_scipy_has_it(good: list[bool]) -> None:
    found, theirs = share_of(good), binomtest(sum(good), len(good)).proportion_ci(method="wilson")
    assert found[:3] == pytest.approx((sum(good) / len(good), theirs.low, theirs.high))


def test_nothing_judged_is_no_share() -> None:
    assert math.isnan(share_of([]).share)


def test_auc_is_the_share_of_pairs_in_which_the_good_one_scores_higher() -> None:
    # (5, 4), (5, 3), (4, 3) higher, (4, 4) as high: 3.5 of 4
    found = prediction([5, 4], [4, 3])
    assert found is not None
    assert (found.auc, found.good, found.bad) == (3.5 / 4, 2, 2)
    assert 0 < found.low < found.auc < found.high < 1
    assert prediction([5], []) is None


@given(*(st.lists(st.integers(1, 5), min_size=1, max_size=20) for _ in range(2)))
def test_the_interval_holds_the_score_and_turns_over_with_the_sides(good: list[int], bad: list[int]) -> None:
    one, other = prediction(good, bad), prediction(bad, good)
    assert one is not None
    assert other is not None
    assert 0 <= one.low <= one.auc <= one.high <= 1
    assert one.low < one.high
    assert (other.auc, other.low, other.high) == pytest.approx((1 - one.auc, 1 - one.high, 1 - one.low), abs=1e-6)


def test_a_perfect_score_of_few_goldens_may_be_far_from_perfect() -> None:
    found = prediction([5, 5, 5], [1, 1, 1])
    assert found is not None
    assert (found.auc, found.high) == (1, 1)
    assert found.low < 0.6


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    random, truth = np.random.default_rng(0), norm.cdf(1 / math.sqrt(2))  # of normal scores one deviation apart
    held = 0
    for _ in range(400):
        found = prediction(random.normal(1, 1, 20).tolist(), random.normal(0, 1, 20).tolist())
        assert found is not None
        held += found.low <= truth <= found.high
    assert 0.92 <= held / 400 <= 0.98
