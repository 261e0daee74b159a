"""Dialogues that lead to a query: what is refused, and what is kept."""

import pytest

from ragset.generation.pipeline import pipeline
from ragset.generation.stage import Setup
from ragset.llm.replies import ConversationDraft, ConversationVerdict, QueryVerdict, TurnDraft
from ragset.models import Candidate, Reject
from ragset.settings import ContextWritingSettings, ConversationSettings
from tests.samples import TRAMS, outcome_of
from tests.scripted import Scripted

SETUP = Setup(ContextWritingSettings(conversations=ConversationSettings(share=1, min_turns=2, max_turns=3)))
QUERY = "Was the tramway of Brill electric when the one of Aldmoor opened?"
GIVEN = Candidate(
    chunks=TRAMS[:2],
    spare=TRAMS[2:],
    query=QUERY,
    answer="Yes, three years before.",
    evidence=tuple(chunk.span for chunk in TRAMS[:2]),
)
FIRE = TurnDraft(
    question="Did the Aldmoor tramway ever have a fire?",
    answer="Its depot burnt down in 1911.",
    chunk=3,
    quote="The depot of Aldmoor burnt down in 1911.",
)
DRAFT = ConversationDraft(
    reason="It brings Aldmoor up.", turns=(FIRE,), question="Was Brill's electric when it opened?"
)
LEANS = QueryVerdict(feedback="Say what opened.", independent=0, clear=0, verdict=0)
ALONE = QueryVerdict(feedback="It names all.", independent=1, clear=1, verdict=1)
GOOD = ConversationVerdict(reason="The same.", same=1, open=1)


def model(*drafts: ConversationDraft, alone: QueryVerdict = LEANS, verdict: ConversationVerdict = GOOD) -> Scripted:
    return Scripted({"draft_conversation": drafts, "judge_query": [alone], "judge_conversation": [verdict]})


async def test_a_query_becomes_the_last_question_and_stays_as_its_rewriting() -> None:
    llm = model(DRAFT)
    outcome = await outcome_of("converse", GIVEN, llm, SETUP)
    assert isinstance(outcome, Candidate)
    assert (outcome.query, outcome.chunks, outcome.evidence) == (QUERY, GIVEN.chunks, GIVEN.evidence)
    assert outcome.conversation
    assert outcome.conversation.question == "Was Brill's electric when it opened?"
    # A turn may be answered from a chunk that the query does not need.
    assert [turn.evidence for turn in outcome.conversation.turns] == [(TRAMS[2].span,)]
    assert [step.prompt.partition("@")[0] for step in outcome.lineage] == [
        "draft_conversation",
        "judge_query",
        "judge_conversation",
    ]
    # The critic reads the last question without what was said before.
    assert llm.requests[1].inputs == {"query": "Was Brill's electric when it opened?"}
    assert llm.requests[0].inputs["count"] == "1 to 2"


@pytest.mark.parametrize(
    ("draft", "reason"),
    [
        (DRAFT.model_copy(update={"turns": ()}), "wrong_turns"),
        (DRAFT.model_copy(update={"turns": (FIRE, FIRE, FIRE)}), "wrong_turns"),
        (DRAFT.model_copy(update={"turns": (FIRE.model_copy(update={"answer": " "}),)}), "empty_turn"),
        (DRAFT.model_copy(update={"turns": (FIRE.model_copy(update={"chunk": 4}),)}), "quote_not_found"),
        (DRAFT.model_copy(update={"turns": (FIRE.model_copy(update={"chunk": 1}),)}), "quote_not_found"),
        (DRAFT.model_copy(update={"turns": (FIRE.model_copy(update={"question": QUERY}),)}), "asked_before"),
        (DRAFT.model_copy(update={"question": QUERY.lower()}), "stands_alone"),
    ],
)
async def test_rules_refuse_a_dialogue_without_asking_the_critic(draft: ConversationDraft, reason: str) -> None:
    llm = model(draft)
    outcome = await outcome_of("converse", GIVEN, llm, SETUP)
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason) == ("converse", reason)
    assert {request.prompt for request in llm.requests} == {"draft_conversation"}


@pytest.mark.parametrize(
    ("alone", "verdict", "reason"),
    [
        (ALONE, GOOD, "stands_alone"),
        (LEANS, ConversationVerdict(reason="A year is told.", same=1, open=0), "given_away"),
        (LEANS, ConversationVerdict(reason="Of another tramway.", same=0, open=1), "asks_something_else"),
    ],
)
async def test_the_critic_refuses_a_question_that_leans_on_nothing_is_answered_or_differs(
    alone: QueryVerdict, verdict: ConversationVerdict, reason: str
) -> None:
    llm = model(DRAFT, alone=alone, verdict=verdict)
    outcome = await outcome_of("converse", GIVEN, llm, SETUP)
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.query) == (reason, QUERY)
    # Written, and written anew twice with what the critic said.
    assert sum(request.prompt == "draft_conversation" for request in llm.requests) == 3


async def test_a_dialogue_that_was_mended_passes() -> None:
    outcome = await outcome_of("converse", GIVEN, model(DRAFT.model_copy(update={"turns": ()}), DRAFT), SETUP)
    assert isinstance(outcome, Candidate)
    assert outcome.conversation


async def test_passages_that_carry_no_dialogue_are_a_reject_with_the_writers_words() -> None:
    none = ConversationDraft(reason="All of it gives the year away.", turns=(), question=None)
    outcome = await outcome_of("converse", GIVEN, model(none), SETUP)
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.detail) == ("no_conversation", "All of it gives the year away.")


async def test_a_share_of_queries_stays_without_a_dialogue_and_none_is_asked_for_them() -> None:
    few = Setup(ContextWritingSettings(conversations=ConversationSettings(share=0.5)))
    drawn = [few.converses(GIVEN.model_copy(update={"origin": f"seed {number}"})) for number in range(200)]
    assert 70 < sum(drawn) < 130
    alone = GIVEN.model_copy(update={"origin": f"seed {drawn.index(False)}"})
    assert await outcome_of("converse", alone, Scripted({}), few) == alone


def test_the_stage_is_there_for_conversations_only() -> None:
    assert pipeline(SETUP)[-1].name == "converse"
    assert "converse" not in {stage.name for stage in pipeline(Setup(ContextWritingSettings()))}


def test_turns_are_ordered() -> None:
    with pytest.raises(ValueError, match=r"min_turns \(4\) must not be above max_turns \(3\)"):
        ConversationSettings(share=1, min_turns=4, max_turns=3)
