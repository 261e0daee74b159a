"""The review of one folder: who gets which item next, and what a judgement changes."""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Annotated, Any

from pydantic import Field, validate_call

from flows.deploy.review.items import Items, open_items, stamp_of
from flows.deploy.review.leases import Leases
from flows.deploy.review.passages import Passages
from ragset.dataset.review.file import ReviewFile
from ragset.dataset.review.guidelines import Guideline
from ragset.dataset.review.order import waiting
from ragset.dataset.review.records import Kind, Name, Review, by_item, standing
from ragset.errors import InputError
from ragset.models import Span


class WriteError(Exception):
    """A judgement is not on the disk; it can be sent again."""


class Session:
    """Answers what the page asks about one folder."""

    def __init__(self, folder: Path, items: Items, leases: Path) -> None:
        self._items = items
        self._sample = {one.item for one in items.order if one.part == "sample"}
        self._file = ReviewFile(folder)
        self._passages = Passages(items.corpus)
        self.id = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
        self._leases = Leases(leases, self.id)

    @validate_call
    def start(self, /, *, reviewer: Name | Annotated[str, Field(max_length=80)]) -> dict[str, Any]:
        """What the page needs before it shows the first item; `reviewer` is empty before a person has said a name."""
        mine = _judged_by(reviewer, self._standing())
        return {
            "set": self.id,
            "name": self._items.name,
            "kinds": {kind: _shown(kind, guideline) for kind, guideline in self._items.guidelines.items()},
            "reviewers": sorted({line.reviewer for line in self._file.read().lines}),
            "mine": [{"item": item, "id": review.id} for item, review in mine.items() if item in self._items.kinds],
            "progress": self._progress(reviewer),
        }

    @validate_call
    def next(
        self,
        /,
        *,
        reviewer: Name,
        without: Annotated[tuple[str, ...], Field(max_length=10_000)] = (),
        again: bool = False,
    ) -> dict[str, Any]:
        """Lease the next item that is left for this reviewer; `again` counts those that the reviewer skipped."""
        reviews = self._standing()
        unskipped = [one for one in reviews if one.judged or one.reviewer != reviewer]

        def left(reviews: Sequence[Review], others: Mapping[str, Collection[str]]) -> list[str]:
            found = waiting(self._items.order, reviews, reviewer, others)
            return [one.item for one in found if one.item not in without]

        def choose(others: Mapping[str, Collection[str]]) -> str | None:
            return next(iter(left(unskipped if again else reviews, others)), None)

        item = self._leases.claim(reviewer, choose)
        if item is not None:
            return {"view": self._view(item)}
        wanting = len(left(reviews, {}))
        skipped = len(left(unskipped, {})) - wanting
        return {"view": None, "waiting": wanting, "skipped": skipped, "progress": self._progress(reviewer)}

    @validate_call
    def look(self, /, *, reviewer: Name, item: str) -> dict[str, Any]:
        """An item that the reviewer judged, with what the critic thinks of it."""
        mine = _judged_by(reviewer, self._standing()).get(self._check(item))
        said = mine and mine.model_dump(mode="json")
        return {"view": self._view(item), "mine": said, "critic": self._critic(item) if mine else None}

    def add(self, /, **sent: Any) -> dict[str, Any]:
        """Write a judgement, with the time by this clock; when this returns, it is on the disk.

        One that was made under an earlier guideline, and kept in a browser meanwhile, stays under that one.

        Raises:
            InputError: it makes no sense, and never will.
            WriteError: it cannot be written now.
        """
        review = Review.model_validate({**sent, "time": datetime.now(UTC)})
        guideline = self._items.guidelines[self._items.kinds[self._check(review.item)]]
        if review.guideline == guideline.key or not review.guideline.startswith(f"{guideline.name}@"):
            guideline.check(review)
        for span in (*(review.edit.evidence or ()), *(review.edit.equivalents or ())) if review.edit else ():
            self._items.corpus.text(span)
        try:
            self._file.append(review)
        except InputError as error:
            raise WriteError(str(error)) from None
        self._leases.end(review.item, review.reviewer)
        critic = self._critic(review.item) if review.judged else None
        return {"critic": critic, "progress": self._progress(review.reviewer)}

    @validate_call
    def hold(self, /, *, reviewer: Name, items: Annotated[tuple[str, ...], Field(max_length=10)]) -> dict[str, Any]:
        """Renew the reviewer's leases."""
        self._leases.renew([self._check(item) for item in items], reviewer)
        return {"progress": self._progress(reviewer)}

    @validate_call
    def text(self, /, *, doc: str, start: int, end: int) -> dict[str, Any]:
        """A window of a document."""
        return self._passages.window(Span(doc_id=doc, start=start, end=end))

    @validate_call
    def near(self, /, *, item: str, query: Annotated[str, Field(max_length=10_000)]) -> dict[str, Any]:
        """Passages elsewhere that may answer the query too."""
        return {"passages": [self._passages.window(span) for span in self._items.near(self._check(item), query)]}

    def _check(self, item: str) -> str:
        if item not in self._items.kinds:
            raise InputError(f"{item}: is no item of {self._items.name}; load the page again")
        return item

    def _view(self, item: str) -> dict[str, Any]:
        return {"item": item, "kind": self._items.kinds[item], **self._items.view(item)}

    def _critic(self, item: str) -> list[dict[str, str]]:
        return [{"name": name, "value": value} for name, value in self._items.critic(item)]

    def _standing(self) -> list[Review]:
        """Under the guidelines that are shown now."""
        lines = self._file.read().lines
        return [one for kind, shown in self._items.guidelines.items() for one in standing(lines, kind, shown.key)]

    def _progress(self, reviewer: str) -> dict[str, int]:
        reviews = self._standing()
        judged = by_item(reviews).keys() & self._items.kinds
        return {
            "mine": len(_judged_by(reviewer, reviews).keys() & self._items.kinds),
            "judged": len(judged),
            "items": len(self._items.kinds),
            "sample": len(judged & self._sample),
            "sampled": len(self._sample),
        }


CALLS: dict[str, Callable[..., dict[str, Any]]] = {
    "start": Session.start,
    "next": Session.next,
    "item": Session.look,
    "reviews": Session.add,
    "hold": Session.hold,
    "text": Session.text,
    "near": Session.near,
}
"""What the page may ask, each with the names and values that it sends."""


def _judged_by(reviewer: str, reviews: Sequence[Review]) -> dict[str, Review]:
    """By item, in the order in which they were made."""
    return {one.item: one for one in reviews if one.reviewer == reviewer and one.judged}


def _shown(kind: Kind, guideline: Guideline) -> dict[str, Any]:
    def choices(of: Mapping[Any, str]) -> list[dict[str, str]]:
        return [{"code": str(code), "label": label} for code, label in of.items()]

    texts = {"guideline": guideline.key, "title": guideline.title, "text": guideline.text}
    chosen = {"reasons": choices(guideline.reasons), "scale": choices(guideline.grades)}
    return {**texts, **chosen, "editable": kind == "golden"}


class Sessions:
    """The reviews that a process serves: each folder is read once, and again when it was replaced."""

    def __init__(self, leases: Path) -> None:
        self._leases = leases
        self._opening = Lock()
        self._open: dict[Path, tuple[object, Session]] = {}

    def of(self, folder: Path) -> Session:
        """The session of a folder."""
        with self._opening:
            known, now = self._open.get(folder), stamp_of(folder)
            if known is None or known[0] != now:
                known = self._open[folder] = now, Session(folder, open_items(folder), self._leases)
            return known[1]
