import pytest

from ragset.generation.context_order import Yields
from ragset.generation.contexts import Context


def context(row: int, kind: str, strength: float) -> Context:
    return Context(rows=(row, row + 1), kind=kind, strength=strength)


WAITING = [context(0, "terms", 0.3), context(2, "near", 0.5), context(4, "terms", 0.4), context(6, "near", 0.4)]


def test_before_anything_is_known_the_strongest_come_first_and_of_equals_the_first() -> None:
    assert Yields().best(WAITING, 3) == [1, 2, 3]
    assert Yields().rate("near") == 1


def test_contexts_like_those_that_gave_goldens_come_first() -> None:
    yields = Yields()
    drawn = [*((f"t{n}", "terms") for n in range(10)), *((f"n{n}", "near") for n in range(10))]
    yields.learn(drawn, {f"n{n}" for n in range(10)}, {f"t{n}" for n in range(10)})
    # all kinds: (10 + 1) / (20 + 1); terms (10 + 8 * 11/21) / 18, near (0 + 8 * 11/21) / 18
    assert yields.rate("terms") == pytest.approx((10 + 8 * 11 / 21) / 18)
    assert yields.rate("near") == pytest.approx(8 * 11 / 21 / 18)
    assert yields.rate("other") == pytest.approx(11 / 21)
    assert yields.best(WAITING, 2) == [2, 0]


def test_a_draft_that_was_not_kept_counts_for_less_than_a_golden_and_more_than_none() -> None:
    yields = Yields()
    yields.learn([("a", "kept"), ("b", "drafted"), ("c", "none")], {"c"}, {"a"})
    assert yields.rate("kept") > yields.rate("drafted") > yields.rate("none")
