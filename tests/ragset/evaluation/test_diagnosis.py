"""What the critic is asked for a diagnosis, how its replies are put together, and what is missing where one cannot be read."""

import math

from ragset.evaluation.diagnosis import PROMPTS, diagnose, diagnosis_scores, has_claims
from ragset.evaluation.metrics.claims import AnswerClaim, Diagnosis, ReferenceClaim
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import (
    AnswerMatch,
    Claim,
    ClaimMatch,
    Claims,
    ClaimSource,
    ClaimSources,
    ReferenceClaims,
)
from ragset.llm.replies import ReferenceClaim as Listed
from ragset.models import Golden, Span
from tests.scripted import Scripted

LOADED = {name: load_prompt(name) for name in PROMPTS}
GOLDEN = Golden(
    id="g-1",
    query="When and why did the Ravn foundry close?",
    answer="In 1921, after its furnace exploded.",
    kind="single-chunk",
    evidence=(Span(doc_id="d", start=0, end=9),),
    chunks=(),
)
PASSAGES = ("Skarv harbour has two piers.", "The Ravn foundry closed in 1921.")
LISTED = ReferenceClaims(
    reason="Time and cause.",
    claims=(
        Listed(claim="It closed in 1921.", reason="The time.", vital=1),
        Listed(claim="Its furnace exploded.", reason="The cause.", vital=1),
    ),
)
CLAIMED = Claims(claims=(Claim(claim="It shut in 1921.", reason="2 says so.", supported=1),))


def sources(*of: tuple[int, ...]) -> ClaimSources:
    return ClaimSources(sources=tuple(ClaimSource(claim=n, reason="…", chunks=one) for n, one in enumerate(of, 1)))


def matches(reference: tuple[int, ...], answer: tuple[int, ...]) -> AnswerMatch:
    def rows(bits: tuple[int, ...]) -> tuple[ClaimMatch, ...]:
        # in any order: they are known by their numbers
        return tuple(ClaimMatch(claim=n, reason="…", stated=bit) for n, bit in reversed([*enumerate(bits, 1)]))  # pyright: ignore[reportArgumentType]

    return AnswerMatch(reference=rows(reference), answer=rows(answer))


async def test_claims_of_both_texts_are_looked_for_in_the_passages_by_one_call() -> None:
    llm = Scripted(
        {
            "list_claims": [LISTED],
            "judge_faithfulness": [CLAIMED],
            "match_passages": [sources((2,), (), (2,))],
            "match_answer": [matches((1, 0), (1,))],
        }
    )
    found = await diagnose(GOLDEN, "It shut in 1921.", PASSAGES, LOADED, llm, answers=True, cited=(2,))
    assert found == Diagnosis(
        passages=2,
        reference=(
            ReferenceClaim(text="It closed in 1921.", vital=True, passages=(2,), answered=True),
            ReferenceClaim(text="Its furnace exploded.", vital=True, passages=(), answered=False),
        ),
        answer=(AnswerClaim(text="It shut in 1921.", passages=(2,), correct=True),),
        cited=(2,),
    )
    asked = next(request for request in llm.requests if request.prompt == "match_passages")
    assert asked.inputs["claims"] == ("It closed in 1921.", "Its furnace exploded.", "It shut in 1921.")


async def test_a_claim_in_the_words_of_the_reference_is_looked_for_once() -> None:
    same = Claims(claims=(Claim(claim="It closed in 1921.", reason="…", supported=1),))
    llm = Scripted(
        {
            "list_claims": [LISTED],
            "judge_faithfulness": [same],
            "match_passages": [sources((2,), ())],
            "match_answer": [matches((1, 0), (1,))],
        }
    )
    found = await diagnose(GOLDEN, "In 1921.", PASSAGES, LOADED, llm, answers=True)
    assert found is not None
    assert found.answer == (AnswerClaim(text="It closed in 1921.", passages=(2,), correct=True),)


async def test_an_answer_that_claims_nothing_is_not_held_against_the_reference() -> None:
    llm = Scripted(
        {"list_claims": [LISTED], "judge_faithfulness": [Claims(claims=())], "match_passages": [sources((2,), ())]}
    )
    found = await diagnose(GOLDEN, "I do not know.", PASSAGES, LOADED, llm, answers=True)
    assert found is not None
    assert (found.answer, [claim.answered for claim in found.reference]) == ((), [False, False])


async def test_an_abstention_costs_no_call_about_the_answer() -> None:
    llm = Scripted({"list_claims": [LISTED], "match_passages": [sources((2,), ())]})
    found = await diagnose(GOLDEN, None, PASSAGES, LOADED, llm, answers=True, cited=())
    assert found is not None
    assert (found.answer, [claim.answered for claim in found.reference]) == ((), [False, False])


async def test_a_retriever_is_asked_about_its_passages_alone() -> None:
    llm = Scripted({"list_claims": [LISTED], "match_passages": [sources((), (1, 2))]})
    found = await diagnose(GOLDEN, None, PASSAGES, LOADED, llm, answers=False)
    assert found is not None
    assert (found.answer, [claim.answered for claim in found.reference]) == (None, [None, None])
    assert found.reference[1].passages == (1, 2)


async def test_without_passages_nothing_is_looked_for_in_them() -> None:
    llm = Scripted({"list_claims": [LISTED]})
    found = await diagnose(GOLDEN, None, (), LOADED, llm, answers=False)
    assert found is not None
    assert [claim.passages for claim in found.reference] == [(), ()]


async def test_a_number_that_is_missing_or_of_no_passage_is_complained_of_once() -> None:
    llm = Scripted({"list_claims": [LISTED], "match_passages": [sources((9,), ()), sources((2,), ())]})
    found = await diagnose(GOLDEN, None, PASSAGES, LOADED, llm, answers=False)
    assert found is not None
    assert "numbers go from 1 to 2" in llm.requests[-1].messages[-1].content
    llm = Scripted({"list_claims": [LISTED], "match_passages": [sources((2,)), sources((2,))]})
    assert await diagnose(GOLDEN, None, PASSAGES, LOADED, llm, answers=False) is None


async def test_a_judgement_that_is_missing_leaves_the_golden_undiagnosed() -> None:
    llm = Scripted({"list_claims": [LISTED], "judge_faithfulness": ["None.", "None.", "None."]})
    assert await diagnose(GOLDEN, "It shut.", PASSAGES, LOADED, llm, answers=True) is None


def test_what_was_not_judged_is_unknown_and_what_is_not_defined_has_no_score() -> None:
    unknown = diagnosis_scores("g", None, answers=True, cites=False)
    assert all(math.isnan(score.value) for score in unknown)
    assert {"claim_recall", "hallucination"} <= {score.metric for score in unknown}
    assert "citation_recall" not in {score.metric for score in unknown}
    silent = Diagnosis(
        passages=1, reference=(ReferenceClaim(text="r", vital=False, passages=(), answered=False),), answer=()
    )
    scored = {score.metric: score.value for score in diagnosis_scores("g", silent, answers=True, cites=True)}
    assert scored == {"claim_recall": 0.0, "context_precision": 0.0, "answer_recall": 0.0}


def test_only_a_golden_with_a_reference_answer_has_claims() -> None:
    assert has_claims(GOLDEN)
    assert not has_claims(GOLDEN.model_copy(update={"answer": " "}))
    assert not has_claims(GOLDEN.model_copy(update={"answer": None, "kind": "unanswerable", "evidence": ()}))
