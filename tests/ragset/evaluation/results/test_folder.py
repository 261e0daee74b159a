"""A folder of results, written and read again."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from ragset.dataset.importers import Unaligned
from ragset.errors import InputError
from ragset.evaluation.results.folder import read_results
from ragset.evaluation.results.model import Results, Standing, System
from ragset.evaluation.results.writing import write_results
from ragset.retrieval.fusion import Hit
from tests.small_dataset import TEA, corpus_of, golden_of

GOLDENS = (golden_of(), golden_of("=cmd|' /C calc'!A0?"))


def results(folder: Path) -> Results:
    rows = [
        (name, golden.id, "mrr", value) for name, value in (("a / dense", 1.0), ("b / bm25", 0.5)) for golden in GOLDENS
    ]
    return Results(
        name="teas",
        datasets=("d",),
        corpus=corpus_of(folder / "corpus"),
        goldens=GOLDENS,
        systems=(System(name="a / dense", chunking="recursive"), System(name="b / bm25")),
        runs={"a / dense": {GOLDENS[0].id: [Hit("d:0-5", 0.5), Hit("d:5-9", 0.25)]}},
        answers={"a / dense": {GOLDENS[0].id: None, GOLDENS[1].id: "80"}},
        scores=pd.DataFrame(rows, columns=["configuration", "golden", "metric", "value"]),
        standings=(
            Standing(configuration="a / dense", metric="mrr", mean=1.0, low=1.0, high=1.0, n=2),
            Standing(configuration="b / bm25", metric="mrr", mean=0.5, low=0.4, high=0.6, n=2),
        ),
        comparisons=(),
        primary="mrr",
        baseline="",
    )


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    given = results(tmp_path)
    write_results(tmp_path / "out", given, "<html>")
    found = read_results(tmp_path / "out")
    assert found.benchmark.standings == given.standings
    assert found.benchmark.systems == given.systems
    pd.testing.assert_frame_equal(found.scores, given.scores, check_dtype=False)
    assert (tmp_path / "out" / "report.html").read_text() == "<html>"


def test_runs_are_in_trec_format(tmp_path: Path) -> None:
    write_results(tmp_path / "out", results(tmp_path), "")
    names = read_results(tmp_path / "out").benchmark.runs
    assert names == {"a / dense": "runs/01-a-dense.trec", "b / bm25": "runs/02-b-bm25.trec"}
    lines = (tmp_path / "out" / names["a / dense"]).read_text().splitlines()
    assert lines == [f"{GOLDENS[0].id} Q0 d:0-5 1 0.500000 a-dense", f"{GOLDENS[0].id} Q0 d:5-9 2 0.250000 a-dense"]


def test_a_query_starts_no_formula(tmp_path: Path) -> None:
    write_results(tmp_path / "out", results(tmp_path), "")
    table = (tmp_path / "out" / "per_query.csv").read_text(encoding="utf-8-sig")
    assert ",'=cmd" in table
    assert ",=cmd" not in table


def test_results_are_replaced_whole_and_nothing_else_is(tmp_path: Path) -> None:
    write_results(tmp_path / "out", results(tmp_path), "one")
    write_results(tmp_path / "out", results(tmp_path), "two")
    assert (tmp_path / "out" / "report.html").read_text() == "two"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="holds something else"):
        write_results(tmp_path / "mine", results(tmp_path), "")


def test_a_folder_without_results_or_with_damaged_ones_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"benchmark\.json is missing"):
        read_results(tmp_path)
    write_results(tmp_path / "out", results(tmp_path), "")
    (tmp_path / "out" / "results.parquet").write_bytes(b"not parquet")
    with pytest.raises(InputError, match="a file is damaged"):
        read_results(tmp_path / "out")


def test_the_manifest_says_how_many_goldens_no_metric_of_retrieval_counts(tmp_path: Path) -> None:
    given = results(tmp_path)
    nobody = GOLDENS[1].model_copy(update={"kind": "unanswerable", "answer": None, "evidence": ()})
    write_results(tmp_path / "out", replace(given, goldens=(GOLDENS[0], nobody)), "<html>")
    found = read_results(tmp_path / "out").benchmark
    assert (found.goldens, found.unanswerable) == (2, 1)


def test_the_document_of_each_golden_is_read_again_and_stands_beside_its_query(tmp_path: Path) -> None:
    write_results(tmp_path / "out", results(tmp_path), "")
    assert read_results(tmp_path / "out").documents == {golden.id: TEA.id for golden in GOLDENS}
    table = pd.read_csv(tmp_path / "out" / "per_query.csv", encoding="utf-8-sig")
    assert list(table["document"]) == [TEA.id, TEA.id]
    scores = tmp_path / "out" / "results.parquet"
    pd.read_parquet(scores).drop(columns="document").to_parquet(scores, index=False)
    with pytest.raises(InputError, match="run the benchmark again"):
        read_results(tmp_path / "out")


def test_all_that_could_not_be_used_is_in_the_manifest(tmp_path: Path) -> None:
    problems = tuple(Unaligned(where=f"set.json: {place}", reason="is empty", text="Why?") for place in range(12))
    write_results(tmp_path / "out", replace(results(tmp_path), problems=problems, primary_basis="So."), "")
    found = read_results(tmp_path / "out").benchmark
    assert found.problems == problems
    assert found.primary_basis == "So."
