"""The metrics of claims, worked out by hand, and the laws that tie them together."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.evaluation.metrics.claims import AnswerClaim, Diagnosis, ReferenceClaim, by_claims

RIGHT_IN_1 = AnswerClaim(text="a", passages=(1,), correct=True)
RIGHT_IN_NONE = AnswerClaim(text="b", passages=(), correct=True)
WRONG_IN_1 = AnswerClaim(text="c", passages=(1, 3), correct=False)
WRONG_IN_3 = AnswerClaim(text="d", passages=(3,), correct=False)
WRONG_IN_NONE = AnswerClaim(text="e", passages=(), correct=False)


def of_reference(passages: tuple[int, ...], answered: bool | None, vital: bool = True) -> ReferenceClaim:
    return ReferenceClaim(text="r", vital=vital, passages=passages, answered=answered)


# Four passages, of which 1 and 2 state a claim of the reference; one vital claim of three stands in none.
FOUND = Diagnosis(
    passages=4,
    reference=(of_reference((1, 2), True), of_reference((), False), of_reference((2,), False, vital=False)),
    answer=(RIGHT_IN_1, RIGHT_IN_NONE, WRONG_IN_1, WRONG_IN_3, WRONG_IN_NONE),
    cited=(3, 4),
)
BY_HAND = {
    "claim_recall": 2 / 3,  # the first and the third
    "vital_claim_recall": 1 / 2,  # the first of two
    "context_precision": 2 / 4,  # 1 and 2
    "answer_recall": 1 / 3,
    "vital_answer_recall": 1 / 2,
    "answer_precision": 2 / 5,  # a and b
    "context_utilization": 1 / 2,  # of the first and the third, the first
    "noise_sensitivity_relevant": 1 / 5,  # c: wrong, and 1 is relevant, whatever else states it
    "noise_sensitivity_irrelevant": 1 / 5,  # d: wrong, and in 3 alone
    "self_knowledge": 1 / 5,  # b
    "hallucination": 1 / 5,  # e
    "citation_precision": 1 / 2,  # 3 states c and d, 4 states nothing
    "citation_recall": 2 / 5,  # c and d are in 3
}


@pytest.mark.parametrize("name", BY_HAND)
def test_each_metric_is_the_share_that_it_says(name: str) -> None:
    assert by_claims(name, FOUND) == pytest.approx(BY_HAND[name])


def test_an_abstention_misses_every_claim_and_makes_none() -> None:
    reference = (of_reference((1,), False), of_reference((), False))
    silent = Diagnosis(passages=1, reference=reference, answer=(), cited=())
    assert (by_claims("answer_recall", silent), by_claims("context_utilization", silent)) == (0.0, 0.0)
    undefined = ("answer_precision", "hallucination", "self_knowledge", "citation_precision", "citation_recall")
    assert all(math.isnan(by_claims(name, silent)) for name in undefined)


def test_where_no_passage_states_a_claim_nothing_could_be_used() -> None:
    nothing = Diagnosis(passages=0, reference=(of_reference((), True),), answer=(RIGHT_IN_NONE,))
    assert math.isnan(by_claims("context_utilization", nothing))
    assert (by_claims("claim_recall", nothing), by_claims("context_precision", nothing)) == (0.0, 0.0)
    assert by_claims("self_knowledge", nothing) == 1.0


def test_a_retriever_without_a_reader_has_metrics_of_its_passages_alone() -> None:
    alone = Diagnosis(passages=2, reference=(of_reference((2,), None),), answer=None)
    assert (by_claims("claim_recall", alone), by_claims("context_precision", alone)) == (1.0, 0.5)
    assert all(math.isnan(by_claims(name, alone)) for name in ("answer_recall", "answer_precision"))


numbers = st.sets(st.integers(1, 5)).map(lambda found: tuple(sorted(found)))
answer_claims = st.builds(AnswerClaim, text=st.just("a"), passages=numbers, correct=st.booleans())
reference_claims = st.builds(
    ReferenceClaim, text=st.just("r"), vital=st.booleans(), passages=numbers, answered=st.booleans()
)


@given(st.lists(reference_claims, min_size=1), st.lists(answer_claims, min_size=1), numbers)
def test_every_claim_of_an_answer_is_of_one_kind(
    reference: list[ReferenceClaim], answer: list[AnswerClaim], cited: tuple[int, ...]
) -> None:
    of = Diagnosis(passages=5, reference=tuple(reference), answer=tuple(answer), cited=cited)
    noise = by_claims("noise_sensitivity_relevant", of) + by_claims("noise_sensitivity_irrelevant", of)
    # right or one of three ways to be wrong; in no passage or in some
    assert by_claims("answer_precision", of) + noise + by_claims("hallucination", of) == pytest.approx(1)
    assert by_claims("self_knowledge", of) <= by_claims("answer_precision", of) + 1e-9
    known = (by_claims(name, of) for name in BY_HAND)
    assert all(math.isnan(value) or 0 <= value <= 1 for value in known)
