import itertools
import math
from random import Random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.metrics.stats import (
    Interval,
    compared,
    holm,
    interval,
    intervals,
    paired,
    queries_needed,
    smallest_difference,
    spread,
    ties,
)

NAN = math.nan
VALUES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, NAN]), min_size=1, max_size=25)
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


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


def test_labels_must_be_as_many_as_values() -> None:
    with pytest.raises(ValueError, match="labels"):
        interval([0.0, 1.0], ["a"])


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


@settings(deadline=None, max_examples=50)
@given(VALUES)
def test_an_interval_lies_within_the_values_and_around_the_mean(values: list[float]) -> None:
    found = interval(values, draws=300)
    judged = [value for value in values if not math.isnan(value)]
    assert (found.n, found.missing) == (len(judged), len(values) - len(judged))
    if len(judged) > 1:
        assert min(judged) - 1e-9 <= found.low <= found.high <= max(judged) + 1e-9
        assert found.mean == pytest.approx(sum(judged) / len(judged))


def test_the_p_of_few_differences_is_that_of_all_their_signs() -> None:
    # 1, 1, 1, 1, 1 less 0: of 32 ways to set signs two have |sum| = 5: p = 2/32 = 0.0625
    found = paired([1.0] * 5, [0.0] * 5)
    assert found.mean == 1
    assert found.p == pytest.approx(2 / 32, abs=0.01)


def test_p_agrees_with_every_sign_worked_through() -> None:
    a, b = [0.9, 0.4, 0.7, 1.0, 0.2, 0.6, 0.8], [0.5, 0.5, 0.1, 0.8, 0.3, 0.2, 0.8]
    differences = [one - other for one, other in zip(a, b, strict=True)]
    observed = abs(sum(differences)) - 1e-9
    ways = list(itertools.product([-1, 1], repeat=7))
    as_far = sum(
        abs(sum(sign * value for sign, value in zip(way, differences, strict=True))) >= observed for way in ways
    )
    assert paired(a, b).p == pytest.approx(as_far / len(ways), abs=0.015)


def test_configurations_that_score_alike_have_p_1_and_no_difference() -> None:
    assert paired([0.3, 0.7], [0.3, 0.7]) == (0, 0, 0, 1, 2)


def test_p_is_never_0() -> None:
    # no draw of 1,000 has all 40 signs alike
    assert paired([1.0] * 40, [0.0] * 40, draws=1_000).p == pytest.approx(1 / 1001)


def test_the_other_way_round_has_the_sign_changed_and_the_same_p() -> None:
    a, b = [1.0, 0.5, 0.0, 1.0, 0.8], [0.0, 0.7, 0.1, 0.2, 0.3]
    one, other = paired(a, b), paired(b, a)
    assert other.mean == pytest.approx(-one.mean)
    assert (other.low, other.high) == pytest.approx((-one.high, -one.low))
    assert other.p == one.p


def test_the_signs_of_a_cluster_change_together() -> None:
    # 10 documents of 10 queries, of which 8 gain throughout and 2 lose: |sum of ten signs| >= 6 in 2 · (1 + 10 + 45) / 1024
    a = [1.0] * 80 + [0.0] * 20
    b = [0.0] * 80 + [1.0] * 20
    documents = [place // 10 for place in range(100)]
    assert paired(a, b, documents).p == pytest.approx(112 / 1024, abs=0.01)
    assert paired(a, b).p < 0.001


def test_only_goldens_with_both_values_are_compared() -> None:
    found = paired([1.0, NAN, 0.5, 1.0], [0.0, 0.0, 0.5, NAN])
    assert found == paired([1.0, 0.5], [0.0, 0.5])
    assert found.n == 2


def test_without_a_common_golden_nothing_is_known() -> None:
    found = paired([1.0, NAN], [NAN, 1.0])
    assert found.n == 0
    assert all(math.isnan(value) for value in found[:4])


def test_values_of_other_goldens_are_refused() -> None:
    with pytest.raises(ValueError, match="same goldens"):
        paired([1.0], [1.0, 0.0])


def test_holm_multiplies_the_smallest_most() -> None:
    # sorted 0.01 · 3 = 0.03, 0.02 · 2 = 0.04, 0.2 · 1
    assert holm([0.2, 0.01, 0.02]) == pytest.approx([0.2, 0.03, 0.04])


def test_holm_never_falls_nor_exceeds_1() -> None:
    # 0.01 · 4 = 0.04; 0.02 · 3 = 0.06; 0.025 · 2 = 0.05, not below 0.06; 0.9
    assert holm([0.01, 0.02, 0.025, 0.9]) == pytest.approx([0.04, 0.06, 0.06, 0.9])
    assert holm([0.6, 0.7]) == [1, 1]


def test_a_missing_p_stays_missing_and_is_no_test() -> None:
    assert holm([NAN, 0.02, 0.03]) == pytest.approx([NAN, 0.04, 0.04], nan_ok=True)
    assert holm([]) == []


@settings(deadline=None, max_examples=100)
@given(P_VALUES, st.randoms(use_true_random=False))
def test_holm_keeps_the_order_and_does_not_depend_on_it(p_values: list[float], random: Random) -> None:
    corrected = holm(p_values)
    pairs = sorted(zip(p_values, corrected, strict=True))
    assert [p for _, p in pairs] == sorted(corrected)
    assert all(before <= after <= 1 for before, after in pairs)
    order = random.sample(range(len(p_values)), len(p_values))
    assert holm([p_values[place] for place in order]) == [corrected[place] for place in order]


def test_the_smallest_difference_is_2_8_standard_errors() -> None:
    # z(0.975) + z(0.8) = 1.95996 + 0.84162 = 2.80158; · 0.5 / sqrt(100)
    assert smallest_difference(0.5, 100) == pytest.approx(0.140079, abs=1e-6)


def test_the_smallest_difference_of_values_takes_their_standard_deviation() -> None:
    # 0, 1, 0, 1, missing: sd = sqrt(4 · 0.25 / 3) = 0.57735; · 2.80158 / sqrt(4)
    assert smallest_difference([0, 1, 0, 1, NAN]) == pytest.approx(0.57735 * 2.80158 / 2, rel=1e-4)
    assert smallest_difference([0, 1, 0, 1], 16) == pytest.approx(0.57735 * 2.80158 / 4, rel=1e-4)


def test_one_value_does_not_say_how_values_vary() -> None:
    assert math.isnan(smallest_difference([0.5]))
    assert math.isnan(smallest_difference([]))


def test_a_standard_deviation_needs_a_number_of_queries() -> None:
    with pytest.raises(ValueError, match="n:"):
        smallest_difference(0.5)


def test_queries_needed_for_a_difference() -> None:
    # (2.80158 · 0.5 / 0.1)**2 = 196.2
    assert queries_needed(0.1, 0.5) == 197
    assert queries_needed(-0.1, 0.5) == 197
    # power 0.9: (1.95996 + 1.28155) = 3.24152; (3.24152 · 5)**2 = 262.7
    assert queries_needed(0.1, 0.5, power=0.9) == 263


def test_queries_needed_and_the_smallest_difference_are_inverse() -> None:
    for n in (2, 17, 100, 1234):
        assert queries_needed(smallest_difference(0.37, n), 0.37) == n


def test_no_number_of_queries_shows_a_difference_of_0() -> None:
    with pytest.raises(ValueError, match="difference"):
        queries_needed(0, 0.5)


def table(**rows: list[float]) -> pd.DataFrame:
    count = len(next(iter(rows.values())))
    return pd.DataFrame(rows, index=[f"g{place}" for place in range(count)]).T


def test_a_configuration_far_below_the_best_is_not_tied_with_it() -> None:
    # near loses one golden of 40: p = 1; far loses 30: p next to 0
    scores = table(far=[0.0] * 30 + [1.0] * 10, near=[1.0] * 39 + [0.0], best=[1.0] * 40)
    assert ties(scores) == ("best", "near")


def test_a_lone_winner_is_named_alone() -> None:
    assert ties(table(low=[0.0] * 20, high=[1.0] * 20)) == ("high",)


def test_few_goldens_carry_no_winner() -> None:
    # 5 wins of 5: p = 2/32 > 0.05
    assert ties(table(low=[0.0] * 5, high=[1.0] * 5)) == ("high", "low")


def test_many_comparisons_make_a_narrow_win_a_tie() -> None:
    # 6 wins of 6: p = 2/64 = 0.031, significant alone and not among three (0.094)
    win = {"best": [1.0] * 6, "a": [0.0] * 6}
    assert ties(table(**win)) == ("best",)
    assert ties(table(**win, b=[0.0] * 6, c=[0.0] * 6)) == ("best", "a", "b", "c")


def test_documents_are_the_clusters_of_ties() -> None:
    # as in the signs of a cluster: p = 0.11 by document
    scores = table(a=[1.0] * 80 + [0.0] * 20, b=[0.0] * 80 + [1.0] * 20)
    documents = {f"g{place}": f"d{place // 10}" for place in range(100)}
    assert ties(scores) == ("a",)
    assert ties(scores, documents) == ("a", "b")


def test_a_configuration_without_values_is_not_ranked() -> None:
    assert ties(table(a=[1.0, 0.0], none=[NAN, NAN])) == ("a",)
    assert ties(table(none=[NAN, NAN])) == ()


def test_every_other_configuration_is_compared_with_the_reference() -> None:
    found = compared(table(a=[1.0, 0.5], b=[0.0, 0.5], c=[1.0, 1.0]), "b")
    assert {name: difference.mean for name, difference in found.items()} == {"a": 0.5, "c": 0.75}


@settings(deadline=None, max_examples=20)
@given(st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0, math.nan]), min_size=12, max_size=12), min_size=1, max_size=4))
def test_intervals_of_rows_are_those_of_each_alone(rows: list[list[float]]) -> None:
    labels = [number // 2 for number in range(12)]
    for clusters in (None, labels, list(range(12))):
        together = intervals(np.array(rows), clusters, draws=200)
        alone = [interval(row, clusters, draws=200) for row in rows]
        assert [repr(found) for found in together] == [repr(found) for found in alone]


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
