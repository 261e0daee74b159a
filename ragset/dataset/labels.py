"""The labels in a golden's metadata: hardness, round trip, overlap and so on. What was not measured is None or empty."""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from ragset.models import UNANSWERABLE, Golden, Span

KEYS = ("hardness", "closed_book", "round_trip", "overlap", "persona", "language", UNANSWERABLE)
"""Of the metadata that labels are read from."""


class RoundTrip(NamedTuple):
    """Where a search by the query found the evidence."""

    rank: int | None  # from 1; None where it was not among the first `k`
    k: int
    by: str  # bm25, dense or hybrid


class Labels(NamedTuple):
    """Of one golden."""

    hardness: str  # easy, medium or hard
    closed_book: str  # whether a reader knew the answer without the passage: `known` or `not known`
    round_trip: RoundTrip | None
    overlap: float | None  # share of the query's words of content that the evidence has, 0 to 1
    persona: str  # name of the persona whose style the query imitates
    language: str  # of the query, where one was asked for
    missing: str  # what the corpus lacks to answer an unanswerable query
    near: Span | None  # the passage that nearly answers it

    @property
    def found(self) -> str:
        """`found`, `not found`, or empty."""
        return "" if self.round_trip is None else "not found" if self.round_trip.rank is None else "found"


def labels_of(golden: Golden) -> Labels:
    """Read the labels from a golden's metadata."""
    trip, unanswerable = noted(golden, "round_trip"), noted(golden, UNANSWERABLE)
    covered, near = noted(golden, "overlap").get("covered"), unanswerable.get("near")
    known: Any = noted(golden, "closed_book").get("known")
    return Labels(
        hardness=str(noted(golden, "hardness").get("level", "")),
        closed_book="known" if known is True else "not known" if known is False else "",
        round_trip=RoundTrip(trip["rank"], int(trip["k"]), str(trip["by"])) if "rank" in trip else None,
        overlap=None if covered is None else float(covered),
        persona=str(golden.metadata.get("persona", "")),
        language=str(golden.metadata.get("language", "")),
        missing=str(unanswerable.get("missing", "")),
        near=Span.of_id(near) if isinstance(near, str) else None,
    )


def spans_shown(golden: Golden) -> tuple[Span, ...]:
    """What a reader of the golden is shown: all that proves it and equivalents, or the passage that nearly answers its query."""
    near = labels_of(golden).near
    return (*golden.proof, *golden.equivalents) or ((near,) if near else ())


def kind_of(golden: Golden, field: str, stage: str) -> str:
    """Its style, evolution or shape: from the metadata, or else of the last step of the stage; empty where neither says it."""
    steps = (step.kind for step in reversed(golden.lineage) if step.stage == stage)
    return str(golden.metadata.get(field) or next(steps, ""))


def noted(golden: Golden, key: str) -> Mapping[str, Any]:
    """What stands in its metadata under a key; empty where nothing does."""
    found = golden.metadata.get(key)
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}
