"""How many candidates would enter each stage of a run."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.generation.forecast import Rate, forecast

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
    found = forecast([Rate(1, 1), Rate(2, 10)], wanted=30, eligible=100, prior_share=2)
    # the first round tries as many as are wanted
    assert found.expected == (30, 30, 30)


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
