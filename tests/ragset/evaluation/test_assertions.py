"""Answers to corpus-wide queries: graded assertion by assertion, and part of no other metric."""

import math
from pathlib import Path
from typing import Any

import pytest

import ragset
from ragset.errors import InputError
from ragset.evaluation.diagnosis import ANSWER_PROMPT, has_claims, judge
from ragset.evaluation.failures import find_failures
from ragset.evaluation.metrics.registry import answer_metrics, measurable, metric_names, usual_primary
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import AnswerMatch, ClaimMatch
from tests.scripted import Scripted
from tests.small_dataset import TEA, corpus_of, corpus_wide_of, golden_of, write_small

WIDE = corpus_wide_of()
PROMPTS = {ANSWER_PROMPT: load_prompt(ANSWER_PROMPT)}


def found_heat(query: str) -> list[str]:
    return [TEA.text[:35]] if query else []


def eighty(query: str) -> str | None:
    return "80 °C" if query else None


def matched(*stated: int) -> AnswerMatch:
    rows = [{"claim": n, "reason": f"Reason {n}.", "stated": bit} for n, bit in enumerate(stated, 1)]
    return AnswerMatch(reference=tuple(map(ClaimMatch.model_validate, rows)), answer=())


async def test_the_share_of_assertions_met_is_scored_with_a_reason_for_each() -> None:
    llm = Scripted({ANSWER_PROMPT: [matched(1, 0)]})
    scores, found = await judge(WIDE, "Heat spoils it.", (), PROMPTS, llm)
    assert scores == {"assertions_met": 0.5}
    assert found
    assert [(one.text, one.answered, one.reason) for one in found.reference] == [
        ("Heat makes it bitter.", True, "Reason 1."),
        ("Time does too.", False, "Reason 2."),
    ]
    assert len(llm.requests) == 1


async def test_an_abstention_meets_nothing_and_asks_nobody_and_no_judgement_is_no_score() -> None:
    llm = Scripted({ANSWER_PROMPT: [matched(1)]})  # of one assertion alone
    assert (await judge(WIDE, None, (), PROMPTS, llm))[0] == {"assertions_met": 0.0}
    assert llm.requests == []
    scores, found = await judge(WIDE, "Heat.", (), PROMPTS, llm)
    assert math.isnan(scores["assertions_met"])
    assert found is None


def test_a_corpus_wide_golden_is_in_no_other_metric() -> None:
    assert [metric.name for metric in answer_metrics(WIDE, judged=True)] == ["assertions_met"]
    assert answer_metrics(WIDE, judged=False) == []
    assert not has_claims(WIDE)
    assert find_failures([WIDE], ({}, {}), {(WIDE.id, "assertions_met"): 0.0}, {}, answers=True) == {}
    asked: dict[str, Any] = {"cutoffs": (5,), "budgets": (512,), "indexed": True, "answers": True, "judged": True}
    assert metric_names(measurable([WIDE]), **asked) == ("assertions_met",)
    assert "assertions_met" not in metric_names(measurable([golden_of()]), **asked)
    assert usual_primary(("assertions_met",), "correctness", (5,), (512,), whole=False).name == "assertions_met"


def test_retrieval_is_scored_without_them_and_without_a_critic_they_are_left_out_plainly(tmp_path: Path) -> None:
    write_small(tmp_path / "teas", corpus_of(tmp_path / "given", TEA), (golden_of(), WIDE))
    found = ragset.evaluate(tmp_path / "teas", found_heat, answer=eighty)
    hits = found.results.scores[found.results.scores["metric"] == "hit_rate@1"]
    assert list(hits["golden"]) == [golden_of().id]
    assert "1 corpus-wide golden is in no metric" in " ".join(found.notices())


def test_a_set_of_them_alone_says_what_it_needs(tmp_path: Path) -> None:
    write_small(tmp_path / "teas", corpus_of(tmp_path / "given", TEA), (WIDE,))
    with pytest.raises(InputError, match="corpus-wide goldens a reader"):
        ragset.evaluate(tmp_path / "teas", found_heat)
