"""Corpus-wide queries: claims with quotes, assertions over documents, and what is refused."""

from typing import Literal

import pytest

from ragset.generation.pipeline import pipeline
from ragset.generation.stage import Setup
from ragset.llm.replies import (
    AssertionDraft,
    AssertionVerdict,
    AssertionVerdicts,
    CorpusQueryDraft,
    PassageClaim,
    PassageClaims,
)
from ragset.models import CORPUS_WIDE, Assertion, Candidate, Chunk, Golden, Reject
from ragset.settings import ThemeWritingSettings
from tests.samples import outcome_of
from tests.scripted import Scripted

SETUP = Setup(ThemeWritingSettings(min_documents=3, min_assertions=2))
TEXTS = {
    "a": "Aldmoor had no money for a power station.",
    "b": "Brill closed when buses took its passengers.",
    "c": "Snow blocked the line of Skarv.",
    "d": "Lind could not pay for electric cars.",
}
CHUNKS = tuple(Chunk(doc_id=name, start=0, end=len(text), text=text, title=name) for name, text in TEXTS.items())
THEME = Candidate(chunks=CHUNKS)
CLAIMED = THEME.model_copy(
    update={"assertions": tuple(Assertion(statement=chunk.text, evidence=(chunk.span,)) for chunk in CHUNKS)}
)
QUERY = "What made it hard for small towns to keep their tramways?"


def draft(*assertions: tuple[int, ...], query: str | None = QUERY) -> CorpusQueryDraft:
    drafted = tuple(AssertionDraft(statement=f"Point {n}.", claims=claims) for n, claims in enumerate(assertions, 1))
    return CorpusQueryDraft(reason="They recur.", query=query, assertions=drafted)


def verdicts(*rows: tuple[tuple[int, ...], int], whole: Literal[0, 1] = 1) -> AssertionVerdicts:
    judged = [
        {"assertion": n, "reason": "As it seems.", "quotes": quotes, "vital": vital}
        for n, (quotes, vital) in enumerate(rows, 1)
    ]
    return AssertionVerdicts(
        reason="By many.", whole=whole, assertions=tuple(map(AssertionVerdict.model_validate, judged))
    )


def pointed(*assertions: tuple[int, ...]) -> Candidate:
    made = tuple(
        Assertion(statement=f"Point {n}.", evidence=tuple(CHUNKS[place].span for place in places))
        for n, places in enumerate(assertions, 1)
    )
    return THEME.model_copy(update={"query": QUERY, "assertions": made})


async def test_a_claim_without_its_quote_in_the_passage_is_left_out() -> None:
    claims = [PassageClaim(chunk=n, claim=f"Claim {n}.", quote=text[:12]) for n, text in enumerate(TEXTS.values(), 1)]
    claims += [
        PassageClaim(chunk=1, claim="Made up.", quote="It cost a million."),
        PassageClaim(chunk=9, claim="x", quote="x"),
    ]
    llm = Scripted({"list_passage_claims": [PassageClaims(reason="Towns.", claims=tuple(claims))]})
    outcome = await outcome_of("claims", THEME, llm, SETUP)
    assert isinstance(outcome, Candidate)
    assert [one.statement for one in outcome.assertions] == ["Claim 1.", "Claim 2.", "Claim 3.", "Claim 4."]


async def test_an_assertion_has_the_evidence_of_all_claims_that_it_names() -> None:
    llm = Scripted({"draft_corpus_query": [draft((1, 4), (2, 3))]})
    outcome = await outcome_of("draft", CLAIMED, llm, SETUP)
    assert isinstance(outcome, Candidate)
    assert (outcome.query, outcome.assertions[0].documents) == (QUERY, {"a", "d"})
    assert llm.requests[0].inputs["documents"] == ["A", "B", "C", "D"]


@pytest.mark.parametrize(
    ("drafted", "reason"),
    [
        (draft((1,)), "few_assertions"),
        (draft((1,), (2,)), "few_documents"),
        (draft((1, 4), (2,), (3,)), "few_shared"),
        # A bears out 2 of 3
        (draft((1, 2), (1, 3), (4,)), "one_document"),
        (draft((1,), (2,), ()), "wrong_claims"),
        (draft((1, 4), (2,), (3,), query="What do these passages say?"), "leans_on_passage"),
        (draft((1, 4), (2, 3), query="How did towns pay for tramways, and what ended them?"), "two_queries"),
        (draft(query=None), "nothing_to_ask"),
    ],
)
async def test_a_draft_that_one_document_would_answer_is_refused(drafted: CorpusQueryDraft, reason: str) -> None:
    outcome = await outcome_of("draft", CLAIMED, Scripted({"draft_corpus_query": [drafted]}), SETUP)
    assert isinstance(outcome, Reject)
    assert outcome.reason == reason


async def test_what_the_critic_does_not_confirm_is_dropped_with_its_reason() -> None:
    given = pointed((0, 3), (1,), (2,), (1, 2))
    llm = Scripted({"judge_assertions": [verdicts(((1, 2), 1), ((1,), 1), ((1,), 0), ((2, 1), 1))]})
    outcome = await outcome_of("confirm", given, llm, SETUP)
    assert isinstance(outcome, Reject)  # of 3 points b bears out 2
    assert outcome.reason == "one_document"
    llm = Scripted({"judge_assertions": [verdicts(((1, 2), 1), ((1, 2), 1), ((), 1))]})
    outcome = await outcome_of("confirm", pointed((0, 3), (1, 2), (2,)), llm, SETUP)
    assert isinstance(outcome, Candidate)
    assert outcome.metadata["dropped_assertions"] == [{"statement": "Point 3.", "reason": "not_proven: As it seems."}]
    golden = Golden.of(outcome)
    assert (golden.kind, golden.evidence, golden.cross_document) == (CORPUS_WIDE, (), True)
    assert golden.answer == "Point 1.\nPoint 2."
    assert [span.doc_id for span in golden.proof] == ["a", "d", "b", "c"]


async def test_a_query_that_one_document_answers_or_that_is_vague_is_refused() -> None:
    llm = Scripted({"judge_assertions": [verdicts(((1,), 1), ((1,), 1), ((1,), 1), whole=0)]})
    outcome = await outcome_of("confirm", pointed((0,), (1,), (2,)), llm, SETUP)
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.detail) == ("not_corpus_wide", "By many.")


def test_claims_are_asked_for_eight_passages_at_a_time() -> None:
    claims, drafting, confirming = pipeline(Setup(ThemeWritingSettings(passages=20)))
    assert [sum(stage.asks.values()) for stage in (claims, drafting, confirming)] == [3, 1.2, 1]
