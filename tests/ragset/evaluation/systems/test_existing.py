"""Chunks that another program cut, mapped onto the documents."""

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from ragset.documents.cleaning import clean_text
from ragset.documents.corpus import Corpus
from ragset.evaluation.results.model import RetrievalResult
from ragset.evaluation.systems.existing import MappedChunk, chunks_of, documents_of, map_chunks, searched_chunks
from ragset.models import Document, Span
from ragset.retrieval.existing import ExistingChunk
from ragset.retrieval.fusion import Hit
from tests.small_dataset import TEA, corpus_of

BITTER, STEEP = TEA.text[:35], TEA.text[36:]
COFFEE = Document.of(f"Coffee is made with water just off the boil. {STEEP} Then press it.", source="coffee.md")


def mapped(tmp_path: Path, *chunks: ExistingChunk) -> list[MappedChunk]:
    return map_chunks(chunks, corpus_of(tmp_path / "corpus", TEA, COFFEE))


def test_a_text_is_found_where_it_says_with_its_document_and_without(tmp_path: Path) -> None:
    found = mapped(
        tmp_path,
        ExistingChunk("at", BITTER, "tea.md", 0, 35),
        ExistingChunk("wrong offsets", STEEP, "/data/tea.md", 3, 29),
        ExistingChunk("named", STEEP, "coffee.md"),
        ExistingChunk("alone", "Coffee is made with  water\njust off the boil."),
        ExistingChunk("nowhere", "A submarine cable carries light between continents."),
    )
    assert [one.span for one in found] == [
        Span(doc_id=TEA.id, start=0, end=35),
        Span(doc_id=TEA.id, start=36, end=61),
        Span(doc_id=COFFEE.id, start=45, end=70),
        Span(doc_id=COFFEE.id, start=0, end=44),
        None,
    ]
    assert [one.id for one in found if one.reason] == ["nowhere"]


def test_a_text_that_stands_word_for_word_is_exactly_its_own_span_without_a_name_too(tmp_path: Path) -> None:
    # letters alone would take the signs that stand beside them, or leave those that stand apart
    marked = Document.of(
        "* * Black tea needs water that boils! (Four minutes are enough.) More is bitter.", source="b.md"
    )
    corpus = corpus_of(tmp_path / "corpus", TEA, marked)
    for start, end in ((0, 36), (4, 36), (39, 64)):
        (one,) = map_chunks([ExistingChunk("a", marked.text[start:end])], corpus)
        assert one.span == Span(doc_id=marked.id, start=start, end=end)


def test_two_chunks_at_one_place_are_two_hits_of_that_place(tmp_path: Path) -> None:
    one, other = mapped(tmp_path, ExistingChunk("a", BITTER, "tea.md"), ExistingChunk("b", BITTER.upper(), "tea.md"))
    assert one.place == f"{TEA.id}:0-35"
    assert other.place == f"{TEA.id}:0-35+added:1-2"
    assert one.span == other.span


def test_for_goldens_chunks_are_exact_spans_and_those_in_no_document_are_left_out_with_the_reason(
    tmp_path: Path,
) -> None:
    titled = ExistingChunk("titled", f"Tea: {BITTER}", "tea.md")
    corpus = corpus_of(tmp_path / "corpus", TEA, COFFEE)
    found = map_chunks([titled, ExistingChunk("none", "A submarine cable carries light.")], corpus)
    chunks, rejects = chunks_of(found, corpus)
    assert [(chunk.id, chunk.text, chunk.title) for chunk in chunks] == [(f"{TEA.id}:0-35", BITTER, "Tea")]
    assert [(one.stage, one.reason) for one in rejects] == [("chunk", "not_in_documents")]
    assert rejects[0].detail.startswith("none: ")


def test_a_search_is_over_the_texts_as_they_are_and_finds_places_under_their_own_ids(tmp_path: Path) -> None:
    titled = ExistingChunk("titled", f"Tea: {BITTER}", "tea.md")
    corpus = corpus_of(tmp_path / "corpus", TEA, COFFEE)
    again, empty = titled._replace(id="again"), ExistingChunk("empty", " ")
    of, chunks, left_out = searched_chunks(map_chunks([titled, again, empty], corpus))
    assert [chunk.text for chunk in chunks] == [titled.text]
    assert [(one.reason, one.detail) for one in left_out] == [
        ("repeated", "again: the same text as titled"),
        ("near_empty", "empty"),
    ]
    ranked = of.translated(RetrievalResult(hits={"g": (Hit(chunks[0].id, 2.5),)}))
    ((hit,),) = ranked.hits.values()
    assert hit.score == 2.5
    assert f"{TEA.id}:0-35" in hit.id.split("+")
    assert ranked.texts == {hit.id: titled.text}
    assert of.spans == [Span(doc_id=TEA.id, start=0, end=35)]


def test_without_documents_each_chunk_is_one_under_its_own_id(tmp_path: Path) -> None:
    chunks = [ExistingChunk("b", "Green tea.\r\n", "tea.md"), ExistingChunk("a", "Green tea."), ExistingChunk("c", "")]
    (document,) = documents_of(chunks)
    assert (document.text, document.title, document.sources) == ("Green tea.", "tea.md", ("a", "b"))
    assert [one.span for one in map_chunks(chunks, corpus_of(tmp_path / "corpus", document))] == [
        Span(doc_id=document.id, start=0, end=10),
        Span(doc_id=document.id, start=0, end=10),
        None,
    ]


@given(
    st.text(st.sampled_from("abcé中 .\n-"), min_size=1, max_size=80).map(clean_text).filter(bool),
    st.lists(st.integers(0, 80)),
)
def test_however_a_document_is_cut_each_chunk_is_found_with_its_very_text(text: str, cuts: list[int]) -> None:
    document = Document.of(text, source="one.md")
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[start:end] for start, end in pairwise(places)]
    chunks = [ExistingChunk(str(number), piece, "one.md") for number, piece in enumerate(pieces)]
    with TemporaryDirectory() as folder:
        corpus: Corpus = corpus_of(Path(folder), document)
        found = map_chunks(chunks, corpus)
        assert len({one.place for one in found}) == len(found) == len(chunks)
        for chunk, one in zip(chunks, found, strict=True):
            sought = clean_text(chunk.text)
            if sought and sought in text:
                assert one.span is not None
                assert corpus.text(one.span) == sought
