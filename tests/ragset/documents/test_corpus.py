import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Document, Span

A = Document.of("Tower clocks strike.", source="a.txt", title="A", metadata={"year": 1656})
B = Document.of("Die Uhr schlägt 🕛\u2028zwölf.\u0085", source="b.txt")
C = Document.of("Sundials do not.", source="c.txt", title='C\n"C"')

SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
METADATA: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    st.text(max_size=8),
    SCALARS | st.lists(SCALARS, max_size=3) | st.dictionaries(st.text(max_size=5), SCALARS, max_size=3),
)
DOCUMENTS = st.lists(
    st.builds(
        lambda text, source, title, metadata: Document.of(text, source=source, title=title, metadata=metadata),
        *(st.text(min_size=1, max_size=60), st.text(min_size=1, max_size=20), st.text(max_size=20), METADATA),
    ),
    max_size=8,
    unique_by=lambda document: document.id,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DOCUMENTS)
def test_what_is_written_is_read_again(tmp_path: Path, documents: list[Document]) -> None:
    path = tmp_path / "corpus.jsonl"
    written = Corpus.write(path, documents)
    opened = Corpus.open(path)
    expected = sorted(documents, key=lambda document: document.id)
    assert list(opened) == list(written) == expected
    assert opened.ids == tuple(document.id for document in expected)
    assert [opened[document.id] for document in documents] == documents
    assert len(opened) == len(documents)


def test_lines_are_as_defined(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    Corpus.write(path, [A])
    digest = hashlib.sha256(b"Tower clocks strike.").hexdigest()[:16]
    assert path.read_text() == (
        f'{{"id": "{digest}", "text": "Tower clocks strike.", "sources": ["a.txt"], "title": "A", '
        '"metadata": {"year": 1656}}\n'
    )


def test_the_file_and_its_hash_do_not_depend_on_the_order_of_documents(tmp_path: Path) -> None:
    one, other = Corpus.write(tmp_path / "1.jsonl", [A, B, C]), Corpus.write(tmp_path / "2.jsonl", [C, A, B])
    assert one.path.read_bytes() == other.path.read_bytes()
    assert one.hash == other.hash == hashlib.sha256("\n".join(sorted([A.id, B.id, C.id])).encode()).hexdigest()[:16]
    assert one.hash != Corpus.write(tmp_path / "3.jsonl", [A, B]).hash


def test_a_text_that_comes_again_adds_its_sources(tmp_path: Path) -> None:
    again = A.model_copy(update={"sources": ("0.txt", "z.txt"), "title": "Another"})
    written = Corpus.write_by_content(tmp_path, iter([A, B, again]))
    assert written[A.id] == A.model_copy(update={"sources": ("0.txt", "a.txt", "z.txt")})
    assert written.characters == len(A.text) + len(B.text)
    assert written.path == tmp_path / f"{hashlib.sha256(written.path.read_bytes()).hexdigest()[:16]}.jsonl"


def test_spans_are_characters_of_a_document(tmp_path: Path) -> None:
    corpus = Corpus.write(tmp_path / "corpus.jsonl", [A, B])
    assert corpus.text(Span(doc_id=B.id, start=8, end=17)) == "schlägt 🕛"
    assert corpus.text(Span(doc_id=A.id, start=0, end=20)) == A.text
    with pytest.raises(InputError, match="ends before"):
        corpus.text(Span(doc_id=A.id, start=0, end=21))


def test_a_document_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    corpus = Corpus.write(tmp_path / "corpus.jsonl", [A])
    assert A.id in corpus
    assert B.id not in corpus
    with pytest.raises(InputError, match=f"there is no document {B.id}"):
        corpus[B.id]


@pytest.mark.parametrize("bad", ["{", "", '{"id": "x"}', "[]", '{"id": "x", "text": "a", "sources": [], "more": 1}'])
def test_a_bad_line_is_named(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "corpus.jsonl"
    Corpus.write(path, [A, B])
    path.write_text(path.read_text() + bad + "\n")
    with pytest.raises(InputError, match=r"corpus\.jsonl: line 3 is not a document"):
        Corpus.open(path)


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(b'{"id": "\xff"}\n')
    with pytest.raises(InputError, match="line 1 is not a document"):
        Corpus.open(path)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"corpus\.jsonl: cannot be read"):
        Corpus.open(tmp_path / "corpus.jsonl")


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    Corpus.write(path, [A])
    before = path.read_bytes()
    lone = Document(id="0" * 16, text="half \ud800", sources=("x",))
    with pytest.raises(UnicodeEncodeError):
        Corpus.write(path, [B, lone])
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["corpus.jsonl"]


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        Corpus.write(tmp_path / "no" / "corpus.jsonl", [A])


def test_numbers_of_any_size_are_kept(tmp_path: Path) -> None:
    document = Document.of("x", source="x", metadata={"large": 10**40, "small": -0.1, "deep": [[1], {"a": [2]}]})
    corpus = Corpus.write(tmp_path / "corpus.jsonl", [document])
    assert corpus[document.id] == document
    assert json.loads(corpus.path.read_text())["metadata"]["large"] == 10**40


def test_a_file_that_is_replaced_meanwhile_is_still_read_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    corpus = Corpus.write(path, [A, B])
    Corpus.write(path, [C])
    assert [corpus[A.id], corpus[B.id]] == [A, B]
    assert list(corpus) == sorted([A, B], key=lambda document: document.id)
    corpus.copy(tmp_path / "copy.jsonl")
    assert Corpus.open(tmp_path / "copy.jsonl").hash == corpus.hash


def test_another_document_in_the_place_of_one_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    one, other = Document.of("Sundials do.", source="a.txt"), Document.of("Sundials no.", source="a.txt")
    corpus = Corpus.write(path, [one])
    path.write_bytes(path.read_bytes().replace(one.id.encode(), other.id.encode()).replace(b"do.", b"no."))
    with pytest.raises(InputError, match=r"corpus\.jsonl: was changed while a run read it; run the same"):
        corpus.text(Span(doc_id=one.id, start=0, end=8))
    with pytest.raises(InputError, match="was changed"):
        corpus.copy(tmp_path / "copy.jsonl")
