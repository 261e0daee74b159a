"""Questions for one cell of a table, where the heads of its row and its column say without doubt what it holds."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ragset.generation.offline.question import Question
from ragset.generation.offline.text import Sentence, tidy
from ragset.generation.offline.verbs import PAST

_TABLE = re.compile(r"(?:^[ \t]*\|[^\n]*\|[ \t]*(?:\n|\Z)){3,}", re.MULTILINE)
_RULE = re.compile(r"[ \t]*\|(?:[ \t]*:?-{2,}:?[ \t]*\|)+[ \t]*")
_CODE = re.compile(r"(?=[\w./-]*\d)[A-Z][\w./-]{1,14}")
_NAME = re.compile(r"[A-Z][\w'’-]+(?: (?:of |the )?[A-Z][\w'’-]+){0,3}")
_NOUN = re.compile(r"[A-Z]?[a-z][a-z-]+(?: [a-z][a-z-]+){0,2}")
_PROPERTIES = frozenset("parameter property characteristic specification feature quantity measure item".split())  # noqa: SIM905
_SAYS_LITTLE = frozenset("note comment remark example number no id status other more".split())  # noqa: SIM905
_SCORE = 3.0
_LONGEST = 14
"""Words of a cell that is an answer."""


class Cell(NamedTuple):
    """The question that it answers, and the rows of the column's head and of the cell."""

    question: Question
    evidence: tuple[Sentence, Sentence]


def cells(chunk: str) -> tuple[Cell, ...]:
    """In the order of the text; what two tables or two rows would answer is not asked."""
    found = [cell for table in _TABLE.finditer(chunk) for cell in _of_table(table[0], table.start())]
    times = Counter(cell.question.text for cell in found)
    return tuple(cell for cell in found if times[cell.question.text] == 1)


def _of_table(table: str, start: int) -> Iterator[Cell]:
    lines: list[Sentence] = []
    for line in table.splitlines(keepends=True):
        shown = line.strip()
        at = start + line.index(shown) if shown else start
        lines.append(Sentence(at, at + len(shown), shown))
        start += len(line)
    if not _RULE.fullmatch(lines[1].text):
        return
    heads = _row(lines[0].text)
    for line in lines[2:]:
        row = _row(line.text)
        if len(row) != len(heads) or len(row) < 2:
            return
        for head, cell in zip(heads[1:], row[1:], strict=True):
            asked = _asked(heads[0], row[0], head)
            if asked and re.search(r"\w", cell) and len(cell.split()) <= _LONGEST:
                what, whose = asked
                kind = "number" if re.match(r"[^\w]*\d", cell) else "what"
                question = Question(
                    kind, f"What is the {what} of {whose}?", f"what the {what} of {whose} is", _SCORE, cell
                )
                yield Cell(question, (lines[0], line))


def _asked(corner: str, row: str, head: str) -> tuple[str, str] | None:
    """What is asked for and of what: the row's head is a thing, or the column's is and the row's a property of it."""
    if corner.lower() in _PROPERTIES:
        return (row[0].lower() + row[1:], f"the {head}") if _is_property(row) and _CODE.fullmatch(head) else None
    if not _is_property(head):
        return None
    if _CODE.fullmatch(row) and _is_property(corner):
        return head.lower(), f"{corner.lower()} {row}"
    if _NAME.fullmatch(row) and _is_property(corner) and len(row.split()) > 1:
        return head.lower(), row
    return None


def _is_property(text: str) -> bool:
    """One thing in the singular, as "Rated power"."""
    last = text.split()[-1].lower() if text else ""
    plural = last.endswith("s") and not last.endswith(("ss", "us", "is"))
    return _NOUN.fullmatch(text) is not None and not plural and last not in PAST and last not in _SAYS_LITTLE


def _row(line: str) -> list[str]:
    """Its cells, without marks of emphasis."""
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [tidy(cell).strip("*_` ") for cell in re.split(r"(?<!\\)\|", inner)]
