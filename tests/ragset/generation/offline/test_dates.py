import pytest

from ragset.generation.offline.dates import Stretch, stretch


@pytest.mark.parametrize(
    ("date", "low", "high"),
    [
        ("in 1859", 1859, 1860),
        ("about 1670", 1655, 1686),
        ("in the 1930s", 1930, 1940),
        ("in the thirteenth century", 1200, 1300),
        ("in the 3rd century BC", -300, -200),
        ("on 1 January 45 BC", -45, -44),
        ("in February 1918", 1918 + 1 / 12, 1918 + 2 / 12),
    ],
)
def test_a_date_is_a_stretch_of_years(date: str, low: float, high: float) -> None:
    assert stretch(date) == Stretch(low, high)


@pytest.mark.parametrize(
    "date", ["", "in May", "between 1750 and 1892", "in the umpteenth century", "about 75 minutes"]
)
def test_what_is_no_single_date_is_none(date: str) -> None:
    assert stretch(date) is None


def test_days_of_one_month_can_be_put_in_order() -> None:
    first, second = stretch("on 3 May 1859"), stretch("on 31 May 1859")
    assert first
    assert second
    assert first.before(second)
    assert not second.before(first)


def test_a_day_is_neither_before_nor_after_its_own_year() -> None:
    day, year = stretch("on 31 May 1859"), stretch("in 1859")
    assert day
    assert year
    assert not day.before(year)
    assert not year.before(day)
