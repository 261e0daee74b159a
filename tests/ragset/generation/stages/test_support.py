"""Passages that answer a query too: equivalent evidence of an answerable one, and the end of an unanswerable one."""

from typing import Any

import pytest

from ragset.generation.checks import CheckSettings
from ragset.generation.stage import Setup
from ragset.generation.stages.support import MOST_PASSAGES
from ragset.llm.replies import Supports
from ragset.models import Candidate, Chunk, Golden, Reject, Span
from ragset.settings import WritingSettings
from tests.samples import outcome_of
from tests.scripted import Scripted

QUERY = "When did the Aldmoor tramway open?"


def chunk(document: str, text: str) -> Chunk:
    return Chunk(doc_id=document, start=100, end=100 + len(text), text=text)


OWN = chunk("a", "The Aldmoor tramway opened in 1902.")
OTHER = chunk("b", "In 1902 trams came to Aldmoor. They were drawn by horses. The tramway opened in May.")
THIRD = chunk("c", "The tramway of Brill opened in 1899.")
ANSWERABLE = Candidate(
    chunks=(OWN,),
    query=QUERY,
    answer="In 1902.",
    evidence=(OWN.span,),
    found=(OTHER, THIRD),
    metadata={"style": "open"},
)
NEAR_MISS = Candidate(
    chunks=(OWN,),
    query="When did the Aldmoor tramway close?",
    found=(OWN, OTHER),
    metadata={"unanswerable": {"missing": "the end of the tramway", "near": OWN.id}},
)


def says(*verdicts: str | tuple[str, ...]) -> Supports:
    """One for each passage: a verdict, or a verdict with its quotes."""
    given = [(one,) if isinstance(one, str) else one for one in verdicts]
    passages = [
        {"passage": number, "reason": "As it seems.", "verdict": verdict, "quotes": quotes}
        for number, (verdict, *quotes) in enumerate(given, start=1)
    ]
    return Supports.model_validate({"reason": "As it seems.", "passages": passages})


async def judged(given: Candidate, *replies: Supports | str) -> tuple[Candidate | Reject, Scripted]:
    llm = Scripted({"judge_support": replies})
    return await outcome_of("support", given, llm, Setup(WritingSettings(), CheckSettings(holes=True))), llm


async def test_a_passage_that_answers_in_full_is_equivalent_from_its_first_to_its_last_quote() -> None:
    reply = says(("full", "The tramway opened in May.", "In 1902 trams came to Aldmoor."), "part")
    outcome, llm = await judged(ANSWERABLE, reply)
    assert isinstance(outcome, Candidate)
    assert outcome.equivalents == (OTHER.span,)
    assert outcome.found == ()
    partial = [{"chunk": THIRD.id, "reason": "As it seems."}]
    assert outcome.metadata == {"style": "open", "holes": {"judged": 2, "full": 1, "unread": 0}, "partial": partial}
    assert outcome.lineage[-1].stage == "support"
    shown = {"chunks": [OTHER.text, THIRD.text], "titles": ["", ""]}
    assert llm.requests[0].inputs == {"query": QUERY, "answer": "In 1902.", **shown}
    assert Golden.of(outcome).equivalents == (OTHER.span,)


async def test_a_passage_that_answers_in_part_is_not_equivalent() -> None:
    outcome, _ = await judged(ANSWERABLE, says("part", "none"))
    assert isinstance(outcome, Candidate)
    assert outcome.equivalents == ()
    assert outcome.metadata["holes"] == {"judged": 2, "full": 0, "unread": 0}
    assert outcome.metadata["partial"] == [{"chunk": OTHER.id, "reason": "As it seems."}]


async def test_a_passage_that_answers_otherwise_is_named_and_not_equivalent() -> None:
    outcome, _ = await judged(ANSWERABLE, says("none", ("differs", "opened in 1899")))
    assert isinstance(outcome, Candidate)
    assert outcome.equivalents == ()
    assert outcome.metadata["contradicted"] == [{"chunk": THIRD.id, "reason": "As it seems."}]


async def test_a_full_answer_by_words_that_are_not_there_is_asked_again_once() -> None:
    outcome, llm = await judged(
        ANSWERABLE,
        says(("full", "The tramway was opened by a duke"), "none"),
        says(("full", "In 1902 trams came"), "none"),
    )
    assert isinstance(outcome, Candidate)
    assert outcome.equivalents == (Span(doc_id="b", start=100, end=118),)
    assert "Passage 1" in llm.requests[1].messages[-1].content


async def test_a_full_answer_by_words_that_are_never_there_leaves_its_passage_unlabelled() -> None:
    outcome, llm = await judged(
        ANSWERABLE, says(("full", "The tramway was opened by a duke"), ("full", "Brill opened in"))
    )
    assert isinstance(outcome, Candidate)
    assert len(llm.requests) == 2
    assert outcome.equivalents == (Span(doc_id="c", start=115, end=130),)
    assert outcome.metadata["holes"] == {"judged": 1, "full": 1, "unread": 1}


async def test_a_letter_or_a_part_of_a_word_is_no_quote() -> None:
    outcome, llm = await judged(ANSWERABLE, says(("full", "t"), "none"), says(("full", "tramway opened in Ma"), "none"))
    assert isinstance(outcome, Candidate)
    assert "Quote the whole sentence" in llm.requests[1].messages[-1].content
    assert outcome.equivalents == ()
    assert outcome.metadata["holes"] == {"judged": 1, "full": 0, "unread": 1}


@pytest.mark.parametrize(
    ("text", "quote", "evidence", "enough"),
    [
        ("It was opened in 1902.", "in 1902", 35, False),
        ("It was opened in 1902.", "opened in 1902.", 35, True),
        ("It was opened in 1902.", "in 1902", 7, True),
        ("It was opened in 1902.", "1902", 7, False),
        ("电车于1902年开通。", "1902年开通", 35, True),
        ("电车于1902年开通。", "开通", 35, False),
    ],
)
async def test_so_much_is_quoted_as_the_shortest_evidence_or_fifteen_characters(
    text: str, quote: str, evidence: int, enough: bool
) -> None:
    spans = (OWN.span, Span(doc_id="a", start=300, end=300 + evidence))
    given = ANSWERABLE.model_copy(update={"evidence": spans, "found": (chunk("b", text),)})
    outcome, llm = await judged(given, says(("full", quote)))
    assert isinstance(outcome, Candidate)
    assert (len(outcome.equivalents), len(llm.requests)) == ((1, 1) if enough else (0, 2))


async def test_a_word_is_enough_to_show_that_a_query_has_an_answer() -> None:
    outcome, llm = await judged(NEAR_MISS, says("none", ("full", "1902")))
    assert isinstance(outcome, Reject)
    assert (outcome.reason, len(llm.requests)) == ("answerable_after_all", 1)


async def test_what_two_chunks_share_is_one_equivalent() -> None:
    text = "The yard holds nine boats. The tramway opened in 1902. Behind it stands the loft."
    chunks = (
        Chunk(doc_id="b", start=0, end=54, text=text[:54]),
        Chunk(doc_id="b", start=27, end=len(text), text=text[27:]),
    )
    quote = "The tramway opened in 1902."
    given = ANSWERABLE.model_copy(update={"found": chunks, "equivalents": (Span(doc_id="b", start=31, end=54),)})
    outcome, _ = await judged(given, says(("full", quote), ("full", quote)))
    assert isinstance(outcome, Candidate)
    assert outcome.equivalents == (Span(doc_id="b", start=27, end=54),)


async def test_a_passage_without_a_verdict_is_asked_again_and_then_unread() -> None:
    outcome, llm = await judged(ANSWERABLE, says("part"))
    assert isinstance(outcome, Candidate)
    assert len(llm.requests) == 2
    assert outcome.metadata["holes"] == {"judged": 1, "full": 0, "unread": 1}


async def test_a_malformed_reply_is_no_verdict() -> None:
    outcome, llm = await judged(ANSWERABLE, "no JSON")
    assert isinstance(outcome, Candidate)
    assert len(llm.requests) == 3
    assert outcome.equivalents == ()
    assert outcome.metadata["holes"] == {"judged": 0, "full": 0, "unread": 2}


async def test_what_nothing_was_found_for_is_not_asked_about() -> None:
    given = ANSWERABLE.model_copy(update={"found": ()})
    outcome, llm = await judged(given)
    assert outcome == given
    assert llm.requests == []


async def test_many_passages_are_judged_in_several_calls() -> None:
    many = tuple(chunk(f"d{place}", "A tramway.") for place in range(MOST_PASSAGES + 2))
    given = ANSWERABLE.model_copy(update={"found": many})
    _, llm = await judged(given, says(*["none"] * MOST_PASSAGES), says("none", "none"))
    assert [len(request.inputs["chunks"]) for request in llm.requests] == [MOST_PASSAGES, 2]


async def test_an_unanswerable_query_stays_where_no_passage_answers_it_in_full() -> None:
    outcome, llm = await judged(NEAR_MISS, says("part", "none"))
    assert isinstance(outcome, Candidate)
    assert llm.requests[0].inputs["answer"] == ""
    golden = Golden.of(outcome)
    assert (golden.kind, golden.answer, golden.evidence, golden.equivalents) == ("unanswerable", None, (), ())
    assert golden.metadata["unanswerable"]["near"] == OWN.id


@pytest.mark.parametrize("verdict", ["full", "differs"])
async def test_an_unanswerable_query_that_a_passage_answers_is_rejected_with_passage_and_quote(verdict: str) -> None:
    outcome, _ = await judged(NEAR_MISS, says("part", (verdict, "In 1902 trams came to Aldmoor.")))
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason) == ("support", "answerable_after_all")
    assert outcome.detail == f'{OTHER.id}: "In 1902 trams came to Aldmoor." As it seems.'


@pytest.mark.parametrize("reply", ["no JSON", says("none"), says("none", ("full", "A duke"))])
async def test_an_unanswerable_query_needs_a_verdict_on_every_passage(reply: Any) -> None:
    outcome, _ = await judged(NEAR_MISS, reply)
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason) == ("support", "unread_passage")
