import itertools
import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.evaluation.metrics.holm import holm
from ragset.evaluation.metrics.paired import (
    ALPHA,
    Difference,
    KnownScores,
    compared,
    differences,
    discrimination,
    ties,
)

NAN = math.nan
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def paired(a: list[float], b: list[float], labels: list[int] | None = None, draws: int = 10_000) -> Difference:
    (found,) = differences(KnownScores.of(a), KnownScores.of(b), labels, draws=draws)
    return found


def table(**rows: list[float]) -> tuple[KnownScores, list[str]]:
    return KnownScores.of(list(rows.values())), list(rows)


def test_the_p_of_few_differences_is_that_of_all_their_signs() -> None:
    # 1, 1, 1, 1, 1 less 0: of 32 ways to set signs two have |sum| = 5: p = 2/32 = 0.0625
    found = paired([1.0] * 5, [0.0] * 5)
    assert found.mean == 1
    assert found.p == pytest.approx(2 / 32, abs=0.01)


def test_p_agrees_with_every_sign_worked_through() -> None:
    a, b = [0.9, 0.4, 0.7, 1.0, 0.2, 0.6, 0.8], [0.5, 0.5, 0.1, 0.8, 0.3, 0.2, 0.8]
    parts = [one - other for one, other in zip(a, b, strict=True)]
    observed = abs(sum(parts)) - 1e-9
    ways = list(itertools.product([-1, 1], repeat=7))
    as_far = sum(abs(sum(sign * value for sign, value in zip(way, parts, strict=True))) >= observed for way in ways)
    assert paired(a, b).p == pytest.approx(as_far / len(ways), abs=0.015)


def test_the_interval_is_all_that_the_test_does_not_refute() -> None:
    # Worked through by every sign: delta is refuted where at most 5 % of the flips of (difference - delta) reach its sum.
    a, b = [0.9, 0.4, 0.7, 1.0, 0.2, 0.6, 0.8, 0.9], [0.5, 0.5, 0.1, 0.8, 0.3, 0.2, 0.7, 0.1]
    parts = np.array(a) - np.array(b)
    ways = np.array(list(itertools.product([-1, 1], repeat=8)))
    deltas = np.linspace(-0.5, 1, 3001)
    shifted = parts[None, :] - deltas[:, None]
    reached = np.abs(ways @ shifted.T) >= np.abs(shifted.sum(axis=1)) - 1e-9
    kept = deltas[reached.mean(axis=0) > ALPHA]
    found = paired(a, b, draws=50_000)
    assert (found.low, found.high) == pytest.approx((kept.min(), kept.max()), abs=0.012)


def test_a_large_sample_has_the_interval_of_the_normal_approximation() -> None:
    # 200 differences of 1 and 200 of 0: 0.5 ± 1.96 · 0.5 / 20 = 0.5 ± 0.049
    found = paired([1.0, 0.0] * 200, [0.0] * 400)
    assert (found.low, found.high) == pytest.approx((0.451, 0.549), abs=0.004)


def test_pairs_that_the_data_tell_apart_are_counted() -> None:
    # a and b are alike; c scores less on each of 20 goldens: of 3 pairs 2 are told apart
    scores, _ = table(a=[1.0] * 20, b=[1.0] * 20, c=[0.0] * 20)
    assert discrimination(scores) == (2, 3)


def test_one_configuration_is_no_pair() -> None:
    assert discrimination(KnownScores.of([1.0] * 9)) == (0, 0)


def test_pairs_are_told_apart_as_often_as_the_differences_of_all_say() -> None:
    rng = np.random.default_rng(3)
    scores = KnownScores.of(rng.normal(size=(5, 30)) + np.arange(5)[:, None] / 4)
    pairs = list(itertools.combinations(range(5), 2))
    found = differences(scores.rows([one for one, _ in pairs]), scores.rows([other for _, other in pairs]))
    assert discrimination(scores) == (sum(one.told for one in found), 10)


def test_clusters_of_like_differences_make_it_wider_and_the_smallest_difference_larger() -> None:
    # 20 documents of 20 queries, alike within a document: 0.5 ± t(0.975, 19) · 0.513 / sqrt(20) = 0.5 ± 0.240
    values = [float(document % 2) for document in range(20) for _ in range(20)]
    documents = [document for document in range(20) for _ in range(20)]
    blind, found = paired(values, [0.0] * 400), paired(values, [0.0] * 400, documents)
    assert (found.low, found.high) == pytest.approx((0.26, 0.74), abs=0.03)
    # beside the reach t(0.8, 19) · 0.115 = 0.861 · 0.115 = 0.099
    assert found.smallest == pytest.approx(0.24 + 0.099, abs=0.03)
    # of single queries 0.049 + 0.842 · 0.025 = 0.070
    assert blind.smallest == pytest.approx(0.07, abs=0.005)


def test_configurations_that_score_alike_have_p_1_and_no_difference() -> None:
    assert paired([0.3, 0.7] * 5, [0.3, 0.7] * 5) == (0, 0, 0, 1, 1, math.inf, 10)


def test_p_is_never_0() -> None:
    # no draw of 1,000 has all 40 signs alike
    assert paired([1.0] * 40, [0.0] * 40, draws=1_000).p == pytest.approx(1 / 1001)


def test_the_other_way_round_has_the_sign_changed_and_the_same_p() -> None:
    a, b = [1.0, 0.5, 0.0, 1.0, 0.8, 0.9], [0.0, 0.7, 0.1, 0.2, 0.3, 0.1]
    one, other = paired(a, b), paired(b, a)
    assert other.mean == pytest.approx(-one.mean)
    assert (other.low, other.high) == pytest.approx((-one.high, -one.low))
    assert (other.p, other.smallest) == pytest.approx((one.p, one.smallest))


def test_the_signs_of_a_cluster_change_together() -> None:
    # 10 documents of 10 queries, of which 8 gain throughout and 2 lose: |sum of ten signs| >= 6 in 2 · (1 + 10 + 45) / 1024
    a = [1.0] * 80 + [0.0] * 20
    b = [0.0] * 80 + [1.0] * 20
    documents = [place // 10 for place in range(100)]
    clustered = paired(a, b, documents)
    assert clustered.p == pytest.approx(112 / 1024, abs=0.01)
    assert clustered.low <= 0 < clustered.high
    blind = paired(a, b)
    assert blind.p < 0.001
    assert blind.low > 0


def test_only_goldens_with_both_values_are_compared() -> None:
    found = paired([1.0, NAN, 0.5, 1.0], [0.0, 0.0, 0.5, NAN])
    assert found == paired([1.0, 0.5], [0.0, 0.5])
    assert found.n == 2


def test_without_a_common_golden_nothing_is_known() -> None:
    found = paired([1.0, NAN], [NAN, 1.0])
    assert found.n == 0
    assert all(math.isnan(value) for value in found[:6])


def test_too_few_goldens_have_no_interval_and_can_show_nothing() -> None:
    # 5 of 5 signs alike in 1 of 16: no p below 0.05
    found = paired([1.0] * 5, [0.0] * 5)
    assert (found.low, found.high, found.smallest) == (-math.inf, math.inf, math.inf)
    assert not found.told
    # 6 of 6 in 1 of 32
    six = paired([1.0, 0.9, 0.8, 1.0, 0.9, 0.8], [0.0] * 6)
    assert six.told
    assert math.isfinite(six.smallest)
    assert six.low > 0


def test_how_five_of_forty_would_differ_is_not_seen() -> None:
    assert paired([1.0] * 5 + [0.0] * 35, [0.0] * 40).smallest == math.inf
    assert paired([1.0] * 6 + [0.0] * 34, [0.0] * 40).smallest < 0.2


def corrected(p_values: list[float], counts: list[int] | None = None) -> list[float]:
    return [one.p for one in holm(p_values, counts)]


def test_holm_multiplies_the_smallest_most() -> None:
    # sorted 0.01 · 3 = 0.03, 0.02 · 2 = 0.04, 0.2 · 1
    assert corrected([0.2, 0.01, 0.02]) == pytest.approx([0.2, 0.03, 0.04])


def test_holm_never_falls_nor_exceeds_1() -> None:
    # 0.01 · 4 = 0.04; 0.02 · 3 = 0.06; 0.025 · 2 = 0.05, not below 0.06; 0.9
    assert corrected([0.01, 0.02, 0.025, 0.9]) == pytest.approx([0.04, 0.06, 0.06, 0.9])
    assert corrected([0.6, 0.7]) == [1, 1]


def test_a_missing_p_stays_missing_and_is_no_test() -> None:
    assert corrected([NAN, 0.02, 0.03]) == pytest.approx([NAN, 0.04, 0.04], nan_ok=True)
    assert corrected([]) == []
    # of 6, 3 and 1 tests the last two
    assert corrected([NAN, 0.02, 0.03], [6, 3, 1]) == pytest.approx([NAN, 0.06, 0.06], nan_ok=True)


@given(P_VALUES, st.randoms(use_true_random=False))
def test_holm_keeps_the_order_and_does_not_depend_on_it(p_values: list[float], random: Random) -> None:
    found = corrected(p_values)
    pairs = sorted(zip(p_values, found, strict=True))
    assert [p for _, p in pairs] == sorted(found)
    assert all(before <= after <= 1 for before, after in pairs)
    order = random.sample(range(len(p_values)), len(p_values))
    assert corrected([p_values[place] for place in order]) == [found[place] for place in order]


def test_a_configuration_far_below_the_best_is_not_tied_with_it() -> None:
    # near loses one golden of 40: p = 1; far loses 30: p next to 0
    scores = table(far=[0.0] * 30 + [1.0] * 10, near=[1.0] * 39 + [0.0], best=[1.0] * 40)
    assert ties(*scores) == ("best", "near")


def test_a_lone_winner_is_named_alone() -> None:
    assert ties(*table(low=[0.0] * 20, high=[1.0] * 20)) == ("high",)


def test_few_goldens_carry_no_winner() -> None:
    # 5 wins of 5: p = 2/32 > 0.05
    assert ties(*table(low=[0.0] * 5, high=[1.0] * 5)) == ("high", "low")


def test_many_comparisons_make_a_narrow_win_a_tie() -> None:
    # 6 wins of 6: p = 2/64 = 0.031, significant alone and not among the pairs of four (6 · 0.031)
    win = {"best": [1.0] * 6, "a": [0.0] * 6}
    assert ties(*table(**win)) == ("best",)
    assert ties(*table(**win, b=[0.0] * 6, c=[0.0] * 6)) == ("best", "a", "b", "c")


def test_against_the_best_all_pairs_count_and_against_a_baseline_its_own() -> None:
    # 8 wins of 8: p = 2/256 = 0.0078. Three pairs with a baseline: · 3 = 0.023; six pairs of four: · 6 = 0.047
    scores, names = table(best=[1.0] * 8, a=[0.0] * 8, b=[0.0] * 8, c=[0.0] * 8)
    fixed, chosen = (compared(scores, names, "best", chosen=chosen) for chosen in (False, True))
    assert fixed["a"].p_holm == pytest.approx(6 / 256, abs=0.006)
    assert chosen["a"].p_holm == pytest.approx(12 / 256, abs=0.012)


def test_many_configurations_can_be_told_apart_by_many_goldens() -> None:
    # 60 have 1,770 pairs: of 10,000 draws the smallest p is 0.0001, and 1,770 times that is no small p
    rows = {f"c{number}": [0.0] * 60 for number in range(59)}
    assert ties(*table(best=[1.0] * 60, **rows)) == ("best",)


def test_documents_are_the_clusters_of_ties() -> None:
    # as in the signs of a cluster: p = 0.11 by document
    scores = table(a=[1.0] * 80 + [0.0] * 20, b=[0.0] * 80 + [1.0] * 20)
    assert ties(*scores) == ("a",)
    assert ties(*scores, [f"d{place // 10}" for place in range(100)]) == ("a", "b")


def test_a_configuration_without_values_is_not_ranked() -> None:
    assert ties(*table(a=[1.0, 0.0], none=[NAN, NAN])) == ("a",)
    assert ties(*table(none=[NAN, NAN])) == ()


def test_every_other_configuration_is_compared_with_the_reference() -> None:
    found = compared(*table(a=[1.0, 0.5], b=[0.0, 0.5], c=[1.0, 1.0]), "b")
    assert {name: difference.mean for name, difference in found.items()} == {"a": 0.5, "c": 0.75}


def unknown(values: list[float]) -> KnownScores:
    """NaN as a judgement that could not be had: anything from 0 to 1."""
    given = np.array([values])
    return KnownScores(given, np.nan_to_num(given, nan=0.0), np.nan_to_num(given, nan=1.0))


def test_what_could_not_be_judged_counts_at_worst_and_at_best() -> None:
    # 30 of 40 judged, all 1; were the other 10 all 0, the mean would be that of the other configuration
    (found,) = differences(unknown([1.0] * 30 + [NAN] * 10), KnownScores.of([1.0] * 30 + [0.0] * 10))
    assert (found.mean, found.n, found.p_holm) == (0, 30, 1)
    ours, theirs = unknown([1.0] * 30 + [NAN] * 10), KnownScores.of([0.0] * 8 + [1.0] * 22 + [1.0] * 10)
    (found,) = differences(ours, theirs)
    # 8 better, and 10 that may be worse: from -2/40 to 8/40, on both sides of 0
    assert (found.mean, found.p, found.told) == (pytest.approx(8 / 30), 1, False)
    assert found.low < 0 < found.high
    (certain,) = differences(KnownScores.of([1.0] * 30), KnownScores.of([0.0] * 8 + [1.0] * 22))
    assert certain.told


def test_a_difference_that_no_bound_turns_is_told() -> None:
    ours, theirs = unknown([1.0] * 38 + [NAN] * 2), KnownScores.of([0.0] * 40)
    (found,) = differences(ours, theirs)
    assert found.told
    # at worst 38/40 less what the test leaves open, which is not a part of 38 like differences
    assert 0.8 < found.low < 0.95
    assert found.high == 1


def test_what_is_not_scored_is_not_missing() -> None:
    # A golden that is in no row of the metric has no bounds.
    (found,) = differences(KnownScores.of([1.0] * 10 + [NAN] * 10), KnownScores.of([0.0] * 10 + [NAN] * 10))
    assert found.told


VALUES = st.sampled_from([0.0, 0.25, 0.5, 1.0, NAN])


@given(
    st.integers(6, 24).flatmap(
        lambda goldens: st.tuples(
            st.lists(st.lists(VALUES, min_size=goldens, max_size=goldens), min_size=2, max_size=5),
            st.lists(st.integers(0, goldens), min_size=goldens, max_size=goldens),
        )
    ),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.integers(0, 3),
)
def test_an_interval_excludes_0_exactly_where_the_difference_is_told(
    drawn: tuple[list[list[float]], list[int]], clustered: bool, chosen: bool, bounded: bool, tilt: int
) -> None:
    rows, labels = np.array(drawn[0]), drawn[1]
    # Tilted, so that some are told apart: the first row is raised, the others fall.
    rows[0] = np.minimum(1.0, rows[0] + tilt / 3)
    rows[1:] = rows[1:] * (1 - tilt / 3)
    known = (
        KnownScores(rows, np.nan_to_num(rows, nan=0.0), np.nan_to_num(rows, nan=1.0))
        if bounded
        else KnownScores(rows, rows, rows)
    )
    names = [str(number) for number in range(len(rows))]
    found = compared(known, names, "0", labels if clustered else None, chosen=chosen, draws=300)
    for one in found.values():
        if not one.n:
            continue
        assert one.told == (one.low > 0 or one.high < 0)
        assert one.low <= one.mean + 1e-9
        assert one.high >= one.mean - 1e-9
        # What is not told is no larger than what the pair could show.
        assert one.told or abs(one.mean) <= one.smallest + 1e-9


@pytest.mark.slow
def test_equal_configurations_are_told_apart_in_no_more_than_5_per_cent() -> None:
    # 6 alike in 60 goldens of 20 documents, 400 benchmarks: 5 % with a standard error of 1.1 %.
    rng = np.random.default_rng(3)
    documents = np.repeat(np.arange(20), 3)
    wrong = 0
    for number in range(400):
        scores = rng.normal(size=60) + rng.normal(size=(6, 20))[:, documents] * 0.7 + rng.normal(size=(6, 60))
        wrong += len(ties(KnownScores.of(scores), list("abcdef"), documents.tolist(), draws=2_000, seed=number)) < 6
    assert wrong / 400 <= 0.075


@pytest.mark.slow
def test_95_in_100_intervals_of_a_pair_hold_the_true_difference() -> None:
    rng = np.random.default_rng(5)
    documents = np.repeat(np.arange(20), 3)
    held = blind = 0
    for number in range(400):
        values = 0.3 + rng.normal(size=20)[documents] * 0.7 + rng.normal(size=60)
        for by in (documents.tolist(), None):
            (found,) = differences(KnownScores.of(values), KnownScores.of(np.zeros(60)), by, draws=2_000, seed=number)
            held += by is not None and found.low <= 0.3 <= found.high
            blind += by is None and found.low <= 0.3 <= found.high
    # 95 % ± 2.5 %; queries alone pretend to know sqrt(1.7) times better.
    assert 0.92 <= held / 400 <= 0.98
    assert blind / 400 < 0.9
