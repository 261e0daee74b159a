from typing import Any

import pytest

from ragset.generation.checks import CheckSettings
from ragset.generation.stage import Models, Setup
from ragset.llm.replies import EvolvedQuery, QueryVerdict
from ragset.models import Candidate, Reject
from ragset.settings import Persona, WritingSettings
from tests.samples import CHUNK, QUERY, candidate, outcome_of, prompts
from tests.scripted import Scripted

PROMPTS = prompts("judge_query", "rewrite_query")
VAGUE = "Who built the clock?"
BETTER = "Who built the clock of the cathedral?"
PASSES = QueryVerdict(feedback="It names its subject.", independent=1, clear=1, verdict=1)
REFUSED = QueryVerdict(feedback="Name the clock.", independent=0, clear=1, verdict=0)
UNCLEAR = QueryVerdict(feedback="Say what is wanted.", independent=1, clear=0, verdict=0)


def rewritten(query: str | None) -> EvolvedQuery:
    return EvolvedQuery(reason="As it seems.", query=query)


async def screened(
    verdicts: list[Any], rewrites: list[Any] | None = None, *, query: str = VAGUE, most: int = 2
) -> tuple[Candidate | Reject, Scripted, Scripted]:
    critic, generator = Scripted({"judge_query": verdicts}), Scripted({"rewrite_query": rewrites or []})
    setup = Setup(WritingSettings(), CheckSettings(judge_queries=True, max_rewrites=most))
    outcome = await outcome_of("screen", candidate(query), Models(generator, critic, generator), setup)
    return outcome, critic, generator


async def test_a_query_that_passes_stays_as_it_is_and_the_generator_is_not_asked() -> None:
    outcome, critic, generator = await screened([PASSES], query=QUERY)
    assert isinstance(outcome, Candidate)
    assert (outcome.query, outcome.metadata) == (QUERY, {"rewrites": 0})
    assert [(step.stage, step.prompt) for step in outcome.lineage] == [("screen", PROMPTS["judge_query"].id)]
    assert critic.requests[0].inputs == {"query": QUERY}
    assert generator.requests == []


async def test_a_refused_query_is_rewritten_by_the_feedback_and_judged_again() -> None:
    outcome, critic, generator = await screened([REFUSED, PASSES], [rewritten(QUERY)])
    assert isinstance(outcome, Candidate)
    assert (outcome.query, outcome.metadata) == (QUERY, {"rewrites": 1, "feedback": ["Name the clock."]})
    assert [(step.kind, step.query) for step in outcome.lineage] == [("rewrite", QUERY), ("", None)]
    told = {"query": VAGUE, "feedback": "Name the clock."}
    assert generator.requests[0].inputs == {"chunk": CHUNK.text, "title": "Tower clocks", **told}
    assert [request.inputs["query"] for request in critic.requests] == [VAGUE, QUERY]


async def test_what_is_refused_after_the_last_rewrite_is_a_reject_with_the_last_query_and_feedback() -> None:
    outcome, critic, generator = await screened([REFUSED, REFUSED, UNCLEAR], [rewritten(BETTER), rewritten(QUERY)])
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason, outcome.query) == ("screen", "unclear", QUERY)
    assert outcome.detail == "rewritten 2 times: Say what is wanted."
    assert (len(critic.requests), len(generator.requests)) == (3, 2)


@pytest.mark.parametrize(("verdict", "reason"), [(REFUSED, "not_standalone"), (UNCLEAR, "unclear")])
async def test_without_rewrites_the_first_refusal_is_the_last(verdict: QueryVerdict, reason: str) -> None:
    outcome, critic, generator = await screened([verdict], most=0)
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.detail, outcome.query) == (reason, verdict.feedback, VAGUE)
    assert (len(critic.requests), generator.requests) == (1, [])


@pytest.mark.parametrize("bits", [(0, 1, 1), (1, 0, 1), (1, 1, 0)])
async def test_a_verdict_that_gainsays_its_own_bits_is_no_pass(bits: tuple[int, int, int]) -> None:
    independent, clear, verdict = bits
    doubtful = QueryVerdict.model_validate(
        {"feedback": "Hm.", "independent": independent, "clear": clear, "verdict": verdict}
    )
    assert isinstance((await screened([doubtful], most=0))[0], Reject)


@pytest.mark.parametrize("query", [None, " ", VAGUE, f" {VAGUE} "])
async def test_a_query_that_cannot_be_rewritten_is_a_reject_with_the_feedback_and_the_reason(query: str | None) -> None:
    outcome, critic, _ = await screened([REFUSED], [rewritten(query)])
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.detail, outcome.query) == ("not_rewritten", "Name the clock. As it seems.", VAGUE)
    assert len(critic.requests) == 1


async def test_a_rewriting_that_leans_is_asked_for_once_more_then_a_reject() -> None:
    leaning = rewritten("What does this passage say about the clock?")
    assert isinstance((await screened([REFUSED, PASSES], [leaning, rewritten(QUERY)]))[0], Candidate)
    outcome, _, generator = await screened([REFUSED], [leaning])
    assert isinstance(outcome, Reject)
    assert (outcome.reason, len(generator.requests)) == ("leans_on_passage", 2)


async def test_a_verdict_or_a_rewriting_that_cannot_be_read_is_a_reject_and_never_a_verdict() -> None:
    outcome, critic, _ = await screened(['{"feedback": "x", "independent": "perhaps", "clear": 1, "verdict": 1}'])
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason, len(critic.requests)) == ("screen", "malformed_reply", 3)
    outcome, _, generator = await screened([REFUSED], ["null"])
    assert isinstance(outcome, Reject)
    assert (outcome.reason, len(generator.requests)) == ("malformed_reply", 3)


async def test_a_rewritten_query_that_says_who_asks_is_asked_for_once_more_then_a_reject() -> None:
    personas = (Persona(name="bell ringer", voice="short"),)
    setup = Setup(WritingSettings(personas=personas), CheckSettings(judge_queries=True))
    leak = rewritten("I'm a bell ringer, who built the clock of the cathedral?")

    async def told(rewrites: list[Any]) -> Candidate | Reject:
        llm = Scripted({"judge_query": [REFUSED, PASSES], "rewrite_query": rewrites})
        return await outcome_of("screen", candidate(VAGUE), llm, setup)

    outcome = await told([leak, rewritten(BETTER)])
    assert isinstance(outcome, Candidate)
    assert outcome.query == BETTER
    outcome = await told([leak])
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.query) == ("speaks_of_persona", VAGUE)
