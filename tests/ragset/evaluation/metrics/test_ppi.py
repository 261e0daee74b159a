import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.ppi import GRADES, JUDGES, coverage
from ragset.evaluation.metrics.ppi import Estimate, corrected
from ragset.evaluation.metrics.resample import Floats

NAN = math.nan
NORMAL = 1.959963984540054

LABELS = np.array([1, 0.75, 0, 0.5, 1, 0.25, 0.75, 1])
SCORES = np.array([1, 1, 0.25, 0.5, 0.75, 0.5, 1, 1])
OTHERS = np.array([1, 0.75, 1, 0.25, 0.5, 1, 1, 0, 0.75, 1, 0.5, 1])
SECOND = [np.array(values) for values in ([0.5] * 3 + [0, 1, 0, 0, 0.5], [0.5, 0.75, 0, 0.25, 1, 0.5, 0.75, 0.5])]
SECOND_OTHERS = np.array([0.5, 0.75, 0.5, 0.25, 0.75, 0.5, 0.5, 0.25, 0.75, 0, 0.5, 1])


def estimate(labels: Floats, scores: Floats, others: Floats, least: float = 0.0) -> Estimate:
    """Of goldens that are labelled, and of others."""
    return corrected(np.r_[labels, np.full(len(others), NAN)], np.r_[scores, others], least=least)


# ppi-python 0.2.3: ppi_mean_pointestimate(LABELS, SCORES, OTHERS, lam=0.66) and ppi_mean_ci(…, alpha=0.05), with standard
# deviations by n and a normal quantile; with lam=0; and of the differences to SECOND with lam=0.36.
@pytest.mark.parametrize(
    ("found", "weight", "mean", "low"),
    [
        (estimate(LABELS, SCORES, OTHERS), 0.66, 0.6425, 0.45114782),
        (estimate(LABELS, np.ones(8), np.ones(12)), 0.0, 0.65625, 0.41221339),
        (
            estimate(LABELS - SECOND[0], SCORES - SECOND[1], OTHERS - SECOND_OTHERS, least=-1),
            0.36,
            0.2775,
            0.0304126,
        ),
    ],
)
def test_mean_and_error_are_those_of_the_authors_of_the_method(
    found: Estimate, weight: float, mean: float, low: float
) -> None:
    assert found.weight == pytest.approx(weight)
    assert found.mean == pytest.approx(mean)
    assert found.mean - NORMAL * found.error * math.sqrt(7 / 8) == pytest.approx(low)


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("n", [50, 100, 300])
def test_19_of_20_intervals_hold_the_true_mean(judge: str, n: int) -> None:
    found = coverage(GRADES["1 to 5, mean 0.74"], judge, n, repeats=500, clustered=False)
    assert found.ours == pytest.approx(0.95, abs=0.02)


def test_a_perfect_judge_saves_labels_and_a_contrary_one_costs_none() -> None:
    labels = np.array([1.0, 0, 1, 1, 0, 1, 1, 1] * 5)
    perfect, contrary, none = (
        estimate(labels, scores, np.resize(scores, 400)) for scores in (labels, 1 - labels, 0 * labels)
    )
    assert perfect.error < none.error / 2
    assert contrary == none


def test_fifty_of_fifty_good_leave_room_for_a_bad_one() -> None:
    # Wilson's lower end for 50 of 50 with t = 2.0096 instead of 1.96: 50 / (50 + 4.0384)
    found = estimate(np.ones(50), np.ones(50), np.ones(50))
    assert (found.mean, found.low, found.high) == (1.0, pytest.approx(50 / 54.0384, abs=1e-4), 1.0)


def test_labels_of_one_document_count_little_more_than_one() -> None:
    # Twelve documents of ten goldens each, labelled alike: twelve labels, not 120.
    labels = np.repeat([1.0, 0.0] * 6, 10)
    apart, together = (corrected(labels, np.zeros(120), clusters) for clusters in (None, list(np.arange(120) // 10)))
    # 0.25/120 · 120/119 and 0.25/12 · 12/11
    assert apart.error == pytest.approx(math.sqrt(0.25 / 119))
    assert together.error == pytest.approx(math.sqrt(0.25 / 11))


def test_four_times_the_labels_halve_the_interval_beside_a_judge_that_says_nothing() -> None:
    labels = np.array([1.0, 0.0] * 5)
    assert estimate(labels, np.ones(10), np.ones(90)).labels_to_halve == 40
    assert estimate(labels, np.ones(10), np.ones(29)).labels_to_halve is None


def test_labels_to_halve_beside_a_judge_that_says_something() -> None:
    # Correlation of 10 labels with the scores 0.6, of 1,000 goldens; 0.36 is its square: (0.64/10 - 3 · 0.36/1,000)/4
    # = 0.01573, and 0.64/0.01573 = 40.7.
    labels = np.array([1.0] * 5 + [0.0] * 5)
    scores = np.array([1.0, 1, 1, 1, 0, 1, 0, 0, 0, 0])
    found = estimate(labels, scores, np.array([1.0, 0] * 495))
    assert found.labels_to_halve == 41


def test_an_interval_of_one_label_or_none_is_unknown() -> None:
    one, none = (corrected(np.array([label, NAN, NAN]), np.array([1.0, 0, 1])) for label in (1.0, NAN))
    assert (one.mean, one.labels) == (1.0, 1)
    assert math.isnan(none.mean)
    assert math.isnan(one.low)
    assert math.isnan(none.low)


_shares = st.floats(0, 1, width=16)


@given(st.lists(st.tuples(_shares, _shares), min_size=2, max_size=12), st.lists(_shares, max_size=12))
def test_an_estimate_is_in_its_interval_and_within_what_labels_can_be(
    pairs: list[tuple[float, float]], others: list[float]
) -> None:
    labels, scores = np.array(pairs).T
    found = estimate(labels, scores, np.array(others))
    assert 0 <= found.low <= min(1, max(0, found.mean)) + 1e-9
    assert min(1, max(0, found.mean)) - 1e-9 <= found.high <= 1
    assert 0 <= found.weight <= 1


@given(
    st.lists(st.tuples(_shares, _shares), min_size=2, max_size=9),
    st.lists(_shares, min_size=1, max_size=9),
    st.floats(-5, 5),
)
def test_a_judge_that_adds_the_same_to_every_score_changes_nothing(
    pairs: list[tuple[float, float]], others: list[float], more: float
) -> None:
    labels, scores = np.array(pairs).T
    one, other = estimate(labels, scores, np.array(others)), estimate(labels, scores + more, np.array(others) + more)
    if one.weight == pytest.approx(other.weight, abs=1e-6):  # no rounding where all scores are alike
        assert one[:3] == pytest.approx(other[:3], abs=1e-5)


def test_an_unjudged_golden_counts_as_the_judge_s_mean() -> None:
    labels, judged = np.array([1, 0.5, 0, NAN, NAN, NAN]), np.array([1, NAN, 0.25, 0, 1, NAN])
    assert corrected(labels, judged) == corrected(labels, np.where(np.isnan(judged), 0.5625, judged))


def test_with_all_labelled_the_judge_does_not_count() -> None:
    found = corrected(LABELS, SCORES)
    assert (found.mean, found.weight) == (LABELS.mean(), 0.0)


def test_labels_that_are_all_alike_leave_an_interval() -> None:
    one = corrected(np.array([0.2] * 20 + [np.nan] * 20), np.full(40, 0.2))
    assert one.mean == pytest.approx(0.2)
    assert one.low < 0.1
    assert one.high > 0.4
