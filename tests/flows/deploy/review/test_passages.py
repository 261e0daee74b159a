from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.deploy.review.near import NearPassages
from flows.deploy.review.passages import MOST, Passages
from ragset.errors import InputError
from ragset.models import Document, Span
from tests.small_dataset import corpus_of

CLOCK = Document.of("The 🕰️ struck. " * 400 + "ÁÉ ends.", source="clock.md", title="Clock")


@settings(deadline=None)
@given(st.data())
def test_a_window_is_the_text_of_its_span_and_holds_what_it_was_made_for(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    corpus = corpus_of(tmp_path_factory.mktemp("c"), CLOCK)
    start = data.draw(st.integers(0, len(CLOCK.text) - 1))
    span = Span(doc_id=CLOCK.id, start=start, end=data.draw(st.integers(start + 1, len(CLOCK.text))))
    (window,) = Passages(corpus).around([span], data.draw(st.integers(0, 300)))
    assert window["start"] <= span.start
    assert span.end <= window["end"]
    assert window["text"] == CLOCK.text[window["start"] : window["end"]]
    assert window["length"] == len(CLOCK.text)


def test_windows_that_meet_are_one_and_begin_at_words(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, CLOCK)
    near = [Span(doc_id=CLOCK.id, start=start, end=start + 5) for start in (1000, 1100, 3000)]
    first, second = Passages(corpus).around(near, 100)
    assert (first["start"] <= 900 + 40, first["end"] >= 1105) == (True, True)
    assert CLOCK.text[first["start"] - 1] == CLOCK.text[second["start"] - 1] == " "
    assert CLOCK.text[first["end"]] == CLOCK.text[second["end"]] == " "


def test_no_window_is_longer_than_an_answer_may_be(tmp_path: Path) -> None:
    long = Document.of("Tick tock. " * 5000, source="long.md")
    passages = Passages(corpus_of(tmp_path, long))
    assert len(passages.window(Span(doc_id=long.id, start=10, end=50_000))["text"]) == MOST
    with pytest.raises(InputError, match="ends before"):
        passages.window(Span(doc_id=long.id, start=60_000, end=60_010))


def test_near_passages_are_the_best_for_the_query_without_those_that_are_marked(tmp_path: Path) -> None:
    texts = ["A foliot swings in the tower.", "Foliot, foliot: the tower has one foliot.", "Bread rises slowly."]
    documents = [Document.of(text, source=f"{number}.md") for number, text in enumerate(texts)]
    near = NearPassages(corpus_of(tmp_path, *documents))
    whole = [Span(doc_id=one.id, start=0, end=len(one.text)) for one in documents]
    # The second says it three times; nothing in the third stands in the query.
    assert near.search("foliot", ()) == [whole[1], whole[0]]
    assert near.search("foliot", (Span(doc_id=documents[1].id, start=3, end=4),)) == [whole[0]]
    assert near.search("zeppelin", ()) == []
