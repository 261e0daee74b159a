import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.evaluation.metrics.ranking import ranking_scores
from ragset.retrieval.fusion import Hit
from ragset.training.early_stop import judge, ndcg

SETS = st.lists(st.dictionaries(st.integers(0, 15), st.integers(1, 3), max_size=4), min_size=1, max_size=3)


@given(st.permutations(range(16)), SETS)
def test_ndcg_is_that_of_a_benchmark(ranking: list[int], sets: list[dict[int, int]]) -> None:
    run = {"g": [Hit(str(row), -float(place)) for place, row in enumerate(ranking)]}
    qrels = {"g": [{str(row): grade for row, grade in one.items()} for one in sets]}
    scores = {score.metric: score.value for score in ranking_scores(run, qrels, (10,))}
    assert ndcg([ranking], [sets])[0] == pytest.approx(scores["ndcg@10"])


def test_ndcg_by_hand() -> None:
    # Relevant at rank 2 of one relevant passage: 1 / log2(3) = 0.6309. Nothing relevant in the index: 0.
    assert ndcg([[4, 7], [4, 7]], [[{7: 1}], [{}]]).tolist() == pytest.approx([0.6309, 0], abs=1e-4)


def test_a_gain_of_more_than_two_standard_errors_is_kept() -> None:
    # Gains 0.1, 0.3, 0.2, 0.2: mean 0.2, standard deviation 0.0816, error 0.0408.
    base = np.array([0.5, 0.5, 0.5, 0.5])
    stop = judge(base, [base - 0.1, base + np.array([0.1, 0.3, 0.2, 0.2])])
    assert (stop.best, stop.gain, stop.error) == (2, pytest.approx(0.2), pytest.approx(0.0408, abs=1e-4))
    assert stop.kept


def test_a_gain_that_may_be_chance_is_not_kept() -> None:
    # Gains 0.4, 0, 0, 0.2: mean 0.15, standard deviation 0.1915, error 0.0957.
    base = np.array([0.5, 0.5, 0.5, 0.5])
    gained = base + np.array([0.4, 0, 0, 0.2])
    stop = judge(base, [gained, base])
    assert not stop.kept
    assert judge(base, [gained]).kept  # a single candidate, which is not the best of several
    assert stop.told == (
        "4 validation goldens: nDCG@10 0.500 before, 0.650 at best (+0.150); not kept: chance may give 0.191"
    )


def test_a_single_validation_golden_shows_nothing() -> None:
    assert not judge(np.array([0.0]), [np.array([1.0])]).kept


def test_no_change_is_not_kept() -> None:
    base = np.array([0.5, 1.0])
    assert not judge(base, [base]).kept
