from pathlib import Path

from ragset.settings import DocumentSettings
from tasks.documents import corpus_names


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
