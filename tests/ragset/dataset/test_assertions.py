"""Corpus-wide goldens on disk, in tables, in exports, and as people review them."""

import json
from pathlib import Path

from ragset.dataset import problems, read_dataset
from ragset.dataset.exporters import EXPORTERS, ExportSet, export
from ragset.dataset.importers import read_goldens
from ragset.dataset.review.apply import apply_reviews
from ragset.dataset.review.records import Edit, Review
from ragset.models import Golden
from tests.small_dataset import TEA, corpus_of, corpus_wide_of, golden_of, write_small

WIDE = corpus_wide_of()


def test_a_dataset_gives_its_assertions_back_and_older_goldens_have_none(tmp_path: Path) -> None:
    write_small(tmp_path / "teas", corpus_of(tmp_path / "given", TEA), (WIDE,))
    read = read_dataset(tmp_path / "teas")
    assert read.goldens == (WIDE,)
    assert problems(read) == []
    older = {name: value for name, value in golden_of().model_dump().items() if name != "assertions"}
    assert Golden.model_validate(older).assertions == ()


def test_assertions_of_another_kind_of_golden_are_a_fault(tmp_path: Path) -> None:
    wrong = golden_of().model_copy(update={"assertions": WIDE.assertions})
    write_small(tmp_path / "teas", corpus_of(tmp_path / "given", TEA), (wrong,))
    (fault,) = problems(read_dataset(tmp_path / "teas"))
    assert "a corpus-wide golden, and no other, has assertions" in fault


def test_an_export_keeps_assertions_or_says_that_they_are_lost(tmp_path: Path) -> None:
    write_small(tmp_path / "teas", corpus_of(tmp_path / "given", TEA), (WIDE, golden_of()))
    given = ExportSet.read(tmp_path / "teas")
    assert "assertions" not in export(given, "jsonl", str(tmp_path / "out.jsonl")).lost
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    (row,) = [line for line in lines if line["kind"] == "corpus-wide"]
    assert [one["statement"] for one in row["assertions"]] == ["Heat makes it bitter.", "Time does too."]
    for one in EXPORTERS.values():
        if "assertions" not in one.keeps and not (one.uploads or one.results == "must"):
            assert export(given, one.name, str(tmp_path / f"{one.name}{one.ending}")).lost["assertions"] == 1


def test_the_table_beside_a_dataset_gives_them_back_and_one_alone_says_what_it_needs(tmp_path: Path) -> None:
    write_small(tmp_path / "teas", corpus_of(tmp_path / "given", TEA), (WIDE, golden_of()))
    assert read_goldens(tmp_path / "teas" / "goldens.csv").goldens == read_dataset(tmp_path / "teas").goldens
    alone = tmp_path / "goldens.csv"
    alone.write_bytes((tmp_path / "teas" / "goldens.csv").read_bytes())
    found = read_goldens(alone, documents=[TEA])
    assert [golden.query for golden in found.goldens] == [golden_of().query]
    assert "needs the dataset beside its table" in found.problems[0].reason


def test_people_may_correct_its_query_alone(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, TEA)
    said = {
        "id": "a-review-1",
        "time": "2026-11-23T12:00:00Z",
        "reviewer": "Anna",
        "item": WIDE.id,
        "kind": "golden",
        "guideline": "golden@1",
        "verdict": "good",
    }
    edits = [{"query": "What makes tea bitter?"}, {"answer": "Heat."}]
    done = [
        apply_reviews([WIDE], [Review.model_validate({**said, "edit": Edit.model_validate(edit)})], corpus)
        for edit in edits
    ]
    assert done[0].goldens[0].query == "What makes tea bitter?"
    assert done[0].goldens[0].assertions == WIDE.assertions
    assert "has assertions in place of an answer" in done[1].unapplied[0].why
