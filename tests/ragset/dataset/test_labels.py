from typing import Any

from ragset.dataset.labels import KEYS, Labels, RoundTrip, labels_of
from ragset.generation.hardness import METADATA as HARDNESS
from ragset.generation.personas import PERSONA
from ragset.generation.stages.closed_book import STAGE as CLOSED_BOOK
from ragset.generation.stages.round_trip import METADATA as ROUND_TRIP
from ragset.models import UNANSWERABLE, Golden, Span
from ragset.text.overlap import METADATA as OVERLAP
from ragset.text.overlap import overlap_of
from tests.small_dataset import golden_of


def labelled(**metadata: Any) -> Golden:
    return golden_of().model_copy(update={"metadata": metadata})


def test_what_nobody_measured_is_none_or_empty() -> None:
    assert labels_of(labelled()) == Labels("", "", None, None, "", "", "", None)
    assert labels_of(labelled()).found == ""


def test_labels_are_read_from_where_the_stages_leave_them() -> None:
    assert {HARDNESS, CLOSED_BOOK, ROUND_TRIP, OVERLAP, PERSONA, UNANSWERABLE} < set(KEYS)
    overlap = overlap_of("How hot may tea be?", ["Tea is made at 80 degrees."])
    labels = labels_of(
        labelled(
            hardness={"level": "hard", "points": 2.0, "reasons": ["round trip: not found (+2)"]},
            closed_book={"known": True, "answer": "80", "correctness": 5},
            round_trip={"rank": None, "k": 10, "by": "bm25"},
            overlap=overlap.model_dump(),
            persona="clerk",
            language="de",
        )
    )
    assert labels[:3] == ("hard", "known", RoundTrip(None, 10, "bm25"))
    assert labels.overlap == overlap.covered
    assert (labels.persona, labels.language, labels.found) == ("clerk", "de", "not found")


def test_a_closed_book_that_could_not_be_read_is_not_known_to_be_either() -> None:
    assert labels_of(labelled(closed_book={"known": None, "unread": "malformed_reply"})).closed_book == ""


def test_an_unanswerable_golden_tells_what_is_missing_and_what_is_near() -> None:
    labels = labels_of(labelled(unanswerable={"missing": "The year.", "near": "a:b:10-20"}))
    assert (labels.missing, labels.near) == ("The year.", Span(doc_id="a:b", start=10, end=20))
