import pytest

from ragset.evaluation.metrics.scores import Bounds
from ragset.evaluation.scoring import score_answer, unanswered_scores
from ragset.models import Golden, Span


def golden(answer: str | None) -> Golden:
    evidence = () if answer is None else (Span(doc_id="d", start=0, end=9),)
    kind = "unanswerable" if answer is None else "single-chunk"
    return Golden(id="g", query="When?", answer=answer, kind=kind, evidence=evidence, chunks=())


@pytest.mark.parametrize(("said", "value"), [(None, 1.0), ("", 1.0), ("  ", 1.0), ("In 1921.", 0.0)])
def test_to_abstain_is_right_where_there_is_no_answer_and_nothing_else_is_scored(
    said: str | None, value: float
) -> None:
    assert score_answer(golden(None), said) == {"abstention": value}


@pytest.mark.parametrize("said", [None, " "])
def test_to_abstain_is_wrong_where_there_is_an_answer(said: str | None) -> None:
    assert score_answer(golden("In 1921."), said) == {"token_f1": 0, "exact_match": 0, "rouge_l": 0, "attempted": 0}


def test_an_answer_is_compared_with_the_reference() -> None:
    assert score_answer(golden("In 1921."), "In 1921.") == {
        "token_f1": 1,
        "exact_match": 1,
        "rouge_l": 1,
        "attempted": 1,
    }


def test_without_a_reference_only_the_attempt_counts() -> None:
    assert score_answer(golden(""), "In 1921.") == {"attempted": 1}


@pytest.mark.parametrize(
    ("answer", "judged", "metrics"),
    [
        (None, False, {"abstention"}),
        ("", True, {"attempted", "faithfulness"}),
        ("In 1921.", False, {"token_f1", "exact_match", "rouge_l", "attempted"}),
        (
            "In 1921.",
            True,
            {"token_f1", "exact_match", "rouge_l", "attempted"}
            | {"correctness", "completeness", "conciseness", "faithfulness"},
        ),
    ],
)
def test_a_query_without_a_reply_is_no_abstention_and_could_be_anything(
    answer: str | None, judged: bool, metrics: set[str]
) -> None:
    found = unanswered_scores(golden(answer), judged=judged)
    assert {one.metric for one in found} == metrics
    assert {(one.value, one.bounds) for one in found} == {(0.0, Bounds(worst=0.0, best=1.0))}
