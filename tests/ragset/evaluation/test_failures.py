"""The step at which a query's answer was lost."""

from typing import Any

import pytest

from ragset.evaluation.failures import diagnosis_lines, evidence_held, failing_step, find_failures
from ragset.evaluation.metrics.claims import AnswerClaim, Diagnosis, ReferenceClaim
from ragset.models import Golden, Span
from ragset.retrieval.fusion import Hit

GOLDEN = Golden(
    id="g",
    query="When?",
    answer="1921.",
    kind="single-chunk",
    evidence=(Span(doc_id="d", start=0, end=100),),
    chunks=(),
)
NOBODY_KNOWS = Golden(id="u", query="Who?", answer=None, kind="unanswerable", evidence=(), chunks=())
ALL, NONE = {"g": 1.0}, {"g": 0.0}


@pytest.mark.parametrize(
    ("retrieved", "given", "right", "abstained", "step"),
    [
        (False, False, False, True, "retrieval"),
        (True, False, False, False, "reranking"),
        (True, True, False, False, "reading"),
        (True, True, False, True, "refusing"),
        (True, True, True, False, "right"),
        (False, False, True, False, "right"),  # known without the passages
        (True, True, None, False, None),  # nobody judged
        (None, None, False, False, None),  # no evidence is known
    ],
)
def test_the_first_step_that_lost_it_is_named(
    retrieved: bool | None, given: bool | None, right: bool | None, abstained: bool, step: str | None
) -> None:
    assert failing_step(retrieved=retrieved, given=given, right=right, abstained=abstained) == step


def found(held: tuple[dict[str, float], dict[str, float]] = (ALL, ALL), answers: bool = True, **scores: float) -> Any:
    known = {("g", name): value for name, value in scores.items()}
    return find_failures([GOLDEN], held, known, {}, answers=answers).get("g")


def test_without_a_diagnosis_correctness_says_what_is_right_from_four_of_five() -> None:
    # (4 - 1)/4 = 0.75, (3 - 1)/4 = 0.5
    assert found(correctness=0.75, attempted=1.0) == "right"
    assert found(correctness=0.5, attempted=1.0) == "reading"
    assert found(correctness=0.0, attempted=0.0) == "refusing"
    assert found((ALL, NONE), correctness=0.0, attempted=1.0) == "reranking"
    assert found((NONE, NONE), correctness=0.0, attempted=0.0) == "retrieval"
    assert found(token_f1=0.2) is None


def test_a_retriever_is_right_where_a_reader_would_be_given_the_evidence() -> None:
    assert [found((ALL, of), answers=False) for of in (ALL, NONE)] == ["right", "reranking"]
    assert found((NONE, NONE), answers=False) == "retrieval"


def test_an_answer_to_a_query_without_one_is_a_failure_of_refusing() -> None:
    def step(**scores: float) -> str | None:
        known = {("u", name): value for name, value in scores.items()}
        return find_failures([NOBODY_KNOWS], ({}, {}), known, {}, answers=True).get("u")

    assert (step(abstention=1.0), step(abstention=0.0), step()) == ("right", "refusing", None)


def test_the_vital_claims_of_a_diagnosis_go_before_correctness() -> None:
    def step(*, stated: bool, answered: bool, given: float = 1.0) -> str | None:
        vital = ReferenceClaim(text="r", vital=True, passages=(1,) if stated else (), answered=answered)
        lesser = ReferenceClaim(text="s", vital=False, passages=(), answered=False)
        diagnosis = Diagnosis(
            passages=3, reference=(vital, lesser), answer=(AnswerClaim(text="a", passages=(), correct=False),)
        )
        scores = {("g", "correctness"): 0.5, ("g", "attempted"): 1.0}
        return find_failures([GOLDEN], (ALL, {"g": given}), scores, {"g": diagnosis}, answers=True)["g"]

    assert step(stated=True, answered=True) == "right"
    assert step(stated=True, answered=False) == "reading"
    # 80 % of the evidence's characters were there, and what the answer needs was in the rest of them
    assert step(stated=False, answered=False, given=0.8) == "reranking"
    # all of the evidence was given, and the reference says more than it: no ranking would help
    assert step(stated=False, answered=False) == "retrieval"


def test_evidence_is_held_by_all_hits_and_by_those_given_to_the_reader() -> None:
    hits = {"g": [Hit("d:200-300", 3.0), Hit("d:0-60", 2.0), Hit("d:60-90", 1.0)]}
    gold = {"g": (((Span(doc_id="d", start=0, end=100),),),), "other": (((Span(doc_id="d", start=0, end=9),),),)}
    # of 100 characters 60 + 30 in all, 60 in the first two; what was not answered is in neither
    assert evidence_held(hits, gold, 2) == ({"g": 0.9}, {"g": 0.6})
    assert evidence_held(hits, gold, None) == ({"g": 0.9}, {"g": 0.9})
    # of a system that names no passages it is not known what it found
    assert evidence_held({"g": []}, gold, None) == ({}, {})


def test_a_line_says_where_a_golden_failed_and_its_claims() -> None:
    diagnosis = Diagnosis(passages=0, reference=(), answer=None)
    (line,) = diagnosis_lines({"ours": {"g": "retrieval"}}, {"ours": {"g": diagnosis}})
    assert (line["configuration"], line["golden"], line["fails_at"], line["reference"]) == (
        "ours",
        "g",
        "retrieval",
        (),
    )
