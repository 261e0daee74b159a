"""Dates in sentences, and which of two is the earlier."""

import re
from typing import NamedTuple

_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_ORDINALS = {
    word: number
    for number, word in enumerate(
        """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
        fifteenth sixteenth seventeenth eighteenth nineteenth twentieth""".split(),  # noqa: SIM905
        start=1,
    )
}
_AFTER = r"(?=$|[,.;:]| (?:by|in|at|after|when|and|to|as|with|for|from|under|on|but|because|where|before|while)\b)"
_DAY = rf"(?:(?:\d{{1,2}} )?{_MONTH}(?: \d{{1,2}})?,? )?"
DATE = (
    rf"(?:in|on|about|around|from) (?P<about>about |around |early |late )?(?:{_DAY}(?P<year>[12]?\d{{3}})(?P<era> BCE?)?{_AFTER}"
    rf"|the (?:early |late |mid-|beginning of the |end of the )?"
    rf"(?:(?P<decade>\d{{3}}0)s|(?P<century>\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(_ORDINALS)}) century(?P<era2> BCE?)?){_AFTER})"
)
"""When it happened, as the end of a clause."""


class Years(NamedTuple):
    """From the first to the last year that a date may mean; before Christ below 0."""

    first: int
    last: int

    def before(self, other: "Years") -> bool:
        """Without doubt."""
        return self.last < other.first


def years(found: re.Match[str]) -> Years:
    """Of a match that holds `DATE`."""
    if found["year"]:
        year = -int(found["year"]) if found["era"] else int(found["year"])
        doubt = 10 if found["about"] or found[0].startswith(("about", "around")) else 0
        return Years(year - doubt, year + doubt)
    if found["decade"]:
        return Years(int(found["decade"]), int(found["decade"]) + 9)
    said = found["century"]
    number = _ORDINALS.get(said) or int(said[:-2])
    return Years(-100 * number, -100 * number + 99) if found["era2"] else Years(100 * number - 99, 100 * number)
