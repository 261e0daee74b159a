import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragset.dataset.exporters import EXPORTERS, PARTS, ExportSet, export, exporter
from ragset.errors import InputError
from tests.small_dataset import corpus_of, golden_of, write_small


@pytest.fixture
def given(tmp_path: Path) -> ExportSet:
    write_small(tmp_path / "demo", corpus_of(tmp_path), [golden_of()])
    return ExportSet.read(tmp_path / "demo")


@pytest.fixture
def titles() -> Iterator[None]:
    @exporter("titles", "the titles of documents", keeps=["documents"])
    def write(given: ExportSet, folder: Path) -> dict[str, int]:
        (folder / "titles.txt").write_text("\n".join(one.title for one in given.documents.values()))
        return {"texts": len(given.documents)}

    yield
    del EXPORTERS["titles"]


@pytest.mark.usefixtures("titles")
def test_a_format_added_in_one_place_is_written_and_its_losses_are_counted(given: ExportSet, tmp_path: Path) -> None:
    done = export(given, "titles", str(tmp_path / "out"))
    assert (tmp_path / "out" / "titles.txt").read_text() == "Tea"
    # What the golden has and the format has no place for, and what the function says itself.
    lost = dict.fromkeys(("queries", "answers", "evidence", "spans", "labels", "scores", "lineage"), 1)
    assert done.lost == {**lost, "texts": 1}
    facts = json.loads((tmp_path / "out" / "export.json").read_text())
    assert (facts["to"], facts["dataset"], facts["goldens"], facts["lost"]) == ("titles", "demo", 1, done.lost)


@pytest.mark.usefixtures("titles")
def test_an_earlier_export_is_replaced_and_nothing_else_is(given: ExportSet, tmp_path: Path) -> None:
    for _ in range(2):
        export(given, "titles", str(tmp_path / "out"))
    with pytest.raises(InputError, match="holds something else than an export"):
        export(given, "titles", str(tmp_path / "demo"))
    with pytest.raises(InputError, match=r"is a folder, and jsonl is one file; name a file that ends in \.jsonl"):
        export(given, "jsonl", str(tmp_path / "out"))


def test_a_failed_export_leaves_the_file_as_it_was(given: ExportSet, tmp_path: Path) -> None:
    path = tmp_path / "out.broken"
    path.write_text("before")

    @exporter("broken", "half a file", keeps=[], ending=".broken")
    def write(given: ExportSet, path: Path) -> None:
        path.write_text("half")
        raise InputError("no more")

    try:
        with pytest.raises(InputError, match="no more"):
            export(given, "broken", str(path))
    finally:
        del EXPORTERS["broken"]
    assert path.read_text() == "before"
    assert {one.name for one in tmp_path.iterdir()} == {"demo", "given.jsonl", "out.broken"}


def test_results_are_for_formats_that_take_them(given: ExportSet, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="jsonl takes no results of a benchmark"):
        export(ExportSet.read(tmp_path / "demo", results=tmp_path), "jsonl", str(tmp_path / "out.jsonl"))
    with pytest.raises(InputError, match="export formats: there is no nowhere; choose from"):
        export(given, "nowhere", str(tmp_path / "out"))


def test_what_an_upload_needs_is_said_before_the_work(given: ExportSet) -> None:
    @exporter("far", "a dataset there", keeps=[], uploads=True, package="no_such_package")
    def write(given: ExportSet, name: str) -> None: ...

    try:
        with pytest.raises(InputError, match=r"needs no_such_package: pip install 'ragset\[no_such_package\]'"):
            export(given, "far", "demo")
    finally:
        del EXPORTERS["far"]


def test_no_format_names_a_part_that_is_unknown() -> None:
    with pytest.raises(ValueError, match="exporter odd: smell is no part"):
        exporter("odd", "?", keeps=["queries", "smell"])
    assert all({*one.keeps, *one.loses} == {*PARTS} for one in EXPORTERS.values())


def test_the_docs_have_every_format() -> None:
    page = (Path(__file__).parents[4] / "docs" / "formats.md").read_text(encoding="utf-8")
    assert [one.name for one in EXPORTERS.values() if f"| `{one.name}` | {one.is_} |" not in page] == []
