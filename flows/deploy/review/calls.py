"""What the page may ask: what each call sends, and how it is answered."""

from datetime import UTC, datetime
from typing import Any

from pydantic import Field, model_validator

from flows.deploy.review.session import Session
from ragset.dataset.review.records import Name, Review
from ragset.models import Model, Span


class Start(Model):
    """Empty before a person has said a name."""

    reviewer: Name | str = Field(max_length=80)

    def answer(self, session: Session) -> dict[str, Any]:
        """The answer."""
        return session.start(self.reviewer)


class Next(Model):
    """An item to judge."""

    reviewer: Name
    without: tuple[str, ...] = Field(default=(), max_length=10_000)
    again: bool = False

    def answer(self, session: Session) -> dict[str, Any]:
        """The answer."""
        return session.next(self.reviewer, self.without, again=self.again)


class Item(Model):
    """One item."""

    reviewer: Name
    item: str

    def answer(self, session: Session) -> dict[str, Any]:
        """The answer."""
        return session.look(self.reviewer, self.item)


class Hold(Model):
    """Items that are open in a page."""

    reviewer: Name
    items: tuple[str, ...] = Field(max_length=10)

    def answer(self, session: Session) -> dict[str, Any]:
        """The answer."""
        return session.hold(self.reviewer, self.items)


class Text(Model):
    """A window of a document."""

    doc: str
    start: int
    end: int

    def answer(self, session: Session) -> dict[str, Any]:
        """The answer."""
        return session.text(Span(doc_id=self.doc, start=self.start, end=self.end))


class Near(Model):
    """Passages near a query."""

    item: str
    query: str = Field(max_length=10_000)

    def answer(self, session: Session) -> dict[str, Any]:
        """The answer."""
        return session.near(self.item, self.query)


class Judgement(Review):
    """A review as the page sends it: the server's clock gives it its time."""

    @model_validator(mode="before")
    @classmethod
    def _now(cls, sent: Any) -> Any:
        fields: dict[str, Any] = sent if isinstance(sent, dict) else {}
        return {**fields, "time": datetime.now(UTC)}

    def answer(self, session: Session) -> dict[str, Any]:
        """The answer."""
        return session.add(self)


Call = Start | Next | Item | Hold | Text | Near | Judgement
CALLS: dict[str, type[Call]] = {
    "start": Start,
    "next": Next,
    "item": Item,
    "reviews": Judgement,
    "hold": Hold,
    "text": Text,
    "near": Near,
}
