from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from ragset.generation.weighted_choice import choose


def test_the_same_case_draws_the_same_kind_whatever_the_order_of_weights() -> None:
    assert choose({"a": 1, "b": 1}, 7, "x") == choose({"b": 1, "a": 1}, 7, "x")


def test_a_kind_without_weight_is_never_drawn() -> None:
    assert {choose({"a": 0, "b": 0.5}, case) for case in range(200)} == {"b"}


def test_shares_follow_weights() -> None:
    drawn = Counter(choose({"a": 3, "b": 1}, 0, case) for case in range(4000))
    # three quarters of 4,000 is 3,000; four standard deviations of a binomial are 4 * sqrt(750) = 110
    assert abs(drawn["a"] - 3000) < 110


def test_another_seed_draws_otherwise() -> None:
    weights = {"a": 1, "b": 1}
    assert [choose(weights, 0, case) for case in range(50)] != [choose(weights, 1, case) for case in range(50)]


@given(st.dictionaries(st.text(max_size=5), st.floats(0.001, 1e6), min_size=1, max_size=6), st.integers())
def test_what_is_drawn_is_one_of_the_kinds(weights: dict[str, float], case: int) -> None:
    assert choose(weights, case) in weights
