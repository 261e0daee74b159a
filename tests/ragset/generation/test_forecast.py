"""How many candidates would enter each stage of a run."""

import random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.generation.forecast import Rate, forecast, next_round

CERTAIN = 1e9  # candidates that a rate is known from


def test_where_all_pass_every_candidate_enters_every_stage_once() -> None:
    found = forecast([Rate(1, 1), Rate(1, 1)], wanted=30, eligible=100, prior_share=1)
    assert found.expected == found.at_least == found.at_most == (30, 30, 30)


def test_a_stage_that_passes_half_doubles_what_enters_those_before_it() -> None:
    found = forecast([Rate(1, 1), Rate(0.5, CERTAIN)], wanted=100, eligible=10_000, prior_share=0.5)
    # 200 tries give 100 goldens; rounds stay below what is missing, so few more are tried
    assert found.expected == pytest.approx((200, 200, 100), rel=0.03)
    # Tries until the hundredth success deviate by sqrt(100 * 0.5) / 0.5 = 14, and 1.64 of these are 23
    assert found.at_least[0] == pytest.approx(200 - 23, abs=8)
    assert found.at_most[0] == pytest.approx(200 + 23, abs=10)


def test_the_less_a_rate_is_known_the_further_the_ends_are_apart() -> None:
    few, many = (forecast([Rate(0.8, seen)], wanted=100, eligible=10_000, prior_share=0.8) for seen in (10, 1_000))
    assert few.at_most[0] - few.at_least[0] > 2 * (many.at_most[0] - many.at_least[0])


def test_a_small_corpus_is_used_up() -> None:
    found = forecast([Rate(0.5, CERTAIN)], wanted=100, eligible=40, prior_share=0.5)
    # half of 40 pass
    assert found.at_most[0] == 40
    assert found.expected[-1] == pytest.approx(20, abs=1)


def test_all_is_every_candidate() -> None:
    found = forecast([Rate(0.5, CERTAIN)], wanted=None, eligible=50, prior_share=1)
    assert found.expected == pytest.approx((50, 25), abs=1)


def test_a_stage_that_makes_two_of_one_halves_what_is_tried() -> None:
    found = forecast([Rate(1, 1), Rate(2, 10)], wanted=30, eligible=100, prior_share=2, most_each=2)
    assert found.expected == (15, 15, 30)


def test_where_nothing_passes_the_rules_nothing_enters_the_stages() -> None:
    found = forecast([Rate(0, 60), Rate(0.9, 10)], wanted=10, eligible=40, prior_share=0.9)
    assert found.at_most == (40, 0, 0)


@settings(max_examples=10)
@given(
    st.lists(st.builds(Rate, st.floats(0.3, 1), st.floats(5, 100)), min_size=1, max_size=4),
    st.integers(1, 20),
    st.integers(0, 60),
)
def test_the_expected_number_lies_between_the_ends_and_the_corpus_bounds_all(
    rates: list[Rate], wanted: int, eligible: int
) -> None:
    found = forecast(rates, wanted=wanted, eligible=eligible, prior_share=0.9)
    assert max(found.at_most) <= max(eligible, wanted)
    for least, most in zip(found.at_least, found.at_most, strict=True):
        assert 0 <= least <= most
    assert found.expected[-1] <= wanted


def test_the_first_round_tries_as_many_as_are_wanted() -> None:
    assert next_round(wanted=40, kept=0, tried=0, left=500, expected=0.3) == 40


def test_where_three_may_come_of_each_the_first_round_tries_a_third() -> None:
    assert next_round(wanted=40, kept=0, tried=0, left=500, expected=0.3, most_each=3) == 14


def test_a_later_round_goes_by_the_share_kept_and_stays_below_what_is_missing() -> None:
    # With 4 tries at 3/4 before the run: 30 + 3 of 40 + 4, so 3/4. Of the 10 missing goldens the deviation is
    # sqrt(10 * 1/4 * (1 + 10/33)) = 1.80, and 10 - 0.9 * 1.80 = 8.38 at 3/4 are 11 candidates.
    assert next_round(wanted=40, kept=30, tried=40, left=500, expected=0.75) == 11


def test_the_last_golden_is_worth_what_it_takes_on_average() -> None:
    # (39 + 2) of (78 + 4): one half, so two candidates
    assert next_round(wanted=40, kept=39, tried=78, left=500, expected=0.5) == 2


def test_all_takes_everything_that_is_left() -> None:
    assert next_round(wanted=None, kept=3, tried=10, left=90, expected=0.3) == 90


def test_there_is_no_round_when_all_are_there_or_nothing_is_left() -> None:
    assert next_round(wanted=5, kept=5, tried=9, left=100, expected=0.3) == 0
    assert next_round(wanted=5, kept=1, tried=9, left=0, expected=0.3) == 0


def test_a_corpus_where_nothing_passes_is_not_taken_at_one_stroke() -> None:
    assert next_round(wanted=1000, kept=0, tried=1000, left=100_000, expected=0.3) == 4000


@given(
    st.integers(1, 500),
    st.integers(0, 500),
    st.integers(0, 5000),
    st.integers(1, 10_000),
    st.floats(0.001, 1),
)
def test_rounds_always_come_to_an_end(wanted: int, kept: int, tried: int, left: int, expected: float) -> None:
    size = next_round(wanted=wanted, kept=min(kept, 2 * tried), tried=tried, left=left, expected=expected)
    assert 0 <= size <= left
    assert size > 0 or min(kept, 2 * tried) >= wanted


def simulated(wanted: int, share: float, expected: float, rng: random.Random) -> tuple[float, int]:
    """The surplus as a share of what was wanted, and the number of rounds, where each candidate passes by chance."""
    kept = tried = rounds = 0
    while size := next_round(wanted=wanted, kept=kept, tried=tried, left=10**9, expected=expected):
        rounds, tried = rounds + 1, tried + size
        kept += sum(rng.random() < share for _ in range(size))
    return (kept - wanted) / wanted, rounds


@pytest.mark.parametrize("wanted", [10, 20, 100, 1000])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
@pytest.mark.parametrize("expected", [0.1, 0.3, 0.8])
def test_surplus_and_rounds_are_few_whatever_passes_and_whatever_was_expected(
    wanted: int, share: float, expected: float
) -> None:
    rng = random.Random(1)
    runs = [simulated(wanted, share, expected, rng) for _ in range(2000 // wanted + 20)]
    assert fmean(surplus for surplus, _ in runs) < 0.08
    assert fmean(rounds for _, rounds in runs) < 8
