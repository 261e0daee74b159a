import csv
import json
import time
from pathlib import Path
from typing import Any

import pytest

from ragset.documents import Reading, read_documents
from ragset.settings import DocumentSettings

ENDLESS = "a" + "\u0301\u0316" * 400_000
"""Marks that stand in the wrong order: sorting them into Unicode's takes time that grows with the square of their number."""
GIVEN_UP = "not read within 1 s; raise `read_timeout`, or split or mend the file"


def read(*sources: Path, **more: Any) -> Reading:
    return read_documents(DocumentSettings.model_validate({"sources": tuple(map(str, sources)), **more}))


def test_a_file_that_takes_too_long_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Before.")
    (tmp_path / "b.txt").write_text(ENDLESS)
    (tmp_path / "c.txt").write_text("After.")
    began = time.monotonic()
    reading = read(tmp_path, read_timeout=1)
    assert time.monotonic() - began < 60
    assert {document.text for document in reading.documents} == {"Before.", "After."}
    assert [(failure.source, failure.reason) for failure in reading.failures] == [("b.txt", GIVEN_UP)]


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv"])
def test_a_row_that_takes_too_long_is_named_and_ends_its_table_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / "z.txt").write_text("After.")
    texts = ("One.", "", "Two.", ENDLESS, "Three.")
    with (tmp_path / name).open("w") as file:
        if name.endswith(".csv"):
            csv.writer(file, lineterminator="\n").writerows([["text"], *([text] for text in texts)])
        else:
            file.writelines(json.dumps({"text": text}) + "\n" for text in texts)
    reading = read(tmp_path, read_timeout=1)
    assert {document.text for document in reading.documents} == {"One.", "Two.", "After."}
    first = 2 if name.endswith(".csv") else 1
    assert [(failure.source, failure.reason) for failure in reading.failures] == [
        (f"{name}:{first + 1}", "empty: no text in it"),
        (name, f"its rows from number 4 on: {GIVEN_UP}"),
    ]


def test_reading_that_is_not_finished_leaves_no_process(tmp_path: Path) -> None:
    from ragset.documents.isolated import Job, Readers

    path = tmp_path / "rows.jsonl"
    path.write_text('{"text": "One."}\n' * 100_000)
    before = _children()
    readers = Readers()
    rows = readers.read(Job(str(path), "rows.jsonl", ".jsonl", None, False, 1_000, "text", None, 60))
    assert next(rows).source == "rows.jsonl:1"
    (child,) = _children() - before
    rows.close()
    readers.close()
    assert child not in _children()


def _children() -> set[str]:
    return set(Path(f"/proc/self/task/{Path('/proc/thread-self').resolve().name}/children").read_text().split())
