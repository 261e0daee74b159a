"""Files read by readers of LlamaIndex, in the process that reads files."""

import sys
from collections.abc import Generator
from typing import Any

import pytest
from pydantic import ValidationError

from ragset.documents import Reading, read_documents
from ragset.documents.pages import page_of
from ragset.settings import DocumentSettings, FileReader

READERS = """
from pathlib import Path
from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document


class Lines(BaseReader):
    def __init__(self, mark="", paged=False):
        self.mark, self.paged = mark, paged

    def load_data(self, file, extra_info=None):
        assert isinstance(file, Path) and file.suffix == ".odd", file
        lines = [line for line in file.read_text().splitlines() if line]
        pages = [{"page_label": str(n + 1)} if self.paged else {"row": n, "file_path": str(file), "odd": [1]} for n in range(len(lines))]
        return [Document(text=line + self.mark, metadata=page) for line, page in zip(lines, pages)]


class Fails(BaseReader):
    def load_data(self, file, extra_info=None):
        raise ZeroDivisionError("of theirs")
"""


@pytest.fixture(scope="module")
def read(one_process: None, tmp_path_factory: pytest.TempPathFactory) -> Generator[Any]:
    """Reads a folder of one odd file and one text with the reader named."""
    place = tmp_path_factory.mktemp("theirs")
    (place / "their_readers.py").write_text(READERS)
    folder = place / "docs"
    folder.mkdir()
    (folder / "first_one.odd").write_text("Green tea is bitter.\n\nWater boils at 100 °C.\n")
    (folder / "plain.txt").write_text("A plain text.")

    def reading(reader: str, **arguments: Any) -> Reading:
        named = FileReader(extension=".odd", llamaindex=reader, arguments=arguments)
        return read_documents(DocumentSettings(sources=(str(folder),), readers=(named,)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(place))
        patch.setattr(sys, "path", [str(place), *sys.path])
        yield reading


def test_each_document_of_a_reader_is_one_and_other_files_are_read_as_ever(read: Any) -> None:
    found = {one.sources[0]: one for one in read("their_readers:Lines", mark="!").documents}
    assert {source: one.text for source, one in found.items()} == {
        "first_one.odd:1": "Green tea is bitter.!",
        "first_one.odd:2": "Water boils at 100 °C.!",
        "plain.txt": "A plain text.",
    }
    assert found["first_one.odd:1"].metadata == {"row": 0}
    assert found["first_one.odd:1"].title == "first one"


def test_documents_that_are_pages_are_one_document_with_pages(read: Any) -> None:
    [one] = [one for one in read("their_readers:Lines", paged=True).documents if one.sources == ("first_one.odd",)]
    assert one.text == "Green tea is bitter.\n\nWater boils at 100 °C."
    assert page_of(one, one.text.index("Water")) == 2


@pytest.mark.parametrize(
    ("reader", "reason"),
    [
        ("their_readers:Fails", "failed (ZeroDivisionError: of theirs)"),
        ("EpubbReader", "there is no class EpubbReader"),
        ("json:JSONDecoder", "is no reader"),
    ],
)
def test_a_reader_that_cannot_read_is_a_failure_of_the_file_and_the_rest_is_read(
    read: Any, reader: str, reason: str
) -> None:
    found = read(reader)
    assert [one.sources for one in found.documents] == [("plain.txt",)]
    [failure] = found.failures
    assert failure.source == "first_one.odd"
    assert reason in failure.reason


def test_the_settings_of_a_reader_are_checked() -> None:
    with pytest.raises(ValidationError, match="extension"):
        FileReader(extension="epub", llamaindex="EpubReader")
    with pytest.raises(ValidationError, match="module:Class"):
        FileReader(extension=".epub", llamaindex="not a class")
