"""Passages that other programs extracted, found again."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragset.dataset.alignment.passages import Passage, align_passages
from ragset.documents import read_documents
from ragset.documents.corpus import Corpus
from ragset.models import Document, Span
from ragset.settings import DocumentSettings
from tests.small_dataset import TEA, corpus_of

EXAMPLES = Path(__file__).parents[4] / "examples" / "corpus"
CHINESE = Document.of(
    "水钟是一种利用水流来计量时间的仪器。古代埃及和巴比伦都使用过水钟。在中国，漏刻由专门的官员看管，"
    "他们在夜里敲鼓报时。宋代的苏颂建造了一座高大的水运仪象台，用水轮驱动，每刻有木人出来报时。"
    "后来机械钟传入，水钟逐渐被废弃不用，但在一些地方仍然保留着。",
    source="clock.zh.txt",
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    documents = read_documents(DocumentSettings(sources=(str(EXAMPLES),))).documents
    return corpus_of(tmp_path_factory.mktemp("corpus"), *documents, CHINESE)


def one_place(text: str, corpus: Corpus, document: str = "") -> tuple[Span, ...]:
    places = align_passages([Passage(text, document)], corpus)[Passage(text, document)].places
    assert len(places) == 1
    return places[0]


def small(tmp_path: Path, *documents: Document) -> Corpus:
    return corpus_of(tmp_path / "corpus", *documents)


def test_a_number_put_before_a_list_item_costs_nothing(tmp_path: Path) -> None:
    corpus = small(tmp_path, Document.of("Steps\n\n1. Wind the clock once a week.\n2. Oil it once a year.", source="a"))
    text = "Steps Wind the clock once a week. Oil it once a year."
    found = align_passages([Passage(text)], corpus)[Passage(text)]
    # all 41 letters of the passage, in one place that holds the numbers too
    assert found.score == 1.0
    assert [(span.start, span.end) for span in found.places[0]] == [(0, 60)]


def test_a_title_glued_in_front_is_left_out(corpus: Corpus) -> None:
    document = max(corpus, key=lambda one: len(one.text))
    part = document.text[300:700]
    prefix = "This chunk is from an encyclopaedia and describes what its reader should know before anything else: "
    found = align_passages([Passage(prefix + part)], corpus)[Passage(prefix + part)]
    assert found.score == pytest.approx(len(part) / (len(part) + len(prefix)), abs=0.05)
    [span] = found.places[0]
    assert abs(span.start - 300) <= 8
    assert abs(span.end - 700) <= 8
    assert found.before > 60
    assert found.beside <= 8


def test_two_far_parts_of_a_document_are_two_spans(corpus: Corpus) -> None:
    document = max(corpus, key=lambda one: len(one.text))
    first, second = document.text[100:400], document.text[2000:2300]
    spans = one_place(f"{first} … {second}", corpus)
    assert [span.doc_id for span in spans] == [document.id] * 2
    assert [abs(span.start - at) <= 3 for span, at in zip(spans, (100, 2000), strict=True)] == [True, True]


def test_parts_of_two_documents_are_a_span_each(corpus: Corpus) -> None:
    one, other = [document for document in corpus if document.id != CHINESE.id][:2]
    spans = one_place(f"{one.text[100:400]} {other.text[100:400]}", corpus)
    assert [span.doc_id for span in spans] == [one.id, other.id]


COPIED = "The night watchman wound the clock, oiled its wheels and wrote both into the book that lay beside it."


def test_a_text_in_several_places_has_all_of_them_and_the_named_document_only_its_own(tmp_path: Path) -> None:
    one = Document.of(f"A rule of 1620. {COPIED} So it stayed.", source="one.md")
    other = Document.of(f"{COPIED} Nobody knows why.", source="other.md")
    corpus = small(tmp_path, one, other)
    both = align_passages([Passage(COPIED)], corpus)[Passage(COPIED)].places
    assert {spans[0].doc_id for spans in both} == {one.id, other.id}
    for document in (one, other):
        assert one_place(COPIED, corpus, document.id)[0].doc_id == document.id


def test_a_named_document_that_lacks_the_text_does_not_hide_where_it_stands(tmp_path: Path) -> None:
    holds = Document.of(f"{COPIED} So it stayed.", source="one.md")
    corpus = small(tmp_path, holds, TEA)
    assert one_place(COPIED, corpus, TEA.id)[0].doc_id == holds.id


@pytest.mark.parametrize("text", ["", "---", "​", "bitter"])
def test_a_passage_of_few_letters_stands_nowhere(text: str, tmp_path: Path) -> None:
    assert align_passages([Passage(text)], small(tmp_path, TEA))[Passage(text)].places == ()


def test_ligatures_quotes_and_soft_hyphens_are_no_difference(tmp_path: Path) -> None:
    text = "The official said: “A five-minute delay isn't difficult to find in the café's first office file.”"
    corpus = small(tmp_path, Document.of(text, source="a.md"))
    given = text.replace("fi", "\ufb01").replace("“", '"').replace("”", '"').replace("minute", "min\u00adute")
    [span] = one_place(given.replace("é", "e\u0301").replace("ﬁnd", "fi-\nnd"), corpus)
    assert (span.start, span.end) == (0, len(text))


def perturbed(text: str, draw: random.Random) -> str:
    """As another program might have extracted it: about one letter in fifty is another one, is gone, or is there twice."""
    text = "".join(_edited(character, draw) for character in text)
    words = re.split(r"\s+", text)
    lines = ["- " + words[0] if draw.random() < 0.3 else words[0]]
    for word in words[1:]:
        gap = draw.choice([" ", " ", " ", " ", "  ", "\n", "\n- ", " * ", " " if draw.random() < 0.5 else "\n3. "])
        if len(word) > 6 and draw.random() < 0.1:
            word = f"{word[:3]}-\n{word[3:]}"
        lines.append(gap + (word.upper() if draw.random() < 0.1 else word))
    return "".join(lines)


def _edited(character: str, draw: random.Random) -> str:
    if not character.isalpha() or draw.random() > 0.02:
        return character
    return draw.choice(["", character * 2, "x"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**9))
def test_a_perturbed_passage_lies_where_it_was_cut(corpus: Corpus, seed: int) -> None:
    draw = random.Random(seed)
    document = draw.choice(list(corpus))
    length = draw.randrange(60 if document.id == CHINESE.id else 200, 800)
    start = draw.randrange(0, max(1, len(document.text) - length))
    true = Span(doc_id=document.id, start=start, end=min(len(document.text), start + length))
    spans = one_place(perturbed(corpus.text(true), draw), corpus)
    shared = sum(span.overlap(true) for span in spans)
    covered = max(span.end for span in spans) - min(span.start for span in spans)
    assert shared > 0.9 * (true.end - true.start)
    assert shared > 0.9 * covered


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**9))
def test_a_passage_of_another_text_lies_nowhere(corpus: Corpus, seed: int) -> None:
    draw = random.Random(seed)
    # Words of the documents themselves, in an order of chance: every word is there, and no sentence.
    words = [word for document in corpus if document.id != CHINESE.id for word in document.text.split()]
    text = " ".join(draw.choice(words) for _ in range(120))
    assert align_passages([Passage(text)], corpus)[Passage(text)].places == ()


@pytest.mark.parametrize(
    "text",
    [
        "In the middle of the nineteenth century the railway companies of the valley agreed on a common fare, and "
        "at the end of the year every station had a printed table on its wall.",
        "茶叶在高温下会变苦，因此绿茶应当用八十度左右的水冲泡，时间不宜超过两分钟，否则味道就会变得苦涩难以入口。",
    ],
)
def test_a_sentence_of_another_subject_lies_nowhere(corpus: Corpus, text: str) -> None:
    assert align_passages([Passage(text)], corpus)[Passage(text)].places == ()


def test_a_cut_document_is_placed_whatever_the_cut(corpus: Corpus) -> None:
    wanted = {
        Passage(document.text[at : at + 400]): Span(doc_id=document.id, start=at, end=min(len(document.text), at + 400))
        for document in corpus
        for at in range(0, len(document.text) - 50, 400)
    }
    found = align_passages(list(wanted), corpus)
    lost = [
        true.id for passage, true in wanted.items() if not any(_covers(spans, true) for spans in found[passage].places)
    ]
    assert lost == []


def _covers(spans: tuple[Span, ...], true: Span) -> bool:
    return sum(span.overlap(true) for span in spans) >= 0.95 * (true.end - true.start)


def test_a_frequent_passage_still_lies_in_the_document_that_is_named(tmp_path: Path) -> None:
    documents = [Document.of(f"{COPIED} Copy {number}.", source=f"{number}.md") for number in range(70)]
    corpus = small(tmp_path, *documents)
    assert one_place(COPIED, corpus, corpus.ids[-1])[0].doc_id == corpus.ids[-1]
