"""A fall since the results that stood in the folder before is one by more than the noise between documents."""

import logging
from pathlib import Path
from typing import Any

import pytest

from ragset.dataset.importers import Unaligned
from ragset.evaluation.results.folder import read_results
from ragset.evaluation.results.model import RetrievalResult, System
from ragset.models import Document, Span
from tasks.documents import CorpusFile
from tasks.goldens import DATASET, TestSet
from tasks.results import ResultsSummary, SystemResult, write_benchmark
from tasks.systems import ScoreResult
from tests.small_dataset import corpus_of, golden_of

DOCUMENTS = tuple(
    Document.of(f"Tea number {number} is steeped for two minutes.", source=f"{number}") for number in range(12)
)
EACH = 10
PROBLEMS = tuple(Unaligned(where=f"set.csv: line {line}", reason="has no question") for line in range(2, 14))


@pytest.fixture
def test_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TestSet:
    monkeypatch.setattr("tasks.results.get_run_logger", lambda: logging.getLogger("tasks"))
    corpus = corpus_of(tmp_path, *DOCUMENTS)
    goldens = tuple(
        golden_of(f"How long, {number} of {document.id}?").model_copy(
            update={"evidence": (Span(doc_id=document.id, start=0, end=9),), "metadata": {DATASET: "teas"}}
        )
        for document in DOCUMENTS
        for number in range(EACH)
    )
    file = CorpusFile(
        key="k", name="teas", path=corpus.path, hash=corpus.hash, documents=12, characters=500, failures=()
    )
    return TestSet(datasets=("teas",), goldens=goldens, corpus=file, problems=PROBLEMS)


async def written(folder: Path, test_set: TestSet, lost: set[int], **more: Any) -> ResultsSummary:
    """Of one system that loses the goldens of these numbers."""
    rows = tuple((golden.id, "mrr", float(place not in lost), None) for place, golden in enumerate(test_set.goldens))
    measured = SystemResult(
        system=System(name="prod"), ranked=RetrievalResult(hits={}), scored=(ScoreResult(rows=rows),)
    )
    return await write_benchmark.fn(str(folder), [measured], test_set, {"seed": 0}, "mrr", "", **more)


async def test_two_documents_lost_of_twelve_are_no_fall_and_as_many_goldens_of_all_are(
    tmp_path: Path, test_set: TestSet
) -> None:
    assert (await written(tmp_path / "out", test_set, set())).changes == ()
    (change,) = (await written(tmp_path / "out", test_set, set(range(20)))).changes
    assert change.difference == pytest.approx(-1 / 6)
    assert not change.fell
    await written(tmp_path / "other", test_set, set())
    each = await written(tmp_path / "other", test_set, {*range(0, 120, EACH), *range(1, 96, EACH)})
    assert [change.configuration for change in each.fell] == ["prod"]


async def test_ten_problems_are_told_and_all_are_kept(tmp_path: Path, test_set: TestSet) -> None:
    summary = await written(tmp_path / "out", test_set, set(), basis="As it is.")
    assert (summary.problems, summary.first_problems) == (12, PROBLEMS[:10])
    assert summary.primary_basis == "As it is."
    kept = read_results(tmp_path / "out").benchmark
    assert (kept.problems, kept.primary_basis) == (PROBLEMS, "As it is.")
    assert "As it is." in (tmp_path / "out" / "report.html").read_text()
