"""Where configurations fail in the report: counts in all and by label, and the claims' own table."""

from pathlib import Path

from ragset.evaluation.metrics.claims import Diagnosis, ReferenceClaim
from ragset.evaluation.results.folder import read_results
from ragset.evaluation.results.report import render_results
from ragset.evaluation.results.report.board import make_board
from ragset.evaluation.results.report.failures import failure_section
from ragset.evaluation.results.writing import write_results
from tests.small_results import standing_of, tea_results


def test_counts_add_up_and_labels_that_differ_have_a_table(tmp_path: Path) -> None:
    first, second = (golden.id for golden in tea_results(tmp_path).goldens)
    failures = {"fine": {first: "right", second: "reading"}, "coarse": {first: "retrieval"}}
    results = tea_results(tmp_path, failures=failures)
    section = failure_section(results, make_board(results))
    assert section is not None
    fine, coarse = section["rows"]
    assert fine.parts[:4] == (("right", 1, 50.0), ("retrieval", 0, 0.0), ("reranking", 0, 0.0), ("reading", 1, 50.0))
    assert (coarse.n, coarse.parts[1]) == (1, ("retrieval", 1, 100.0))
    # one golden is an exam question; of a configuration with one golden no label differs
    assert [entry.name for entry, _ in section["by_label"]] == ["fine"]
    assert section["claims"] == []
    assert "Where it fails" in render_results(results)
    assert "Where it fails" not in render_results(tea_results(tmp_path))


def test_claims_have_a_table_of_their_own_in_which_less_hallucination_leads(tmp_path: Path) -> None:
    first = tea_results(tmp_path).goldens[0].id
    results = tea_results(
        tmp_path,
        failures={"fine": {first: "right"}, "coarse": {first: "reading"}},
        standings=(
            standing_of("fine", 1.0),
            standing_of("coarse", 0.5),
            standing_of("fine", 0.1, "hallucination"),
            standing_of("coarse", 0.3, "hallucination"),
        ),
    )
    board = make_board(results)
    section = failure_section(results, board)
    assert section is not None
    assert section["metrics"] == ["hallucination"]
    assert "hallucination" not in board.metrics
    assert [board.leads(one) for _, (one,) in section["claims"] if one] == [True, False]


def test_single_goldens_and_counts_are_written_beside_the_report(tmp_path: Path) -> None:
    first = tea_results(tmp_path).goldens[0].id
    claim = ReferenceClaim(text="80 °C", vital=True, passages=(1,), answered=True)
    diagnoses = {"fine": {first: Diagnosis(passages=1, reference=(claim,), answer=())}}
    results = tea_results(tmp_path, failures={"fine": {first: "right"}}, diagnoses=diagnoses)
    write_results(tmp_path / "out", results, "")
    assert read_results(tmp_path / "out").benchmark.failures == {"fine": {"right": 1}}
    assert '"fails_at": "right"' in (tmp_path / "out" / "diagnosis.jsonl").read_text()
    assert "80 °C" in (tmp_path / "out" / "diagnosis.jsonl").read_text()
