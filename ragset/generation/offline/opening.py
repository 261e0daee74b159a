"""What stands in front of a clause: a date, a place, a reason."""

import re
from typing import NamedTuple

from ragset.generation.offline.phrase import tail_fits
from ragset.generation.offline.prose import capital
from ragset.generation.offline.verbs import PARTICIPLE, is_finite

_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_YEAR = r"(?:1\d{3}|20\d\d|\d{2,4} (?:BC|AD|BCE|CE))"
DATE = (
    rf"(?:(?:early |late |mid-|the (?:early |late |mid-)?)?(?:(?:\d{{1,2}} )?{_MONTH}(?: \d{{1,2}})?,? )?{_YEAR}(?![\d,.]\d)s?"
    rf"|the (?:early |late |mid-)?(?:\d{{1,2}}(?:st|nd|rd|th)|[a-z]+(?:th|first|second|third)) century(?: BC| AD| BCE| CE)?"
    rf"|(?:\d{{1,2}} )?{_MONTH}(?: \d{{1,2}}(?!\d))?)(?![\w%])"
)
"""A year, a day or a century, as prose writes it."""

_TIME_LEAD = re.compile(
    rf"^(?:In|On|Around|About|By|Since|During|As early as) (?P<date>(?:about |around )?{DATE})\s?,? (?=\S)"
)
_LEAD = re.compile(
    r"^(?P<lead>(?:In|At|On|During|After|Before|Under|Between|Following|Within|Among|From|For|With|Throughout|Outside|Until|Across"
    r"|Contrary to|According to|Despite|By|Alongside|Like|Unlike|Besides|Along with|Apart from) [^,;:]{3,80})\s?, (?=\S)"
)
_REASON_LEAD = re.compile(
    r"^(?:Because|(?P<since>Since)|Due to|Because of|As a result of|Thanks to|To (?:avoid|prevent|ensure|reduce|protect|keep|improve)) [^,]{8,120}, (?=\S)"
)
_LOOSE_LEAD = re.compile(
    r"\b(?:time|times|point|case|cases|way|area|year|years|period|process|event|respect|end|sense|view)$"
)
"""Openings that lean on what was said before, or change what the sentence is about."""


class Opening(NamedTuple):
    """A sentence without what opens it, and what that was."""

    text: str
    date: str = ""
    """Of "In 1656,"."""
    place: str = ""
    """Another opening that names something, such as "in London", beginning in lower case."""
    because: bool = False
    """It was the reason for what follows."""


def take_opening(text: str) -> Opening | None:
    """None where the sentence cannot be understood without an opening that a question cannot hold."""
    dated = _TIME_LEAD.match(text)
    if dated and not re.match(r"(?:and|to|or|until|–|-|,)", text[dated.end() :]):
        if text.startswith(("By", "Since", "During")):
            return None
        return Opening(capital(text[dated.end() :]), date=dated["date"])
    reason = _REASON_LEAD.match(text)
    if reason:
        # "Since its founding" says when, "since the ship rolled" says why.
        if reason["since"] and not _has_verb(reason[0]):
            return None
        return Opening(capital(text[reason.end() :]), because=True)
    lead = _LEAD.match(text)
    if lead is None:
        return Opening(text)
    opening = lead["lead"]
    names = re.search(r"[A-Z0-9]", opening[1:])
    if not tail_fits(opening) or _has_verb(opening) or (not names and _LOOSE_LEAD.search(opening)):
        return None
    names = names and not re.match(r"(?:Along|Like|Unlike|Besides|Apart|Contrary)", opening)
    return Opening(capital(text[lead.end() :]), place=opening[0].lower() + opening[1:] if names else "")


def _has_verb(text: str) -> bool:
    return any(is_finite(word) and word not in PARTICIPLE for word in text.split())
