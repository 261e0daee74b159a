import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from ragset.evaluation.metrics.agreement import agreement, ceiling, row_rhos, row_taus

NAMES = list("abcde")


def means(*values: float, names: Sequence[str] = NAMES) -> pd.DataFrame:
    """Scored on one golden."""
    return pd.DataFrame({"g": pd.Series(values, index=list(names)[: len(values)], dtype=float)})


def table(centres: pd.DataFrame, goldens: int, seed: int, noise: float = 0.1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = {name: centre + noise * rng.normal(size=goldens) for name, centre in centres["g"].items()}
    return pd.DataFrame(rows, index=[f"g{seed}-{place}" for place in range(goldens)]).T


def test_one_swap_of_neighbours_among_four() -> None:
    # 6 pairs, 5 in the same order and 1 not: tau = 4/6. Ranks differ by 1 twice: rho = 1 - 6 · 2 / (4 · 15) = 0.8
    found = agreement(means(0.1, 0.2, 0.3, 0.4), means(0.5, 0.7, 0.6, 0.8))
    assert (found.tau_b, found.spearman, found.configurations) == pytest.approx((2 / 3, 0.8, 4))


def test_ties_are_allowed_for() -> None:
    # pairs of a, b, c: b-c is tied in the first; the other two agree: 2 / sqrt(2 · 3)
    # ranks 1, 2.5, 2.5 and 1, 2, 3: covariance 1.5 of sqrt(1.5 · 2)
    found = agreement(means(0.1, 0.2, 0.2), means(0.1, 0.2, 0.3))
    assert (found.tau_b, found.spearman) == pytest.approx((2 / math.sqrt(6), 1.5 / math.sqrt(3)))


def test_only_configurations_with_a_value_in_both_count() -> None:
    found = agreement(means(1, 2, 0, math.nan, names="abxn"), means(5, 4, 1, names="ban"))
    assert (found.tau_b, found.configurations) == (1, 2)


@pytest.mark.parametrize(("a", "b"), [(means(), means()), (means(1), means(2)), (means(1, 1, 1), means(1, 2, 3))])
def test_where_nothing_is_ranked_nothing_is_defined(a: pd.DataFrame, b: pd.DataFrame) -> None:
    found = agreement(a, b)
    assert math.isnan(found.tau_b)
    assert math.isnan(found.spearman)


def test_clear_differences_have_a_narrow_interval() -> None:
    centres = means(0.1, 0.3, 0.5, 0.7, 0.9)
    # a standard error of 0.01 against steps of 0.2: no draw changes the order
    found = agreement(table(centres, 100, 1), table(centres, 100, 2), draws=500)
    assert found[:7] == pytest.approx((1, 1, 1, 1, 1, 1, 5))


def test_differences_within_the_noise_have_a_wide_one() -> None:
    centres = means(0.50, 0.51, 0.52, 0.53, 0.54)
    found = agreement(table(centres, 20, 1, noise=0.3), table(centres, 20, 2, noise=0.3), draws=500)
    assert found.tau_high - found.tau_low > 0.8
    assert found.rho_high - found.rho_low > 0.8
    assert found.tau_low <= found.tau_b <= found.tau_high


def test_the_same_mean_summed_in_another_order_is_a_tie() -> None:
    tied = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1], "c": [1.0, 1.0, 1.0]}).T
    assert agreement(tied, means(1, 1, 2)).tau_b == pytest.approx(1)


def test_what_could_not_be_judged_is_left_out_of_means() -> None:
    # a: 0.2 of one golden; b: 0.5; c: 0.8
    scores = pd.DataFrame({"a": [0.2, math.nan], "b": [0.5, 0.5], "c": [0.8, 0.8]}).T
    assert agreement(scores, means(1, 2, 3)).tau_b == pytest.approx(1)
    assert agreement(scores, scores, draws=200).tau_low == pytest.approx(1)


def test_configurations_may_stand_in_another_order() -> None:
    scores = table(means(0.1, 0.5, 0.9), 30, 1)
    found = agreement(scores, scores.loc[["c", "a", "b"]], draws=200)
    assert (found.tau_b, found.tau_low) == (1, 1)


def test_clusters_of_like_goldens_make_it_wider() -> None:
    # 12 documents of 10 goldens that are all alike
    rng = np.random.default_rng(5)
    one = pd.DataFrame(
        {name: np.repeat(0.5 + k / 20 + 0.3 * rng.normal(size=12), 10) for k, name in enumerate(NAMES)}
    ).T
    documents = {golden: golden // 10 for golden in one.columns}
    by_golden = agreement(one, one, draws=1_000)
    by_document = agreement(one, one, documents, draws=1_000)  # type: ignore[arg-type]
    assert by_document.tau_low < by_golden.tau_low


def test_the_ceiling_of_clear_differences_is_one() -> None:
    centres = means(0.1, 0.3, 0.5, 0.7, 0.9)
    found = agreement(table(centres, 40, 1), table(centres, 100, 2), draws=100)
    assert found.ceiling == pytest.approx((1, 1, 1, 40))
    assert found.ratio == pytest.approx(1)


def test_at_most_half_of_the_other_set_is_drawn_for_the_ceiling() -> None:
    scores = table(means(0.1, 0.5, 0.9), 31, 1)
    assert ceiling(scores, 100).goldens == 15
    assert ceiling(scores, 10).goldens == 10


def test_the_ceiling_of_two_goldens_is_the_tau_between_them() -> None:
    # One against the other: 5 of 6 pairs in the same order, as above.
    two = pd.DataFrame({"g": [0.1, 0.2, 0.3, 0.4], "h": [0.5, 0.7, 0.6, 0.8]})
    assert ceiling(two, 9) == pytest.approx((2 / 3, 2 / 3, 2 / 3, 1))


def test_goldens_without_a_score_are_not_drawn() -> None:
    two = pd.DataFrame({"g": [0.1, 0.2, 0.3, 0.4], "h": [0.5, 0.7, 0.6, 0.8], "i": [math.nan] * 4})
    assert ceiling(two, 9).goldens == 1


def test_more_goldens_have_a_higher_ceiling() -> None:
    scores = table(means(0.50, 0.52, 0.54, 0.56, 0.58), 400, 3, noise=0.3)
    assert ceiling(scores, 10).mean < ceiling(scores, 50).mean < ceiling(scores, 200).mean


@pytest.mark.parametrize("scores", [means(1), means(1, 2), means(1, 1, 1)])
def test_one_golden_or_one_configuration_has_no_ceiling(scores: pd.DataFrame) -> None:
    assert math.isnan(ceiling(scores, 10).mean)
    assert math.isnan(agreement(scores, scores, draws=10).ratio)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9))
def test_the_correlations_of_draws_are_scipys(pairs: list[tuple[int, int]]) -> None:
    x, y = np.array(pairs, dtype=np.float64).T
    tau, rho = float(row_taus(x[None], y[None])[0]), float(row_rhos(x[None], y[None])[0])
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert math.isnan(tau)
        assert math.isnan(rho)
    else:
        assert tau == pytest.approx(kendalltau(x, y).statistic)
        assert rho == pytest.approx(spearmanr(x, y).statistic)
