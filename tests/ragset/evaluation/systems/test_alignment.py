"""Passages of other systems as hits."""

from pathlib import Path
from typing import Any

import pytest

from ragset.documents.corpus import Corpus
from ragset.evaluation.results.model import RetrievalResult
from ragset.evaluation.systems.alignment import align_replies
from ragset.evaluation.systems.replies import read_reply
from ragset.models import Document
from tests.small_dataset import TEA, corpus_of, golden_of

COPIED = "The night watchman wound the clock, oiled its wheels and wrote both into the book that lay beside it."
ONE = Document.of(f"A rule of 1620. {COPIED} So it stayed for a hundred years.", source="rules/one.md", title="Rules")
OTHER = Document.of(f"{COPIED} Nobody knows why.", source="two/one.md", title="Doubts")
GOLDEN = golden_of("Who wound the clock?", document=ONE, evidence=((16, 60),))


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path / "corpus", TEA, ONE, OTHER)


def placed(corpus: Corpus, *passages: Any) -> RetrievalResult:
    return align_replies({GOLDEN.id: read_reply({"passages": list(passages)})}, [GOLDEN], corpus, {})


def ids(corpus: Corpus, *passages: Any) -> list[str]:
    return [hit.id for hit in placed(corpus, *passages).hits[GOLDEN.id]]


def test_a_text_in_several_places_counts_where_the_evidence_is(corpus: Corpus) -> None:
    assert ids(corpus, COPIED) == [f"{ONE.id}:16-{16 + len(COPIED)}"]


def test_a_text_in_a_named_document_counts_there(corpus: Corpus) -> None:
    for name in (OTHER.id, "two/one.md", "/data/two/one.md", "Doubts"):
        assert ids(corpus, {"text": COPIED, "document": name}) == [f"{OTHER.id}:0-{len(COPIED)}"]
    # both are called one.md, so the name says nothing
    assert ids(corpus, {"text": COPIED, "document": "one.md"}) == [f"{ONE.id}:16-{16 + len(COPIED)}"]


def test_offsets_are_taken_as_they_are(corpus: Corpus) -> None:
    assert ids(corpus, {"document": "tea.md", "start": 5, "end": 9}) == [f"{TEA.id}:5-9"]
    assert ids(corpus, {"id": f"{TEA.id}:5-9"}) == [f"{TEA.id}:5-9"]
    assert ids(corpus, {"document": "tea.md"}) == [f"{TEA.id}:0-{len(TEA.text)}"]


@pytest.mark.parametrize(
    ("passage", "reason"),
    [
        ({"document": "tea.md", "start": 50, "end": 99}, "document 'tea.md' has no characters 50 to 99"),
        ({"document": "one.md", "start": 0, "end": 9}, "no document, or more than one, is called 'one.md'"),
        ({"id": "c-17"}, "id 'c-17' is no doc_id:start-end of these documents"),
        ("Coffee is roasted, ground and brewed at a higher temperature.", "the documents do not have this text"),
    ],
)
def test_what_is_in_no_document_is_counted_with_the_reason(corpus: Corpus, passage: Any, reason: str) -> None:
    found = placed(corpus, COPIED, passage)
    assert (found.external.passages, found.external.unaligned, found.external.unaligned_queries) == (2, 1, 1)
    assert found.external.examples[0].reason.startswith(reason)
    assert found.hits[GOLDEN.id][1].id.startswith("unaligned-")


def test_a_title_put_in_front_takes_room_and_is_no_doubt(corpus: Corpus) -> None:
    title = "Rules of the year 1620, part one:"
    found = placed(corpus, f"{title} {COPIED}")
    added, place = found.hits[GOLDEN.id][0].id.split("+")
    assert place == f"{ONE.id}:16-{16 + len(COPIED)}"
    assert added.startswith("added:0-")
    assert found.external.unaligned == 0
    assert found.external.alignment == pytest.approx(len(COPIED) / (len(title) + len(COPIED)), abs=0.05)


def test_a_passage_of_which_little_is_found_counts_there_and_is_in_doubt(corpus: Corpus) -> None:
    more = "Coffee is roasted, ground and brewed at a higher temperature, and its grounds are good for the garden. " * 2
    found = placed(corpus, f"{COPIED} {more}")
    place, rest = found.hits[GOLDEN.id][0].id.split("+")
    assert place == f"{ONE.id}:16-{16 + len(COPIED)}"
    assert rest.startswith("unaligned-")
    assert found.external.unaligned == 1
