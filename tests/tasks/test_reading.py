import pytest

from ragset.models import Golden, Span
from tasks.reading import free_scores


def golden(answer: str | None) -> Golden:
    evidence = () if answer is None else (Span(doc_id="d", start=0, end=9),)
    kind = "unanswerable" if answer is None else "single-chunk"
    return Golden(id="g", query="When?", answer=answer, kind=kind, evidence=evidence, chunks=())


@pytest.mark.parametrize(("said", "value"), [(None, 1.0), ("", 1.0), ("  ", 1.0), ("In 1921.", 0.0)])
def test_to_abstain_is_right_where_there_is_no_answer_and_nothing_else_is_scored(
    said: str | None, value: float
) -> None:
    assert free_scores(golden(None), said) == {"abstention": value}


@pytest.mark.parametrize("said", [None, " "])
def test_to_abstain_is_wrong_where_there_is_an_answer(said: str | None) -> None:
    assert free_scores(golden("In 1921."), said) == {"token_f1": 0, "exact_match": 0, "rouge_l": 0, "attempted": 0}


def test_an_answer_is_compared_with_the_reference() -> None:
    assert free_scores(golden("In 1921."), "In 1921.") == {
        "token_f1": 1,
        "exact_match": 1,
        "rouge_l": 1,
        "attempted": 1,
    }


def test_without_a_reference_only_the_attempt_counts() -> None:
    assert free_scores(golden(""), "In 1921.") == {"attempted": 1}
