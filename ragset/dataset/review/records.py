"""One judgement of a person, a line of `reviews.jsonl`, and which judgements count: of one person on one item the latest that is not undone."""

import re
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, AwareDatetime, Field, model_validator

from ragset.models import Model, Span

Kind = Literal["golden", "answer", "relevance"]
Verdict = Literal["good", "bad"]

GRADES: dict[Kind, tuple[int, int]] = {"answer": (1, 5), "relevance": (0, 3)}
"""The least and the greatest grade of what is graded; goldens get a verdict instead."""


def _name(text: str) -> str:
    if text != " ".join(text.split()) or not text.isprintable():
        raise ValueError("a name has single blanks and no signs that cannot be seen")
    return text


Name = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_name)]


class Edit(Model):
    """A correction of a golden: the fields that change, each with its whole new value; None leaves a field as it is."""

    query: str | None = Field(default=None, min_length=1, max_length=10_000)
    answer: str | None = Field(default=None, min_length=1, max_length=50_000)
    evidence: tuple[Span, ...] | None = Field(default=None, min_length=1)
    equivalents: tuple[Span, ...] | None = None

    @property
    def corrects(self) -> bool:
        """Whether it changes more than where else the query is answered."""
        return any(value is not None for value in (self.query, self.answer, self.evidence))


class Review(Model):
    """What one person says about one item. Without verdict and grade it is a skip, unless it undoes an earlier line.

    The verdict is about the golden with the edit in it: "good" with a correction says that it was not good before.
    """

    id: str = Field(pattern=r"^[A-Za-z0-9_-]{8,64}$")  # made by whoever sends it, so that it can be sent twice
    time: AwareDatetime
    reviewer: Name
    item: str = Field(min_length=1, max_length=1_000)  # id of the golden; of an answer or passage what its room makes
    kind: Kind
    guideline: str = Field(pattern=r"^[a-z][a-z0-9_]*@[1-9]\d*$")  # the text that was shown, `name@version`
    verdict: Verdict | None = None
    grade: int | None = None
    reasons: tuple[str, ...] = ()  # codes, as the guideline lists them
    note: str = Field(default="", max_length=10_000)
    edit: Edit | None = None
    undoes: str | None = None  # id of an earlier line of the same reviewer, which counts no longer

    @classmethod
    def of(cls, reviewer: str, item: str, kind: Kind, guideline: str, **said: Any) -> Self:
        """A review made now, with a new id."""
        fields = {"reviewer": reviewer, "item": item, "kind": kind, "guideline": guideline, **said}
        return cls.model_validate({"id": uuid.uuid4().hex, "time": datetime.now(UTC), **fields})

    @property
    def judged(self) -> bool:
        """Whether it has a verdict or a grade."""
        return self.verdict is not None or self.grade is not None

    @property
    def good(self) -> bool:
        """Whether the golden is good as it was made, without a correction of query, answer or evidence."""
        return self.verdict == "good" and not (self.edit and self.edit.corrects)

    @property
    def version(self) -> int:
        """Of the guideline."""
        return int(self.guideline.rpartition("@")[2])

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Self:
        if self.undoes is not None and (self.judged or self.edit):
            raise ValueError("undoes: a line that undoes another says nothing else")
        if self.kind == "golden" and self.grade is not None:
            raise ValueError("grade: a golden gets a verdict")
        if self.kind != "golden" and (self.verdict is not None or self.edit is not None):
            raise ValueError(f"verdict, edit: {self.kind} gets a grade")
        low, high = GRADES.get(self.kind, (0, 0))
        if self.grade is not None and not low <= self.grade <= high:
            raise ValueError(f"grade: is {low} to {high}")
        if not all(re.fullmatch(r"[a-z][a-z0-9_]{0,39}", reason) for reason in self.reasons):
            raise ValueError("reasons: are codes such as wrong_answer")
        return self


def standing(lines: Sequence[Review], kind: Kind, guideline: str | None = None) -> tuple[Review, ...]:
    """The line that counts of each reviewer on each item, in the order of the file; skips are among them.

    `guideline` leaves only lines under this text. A person can undo only lines of their own; an undone undo has no effect.
    """
    undone: set[tuple[str, str]] = set()
    latest: dict[tuple[str, str], Review] = {}
    for line in reversed(lines):  # what undoes a line comes after it
        if (line.reviewer, line.id) in undone:
            continue
        if line.undoes is not None:
            undone.add((line.reviewer, line.undoes))
        elif line.kind == kind and guideline in (None, line.guideline):
            latest.setdefault((line.reviewer, line.item), line)
    return tuple(reversed(latest.values()))


def by_item(reviews: Iterable[Review]) -> dict[str, tuple[Review, ...]]:
    """The judgements of each item, without skips."""
    found: dict[str, list[Review]] = defaultdict(list)
    for review in reviews:
        if review.judged:
            found[review.item].append(review)
    return {item: tuple(of) for item, of in found.items()}


def guidelines_used(lines: Sequence[Review], kind: Kind) -> dict[str, int]:
    """How many judgements stand under each version of the guideline, the newest version first.

    Two versions ask different things, so their judgements are never counted together.
    """
    used = {line.guideline: line.version for line in lines if line.kind == kind}
    newest_first = sorted(used, key=lambda guideline: (-used[guideline], guideline))
    counted = {one: sum(review.judged for review in standing(lines, kind, one)) for one in newest_first}
    return {guideline: number for guideline, number in counted.items() if number}


def reasons_given(reviews: Iterable[Review]) -> dict[str, int]:
    """How many of these judgements give each reason, the most frequent first."""
    counts = Counter(reason for review in reviews for reason in dict.fromkeys(review.reasons))
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
