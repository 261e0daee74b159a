from pathlib import Path
from typing import Any

import pytest

from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Document
from ragset.settings import DocumentSettings
from tasks.documents import CorpusFile, corpus_names


def test_two_folders_of_one_name_are_two_corpora_with_one_name_to_show(tmp_path: Path) -> None:
    names = []
    for place in ("a", "b"):
        (tmp_path / place / "docs").mkdir(parents=True)
        names.append(corpus_names(DocumentSettings(sources=(str(tmp_path / place / "docs"),))))
    assert names[0][0] != names[1][0]
    assert [name for _, name in names] == ["docs", "docs"]


def test_a_corpus_keeps_its_key_while_its_documents_change(tmp_path: Path) -> None:
    settings = DocumentSettings(sources=(str(tmp_path),))
    before = corpus_names(settings)
    (tmp_path / "new.txt").write_text("new")
    assert corpus_names(settings) == before


def test_a_name_that_is_given_stands_for_both() -> None:
    assert corpus_names(DocumentSettings(sources=("x",), corpus="clocks")) == ("clocks", "clocks")


def test_addresses_and_odd_names_become_names_that_milvus_takes() -> None:
    key, name = corpus_names(DocumentSettings(sources=("https://example.org/a%20b/ü.html?x=1", "/")))
    assert all(character.isascii() and (character.isalnum() or character == "-") for character in key)
    assert name


@pytest.mark.parametrize("given", ["", "clocks"])
def test_documents_that_are_cleaned_otherwise_are_another_corpus_of_the_same_name(given: str) -> None:
    plain, cut = (
        corpus_names(DocumentSettings(sources=("x",), corpus=given, drop_references=drop)) for drop in (False, True)
    )
    assert plain[0] != cut[0]
    assert cut[0].startswith(plain[0])
    assert plain[1] == cut[1]


@pytest.mark.parametrize("settings", [{"timeout": 3.0}, {"max_bytes": 1_000}, {"allow_private_hosts": True}])
def test_how_documents_are_fetched_makes_no_other_corpus(settings: dict[str, Any]) -> None:
    plain = DocumentSettings(sources=("x",))
    assert corpus_names(plain.model_copy(update=settings)) == corpus_names(plain)


def test_a_corpus_whose_file_has_other_documents_by_now_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    corpus = Corpus.write(path, [Document.of("Green tea.", source="a.txt")])
    file = CorpusFile(key="tea", name="tea", path=path, hash=corpus.hash, documents=1, characters=10, failures=())
    assert file.open().ids == corpus.ids
    Corpus.write(path, [Document.of("Black tea.", source="a.txt")])
    with pytest.raises(InputError, match=r"corpus\.jsonl: has other documents now .* run the same command again"):
        file.open()
