"""A table made of what a chunk states, with one cell left out: the query is what belongs there."""

import re

from ragset.generation.offline.candidates import Candidate, candidates
from ragset.generation.offline.prose import capital
from ragset.generation.offline.substance import content

_SHORT = 8
"""Words of a value that fits a cell."""
_ROWS = 4
_LONGEST = 16
"""Words of what stands beside it."""
_ALIKE = 0.6
"""Share of words of substance from which two rows say the same."""
_MISSING = "?"
_HEADS = {
    "when": ("Event", "Date", "Which date is missing from this table?"),
    "number": ("Quantity", "Value", "Which value is missing from this table?"),
}
_MIXED = ("Fact", "Value", "Which value is missing from this table?")
_ROW = re.compile(r"^\| (?P<label>[^|\n]+) \| \? \|$", re.MULTILINE)
_PREPOSITION = re.compile(r"(?:In|On) (?=\d|[A-Z]|the )")


def tabled(chunk: str, asked_for: Candidate) -> str | None:
    """The query as a table of facts of the chunk, in which its answer is left out; None where they fill none."""
    wanted = _cells(asked_for)
    if wanted is None:
        return None
    rows = [(asked_for, *wanted)]
    for candidate in candidates(chunk):
        cells = _cells(candidate)
        if cells and len(rows) < _ROWS and all(_differ(candidate, cells, row) for row in rows):
            rows.append((candidate, *cells))
    if len(rows) < 2:
        return None
    kinds = {candidate.question.kind for candidate, _, _ in rows}
    left, right, asks = _HEADS.get(asked_for.question.kind, _MIXED) if len(kinds) == 1 else _MIXED
    rows.sort(key=lambda row: (row[0].evidence[-1].start, row[1]))
    lines = [f"| {left} | {right} |", "| --- | --- |"]
    for candidate, label, value in rows:
        label = capital(label.removeprefix("When ")) if left == "Event" else label
        lines.append(f"| {label} | {_MISSING if candidate is asked_for else value} |")
    return "\n".join([asks, "", *lines])


def blank(query: str) -> str | None:
    """What stands beside the one empty cell of the query's table."""
    found = _ROW.findall(query)
    return found[0] if len(found) == 1 else None


def row_of(candidate: Candidate, label: str) -> bool:
    """Whether the candidate is what a row with that label is made of."""
    cells = _cells(candidate)
    return cells is not None and label in {cells[0], capital(cells[0].removeprefix("When "))}


def _cells(candidate: Candidate) -> tuple[str, str] | None:
    """What is asked, in the order of a statement, and the short answer."""
    question = candidate.question
    label, value = question.indirect, _PREPOSITION.sub("", question.answer)
    if not value or ":" in label or "|" in label + value:
        return None
    if len(value.split()) > _SHORT or not 3 <= len(label.split()) <= _LONGEST:
        return None
    return capital(label), capital(value)


def _differ(candidate: Candidate, cells: tuple[str, str], row: tuple[Candidate, str, str]) -> bool:
    """Neither says the same as the other, nor gives its value away."""
    other, label, value = row
    if candidate.evidence[-1] == other.evidence[-1]:
        return False
    mine, others = set(content(cells[0])), set(content(label))
    if len(mine & others) >= _ALIKE * min(len(mine), len(others)):
        return False
    return not (set(content(value)) & set(content(" ".join(cells)))) and not (
        set(content(cells[1])) & set(content(label))
    )
