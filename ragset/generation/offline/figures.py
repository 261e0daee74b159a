"""Figures of rules and manuals: so many a day, since which version, what value."""

import re
from collections.abc import Iterator

from ragset.generation.offline.clause import Clause
from ragset.generation.offline.facts import AMOUNT, COUNTING, RATE
from ragset.generation.offline.nouns import is_capital
from ragset.generation.offline.question import Question, asked
from ragset.generation.offline.verbs import BE, is_participle

_RATED = re.compile(
    rf"{AMOUNT} (?P<noun>(?:[a-z-]+ ){{0,2}}?[a-z-]+s) (?P<rate>{RATE})(?=[,;:]|$| (?:and|but|in|at|on|from|for)\b)"
)
_WHICH = re.compile(
    r"(?P<participle>[a-z]+) (?P<preposition>with|in|by|on|at|under|from|for) (?P<noun>(?!(?:chapter|section|figure|table|page|appendix|note"
    r"|step|line|paragraph|age|about|around|over)\b)[a-z]+) (?P<number>[A-Z]{0,3}-?\d[\w.-]*)"
)
_VALUE = re.compile(rf"{AMOUNT} ?(?:[%°]|[A-Za-zµΩ°³²/]{{1,12}}(?: (?:per|an?) [a-z]+)?)")
_MEASURED = re.compile(
    r"\b(?:pressure|temperature|weight|mass|length|width|height|depth|speed|rate|fee|price|fare|limit|capacity|voltage|power|current|frequency"
    r"|range|distance|duration|age|dose|charge|salary|wage|deposit|tolerance|thickness|diameter|torque|volume|flow|consumption|head|size"
    r"|interval|warranty|deadline|fine|allowance|share)$"
)


def rated(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X repairs 60 bikes a day`."""
    del chunk
    # What is counted by other verbs is asked for elsewhere.
    if clause.kind != "present" or clause.base in COUNTING or clause.because or clause.standing < 2:
        return
    found = _RATED.match(clause.rest)
    if found:
        answer = f"{found['amount']} {found['noun']} {found['rate']}"
        yield asked("number", clause, f"How many {found['noun']}", found["rate"], 2.4, answer)


def since_which(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X was introduced with firmware 2.1`."""
    del chunk
    if clause.verb not in BE or clause.because or clause.date or clause.place:
        return
    found = _WHICH.fullmatch(clause.rest)
    if found and is_participle(found["participle"]):
        wh = f"{found['preposition'].capitalize()} which {found['noun']}"
        answer = f"{found['preposition']} {found['noun']} {found['number']}"
        yield asked("what", clause, wh, found["participle"], 2.6, answer)


def value(clause: Clause, chunk: str) -> Iterator[Question]:
    """`The maximum system pressure is 10 bar`."""
    del chunk
    if clause.verb != "is" or not clause.subject.startswith("the ") or clause.because or clause.date:
        return
    found = _VALUE.fullmatch(re.split(r"[,;]| and ", clause.rest, maxsplit=1)[0])
    head, of, whole = clause.subject.removeprefix("the ").partition(" of ")
    if found is None or not _MEASURED.search(head):
        return
    # "The pressure" is that of something told of; "the maximum system pressure" and "the weight of the pump" say of what.
    if (of and (len(whole.split()) > 1 or is_capital(whole))) or len(head.split()) >= 3:
        yield asked("number", clause, "What", clause.place, 2.4, found[0])
