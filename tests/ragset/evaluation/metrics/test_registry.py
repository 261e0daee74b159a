"""The names foretold are those that scoring gives; what is registered is scored and shown."""

import re
from collections.abc import Iterator, Set
from pathlib import Path

import pytest

from ragset.evaluation.metrics.registry import ALL_NEEDS, METRICS, Metric, Need, measurable, metric_names, register
from ragset.evaluation.results.report import render_results
from ragset.evaluation.scoring import score_answer, score_retrieval
from ragset.models import Span
from ragset.retrieval.fusion import Hit
from tests.small_dataset import golden_of
from tests.small_results import standing_of, tea_results

KNOWN = golden_of()
NOBODY = KNOWN.model_copy(update={"kind": "unanswerable", "answer": None, "evidence": ()})
SILENT = KNOWN.model_copy(update={"answer": ""})


def names(held: Set[Need], *, indexed: bool = True, answers: bool = False, judged: bool = False) -> set[str]:
    return set(metric_names(held, cutoffs=(2, 4), budgets=(30,), indexed=indexed, answers=answers, judged=judged))


def scored(*, indexed: bool) -> set[str]:
    run = {"g": [Hit("d:0-200", 1.0)]}
    gold = {"g": (((Span(doc_id="d", start=0, end=100),),),)}
    ids = ["d:0-200"] if indexed else None
    found = score_retrieval(run, gold, ids, cutoffs=(2, 4), budgets=(30,), tokens=lambda _: 20)
    return {score.metric for score in found} - {"gold_rank"}


def test_of_retrieval_they_are_those_that_scoring_gives() -> None:
    held = measurable([KNOWN])
    assert names(held) == scored(indexed=True)
    assert names(held, indexed=False) == scored(indexed=False)


def test_of_answers_they_are_those_that_scoring_gives_for_the_goldens_there_are() -> None:
    for goldens in ([KNOWN], [NOBODY], [SILENT], [KNOWN, NOBODY], [SILENT, NOBODY]):
        free = {metric for golden in goldens for metric in score_answer(golden, "80 degrees")}
        held = measurable(goldens)
        assert names(held, answers=True) - names(held) == free


def test_a_critic_adds_what_it_judges_and_nothing_without_answers() -> None:
    held = measurable([KNOWN])
    judged = {"correctness", "completeness", "conciseness", "faithfulness"}
    assert names(held, answers=True, judged=True) - names(held, answers=True) == judged
    assert names(held, judged=True) == names(held)
    assert names(measurable([SILENT]), answers=True, judged=True) - names(measurable([SILENT]), answers=True) == {
        "faithfulness"
    }


def test_goldens_without_evidence_have_no_metric_of_retrieval() -> None:
    assert names(measurable([NOBODY])) == set()
    assert names(measurable([NOBODY]), answers=True) == {"abstention"}


def test_without_cutoffs_there_is_what_needs_none() -> None:
    found = metric_names(ALL_NEEDS, cutoffs=(), budgets=(), indexed=True, answers=False, judged=False)
    assert found == ("mrr", "map")


@pytest.fixture
def added() -> Iterator[None]:
    register(Metric("early@{k}", "chunks", "precision that forgives late ones, at {k}", 30, measure="AP@{k}"))
    register(Metric("brief", "answer", "whether the answer has at most three words", 31, compute=_brief))
    yield
    del METRICS["early@{k}"], METRICS["brief"]


def _brief(answer: str) -> float:
    return float(len(answer.split()) <= 3)


@pytest.mark.usefixtures("added")
def test_a_metric_that_is_registered_is_scored_may_rank_and_is_in_the_report(tmp_path: Path) -> None:
    assert {"early@2", "early@4"} <= scored(indexed=True)
    assert score_answer(KNOWN, "at 80 degrees")["brief"] == 1.0
    assert {"early@2", "brief"} <= names(measurable([KNOWN]), answers=True)
    results = tea_results(tmp_path, standings=(standing_of("fine", 0.9), standing_of("fine", 0.5, "early@4")))
    page = render_results(results)
    assert 'title="precision that forgives late ones, at 4">early@4</th>' in page
    assert "<code>early@4</code></th><td>Precision that forgives late ones, at 4.</td>" in page


def test_the_documentation_names_every_metric() -> None:
    table = Path("docs/comparing.md").read_text(encoding="utf-8").partition("## What is measured")[2]
    missing = {
        name for name in METRICS if f"`{re.sub('{k}tokens', '512tokens', name).replace('{k}', 'k')}`" not in table
    }
    assert not missing
