import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.review.estimates import agreement

PUBLISHED = (
    # Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), example C: what his four observers said of each unit.
    *((1, 1, 1), (2, 2, 3, 2), (3, 3, 3, 3), (3, 3, 3, 3), (2, 2, 2, 2), (1, 2, 3, 4), (4, 4, 4, 4), (1, 1, 2, 1)),
    *((2, 2, 2, 2), (5, 5, 5), (1, 1), (3,)),
)
JUDGEMENTS = st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=4), max_size=8)


def test_figures_of_the_published_example() -> None:
    # He gives alpha as 0.743 nominal and 0.815 ordinal; the package irrCAC 0.4.4 gives AC1 as 0.77544 and quadratic AC2 as 0.914.
    nominal, ordinal = (agreement(PUBLISHED, range(1, 6), level) for level in ("nominal", "ordinal"))
    assert (nominal.items, round(nominal.alpha, 3), round(nominal.ac, 5)) == (11, 0.743, 0.77544)
    assert (round(ordinal.alpha, 3), round(ordinal.ac, 5)) == (0.815, 0.914)
    assert (
        nominal.raw == ordinal.raw == pytest.approx((8 * 1 + 1 / 2 + 0 + 1 / 2) / 11)
    )  # two of 3:1, one of four values


def test_where_nearly_all_is_good_alpha_is_low_and_ac1_is_not() -> None:
    # 9 items on which two people agree that they are good, 1 on which they differ.
    found = agreement([(1, 1)] * 9 + [(0, 1)], (0, 1))
    # alpha: observed disagreement 2/20; expected 2 × 1 × 19 / (20 × 19) = 0.1 -> 0. AC1: chance 2 × 0.95 × 0.05 = 0.095.
    assert (found.raw, found.alpha, found.ac) == pytest.approx((0.9, 0.0, (0.9 - 0.095) / 0.905))


def test_without_an_item_of_two_people_nothing_is_known() -> None:
    found = agreement([(1,), (0,)], (0, 1))
    assert found.items == 0
    assert all(map(math.isnan, found[1:]))


def test_alpha_is_not_defined_where_one_value_was_ever_given() -> None:
    found = agreement([(1, 1), (1, 1)], (0, 1))
    assert (found.raw, found.ac) == (1, 1)
    assert math.isnan(found.alpha)


@given(JUDGEMENTS, st.randoms(), st.sampled_from(["nominal", "ordinal"]))
def test_neither_people_nor_items_have_an_order_and_agreement_is_at_most_1(
    judged: list[list[int]], random: object, level: str
) -> None:
    mixed = [[*of] for of in judged]
    for of in (*mixed, mixed):
        random.shuffle(of)  # type: ignore[attr-defined]
    one, other = (agreement(of, range(1, 6), level) for of in (judged, mixed))  # type: ignore[arg-type]
    assert one == pytest.approx(other, nan_ok=True)
    assert all(math.isnan(value) or value <= 1 + 1e-9 for value in one[1:])
    assert not one.items or one.raw >= 0
