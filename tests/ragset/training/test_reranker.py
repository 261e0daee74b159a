"""Weights: the gradient by finite differences, planted weights found again, chance given no weight."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.retrieval.learned_reranker import FEATURES
from ragset.training.reranker import PENALTY, fit_weights, loss_and_slope


def planted(weights: list[float], number: int, seed: int = 0, among: int = 6) -> list[np.ndarray]:
    """Choices made with the probabilities that `weights` give."""
    rng = np.random.default_rng(seed)
    made: list[np.ndarray] = []
    for _ in range(number):
        passages = rng.normal(size=(among, len(weights)))
        chosen = int(np.argmax(passages @ weights + rng.gumbel(size=among)))
        made.append(np.concatenate([passages[chosen : chosen + 1], np.delete(passages, chosen, axis=0)]))
    return made


def test_the_loss_by_hand() -> None:
    # one positive with 1 more in the first feature than its one negative: -ln(e¹ / (e¹ + e⁰)) = ln(1 + e⁻¹), and the penalty
    choices = [np.array([[2.0, 0.0, 5.0], [1.0, 0.0, 5.0]])]
    loss, slope = loss_and_slope(choices, np.array([1.0, 0.0, 0.0]))
    assert loss == pytest.approx(np.log(1 + np.exp(-1)) + PENALTY / 2)
    assert slope == pytest.approx([-1 / (1 + np.e) + PENALTY, 0, 0])


@given(st.integers(0, 1000), st.lists(st.floats(-3, 3), min_size=3, max_size=3))
def test_the_slope_is_that_of_the_loss(seed: int, weights: list[float]) -> None:
    choices, at, step = planted([1.0, -1.0, 0.5], 5, seed), np.array(weights), 1e-5
    slope = loss_and_slope(choices, at)[1]
    for place in range(3):
        beside = np.eye(3)[place] * step
        up, down = loss_and_slope(choices, at + beside)[0], loss_and_slope(choices, at - beside)[0]
        assert slope[place] == pytest.approx((up - down) / (2 * step), abs=1e-6)


def test_planted_weights_are_found_again() -> None:
    found = fit_weights(planted([2.0, 0.0, -1.0], 3_000))
    assert [getattr(found, name) for name in FEATURES] == pytest.approx([2.0, 0.0, -1.0], abs=0.1)


def test_a_feature_without_spread_gets_no_weight() -> None:
    found = fit_weights([np.array([[1.0, 0.0, 7.0], [0.0, 0.0, 7.0]])])
    assert found.dense > 0
    assert [found.bm25, found.coverage] == pytest.approx([0, 0], abs=1e-9)


def test_features_on_other_scales_give_the_same_order() -> None:
    choices, scale = planted([1.0, 2.0, 0.5], 200), np.array([0.01, 30.0, 1.0])
    one, other = fit_weights(choices), fit_weights([choice * scale for choice in choices])
    for name, factor in zip(FEATURES, scale, strict=True):
        assert getattr(other, name) * factor == pytest.approx(getattr(one, name), rel=1e-3)
