"""Dates as prose writes them, as stretches of time that can be put in order."""

import re
from typing import NamedTuple

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
    "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth",
    "twenty-first",
)  # fmt: skip
_CENTURY = re.compile(r"(?:(?P<number>\d{1,2})(?:st|nd|rd|th)|(?P<word>[a-z-]+)) century(?P<era> BCE?\b)?")
_YEAR = re.compile(r"(?<![\d,.])(?P<year>\d{1,4})(?P<decade>s)?(?: (?P<era>BC|AD|BCE|CE))?(?![\d%])")
_NAMES = "|".join(_MONTHS)
_DAY = re.compile(rf"(?P<before>\d{{1,2}}) (?P<named>{_NAMES})|(?P<month>{_NAMES})(?: (?P<after>\d{{1,2}})(?!\d))?")
_ROUGH = re.compile(r"\b(?:about|around|circa|approximately)\b")
_ROUGHLY = 15
"""Years by which a date that is given roughly may be wrong."""


class Stretch(NamedTuple):
    """From `low` to `high`, in years and their parts, BC below zero."""

    low: float
    high: float

    def before(self, other: "Stretch") -> bool:
        """Ends before the other begins, without doubt."""
        return self.high <= other.low


def stretch(date: str) -> Stretch | None:
    """Of a date with one year, decade or century; None for anything else."""
    day = _DAY.search(date)
    rest = date[: day.start()] + date[day.end() :] if day else date
    century = _century(rest)
    if century:
        return None if day else century
    years = list(_YEAR.finditer(rest))
    if len(years) != 1:
        return None
    (found,) = years
    year = int(found["year"])
    if found["era"] in {"BC", "BCE"}:
        return _loosened(Stretch(-year, -year + 1), date)
    if found["era"] is None and year < 100:
        return None
    if found["decade"]:
        return _loosened(Stretch(year, year + (100 if year % 100 == 0 else 10)), date)
    if day is None:
        return _loosened(Stretch(year, year + 1), date)
    month = _MONTHS.index(day["named"] or day["month"])
    number = day["before"] or day["after"]
    if number is None:
        return Stretch(year + month / 12, year + (month + 1) / 12)
    start = year + month / 12 + (int(number) - 1) / 372
    return Stretch(start, start + 1 / 372)


def _century(text: str) -> Stretch | None:
    found = _CENTURY.search(text)
    if found is None or (found["word"] and found["word"] not in _ORDINALS):
        return None
    number = int(found["number"]) if found["number"] else _ORDINALS.index(found["word"]) + 1
    if found["era"]:
        return Stretch(-100 * number, -100 * (number - 1))
    return Stretch(100 * (number - 1), 100 * number)


def _loosened(exact: Stretch, date: str) -> Stretch:
    by = _ROUGHLY if _ROUGH.search(date) else 0
    return Stretch(exact.low - by, exact.high + by)
