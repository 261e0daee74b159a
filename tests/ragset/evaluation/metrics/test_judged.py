"""Judged metrics: what the critic says, what needs no critic, and what stays unjudged."""

import math
from collections.abc import Sequence
from typing import Literal

import pytest

from ragset.evaluation.metrics.judged import judge_answer
from ragset.generation.offline import Offline
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import AnswerVerdict, Claim, Claims
from ragset.llm.request_format import strict_schema
from ragset.models import Golden, Span
from tests.scripted import Scripted

PROMPTS = {name: load_prompt(name) for name in ("judge_answer", "judge_faithfulness")}
PASSAGES = ("Skarv harbour has two piers.", "The Ravn foundry closed in 1921, after its furnace exploded.")


def golden(answer: str | None = "In 1921.", kind: str = "single-chunk") -> Golden:
    evidence = (Span(doc_id="d", start=0, end=9),) if answer else ()
    query = "When did the Ravn foundry close?"
    return Golden(id="g-1", query=query, answer=answer, kind=kind, evidence=evidence, chunks=())


NOBODY_KNOWS = golden(None, "unanswerable")


def verdict(score: Literal[1, 2, 3, 4, 5], completeness: float = 1, conciseness: float = 0.5) -> AnswerVerdict:
    return AnswerVerdict(feedback="As it seems.", correctness=score, completeness=completeness, conciseness=conciseness)


def claims(*supported: Literal[0, 1]) -> Claims:
    return Claims(claims=tuple(Claim(claim="It closed.", reason="2 says so.", supported=bit) for bit in supported))


async def judged(
    answer: str | None,
    *,
    of: Golden,
    said: AnswerVerdict | str = "",
    found: Claims | str = "",
    chunks: Sequence[str] = PASSAGES,
) -> tuple[dict[str, float], Scripted]:
    llm = Scripted({"judge_answer": [said], "judge_faithfulness": [found]})
    return await judge_answer(of, answer, chunks, PROMPTS, llm), llm


@pytest.mark.parametrize(("score", "value"), [(1, 0.0), (2, 0.25), (3, 0.5), (4, 0.75), (5, 1.0)])
async def test_correctness_is_scaled_from_one_to_five_to_zero_to_one(
    score: Literal[1, 2, 3, 4, 5], value: float
) -> None:
    scores, _ = await judged("In 1921.", of=golden(), said=verdict(score), found=claims(1))
    assert scores == {
        "correctness": value,
        "completeness": 1.0,
        "conciseness": 0.5,
        "faithfulness": 1.0,
        "attempted": 1.0,
    }


@pytest.mark.parametrize(("bits", "value"), [((1, 0, 1, 1), 0.75), ((0,), 0.0), ((1, 1), 1.0), ((0, 0, 1), 1 / 3)])
async def test_faithfulness_is_the_share_of_claims_that_are_supported(
    bits: tuple[Literal[0, 1], ...], value: float
) -> None:
    scores, _ = await judged("In 1921.", of=golden(), said=verdict(5), found=claims(*bits))
    assert scores["faithfulness"] == pytest.approx(value)


async def test_without_claims_there_is_no_faithfulness() -> None:
    scores, _ = await judged("I do not know.", of=golden(), said=verdict(1, 0), found=claims())
    assert math.isnan(scores["faithfulness"])
    assert (scores["correctness"], scores["completeness"], scores["attempted"]) == (0.0, 0.0, 0.0)


async def test_each_critic_sees_what_it_needs() -> None:
    _, llm = await judged(" In 1921. ", of=golden(), said=verdict(5), found=claims(1))
    seen = {request.prompt: request.inputs for request in llm.requests}
    query = golden().query
    assert seen == {
        "judge_answer": {"query": query, "reference": "In 1921.", "answer": "In 1921."},
        "judge_faithfulness": {"chunks": PASSAGES, "query": query, "answer": "In 1921."},
    }
    assert {request.stage for request in llm.requests} == {"judge_answer"}


async def test_a_judgement_that_cannot_be_read_is_not_a_number_and_spoils_no_other() -> None:
    scores, llm = await judged("In 1921.", of=golden(), said="Good!", found=claims(1, 0))
    assert (scores.pop("faithfulness"), scores.pop("attempted")) == (0.5, 1.0)
    assert set(scores) == {"correctness", "completeness", "conciseness"}
    assert all(map(math.isnan, scores.values()))
    assert sum(request.prompt == "judge_answer" for request in llm.requests) == 3
    scores, _ = await judged("In 1921.", of=golden(), said=verdict(4), found='{"claims": "two"}')
    assert math.isnan(scores["faithfulness"])
    assert scores["correctness"] == 0.75


@pytest.mark.parametrize("share", ["0.7", "2", "-1", "null", "NaN"])
async def test_a_share_is_nothing_half_or_whole(share: str) -> None:
    said = f'{{"feedback": "Fair.", "correctness": 5, "completeness": {share}, "conciseness": 1}}'
    scores, _ = await judged("In 1921.", of=golden(), said=said, found=claims(1))
    assert math.isnan(scores["completeness"])


def test_a_provider_is_told_which_shares_there_are() -> None:
    fields = strict_schema(AnswerVerdict)["properties"]
    assert fields["completeness"] == fields["conciseness"] == {"type": "number", "enum": [0, 0.5, 1]}


@pytest.mark.parametrize("silence", [None, "", "  "])
async def test_an_abstention_where_there_is_an_answer_is_wrong_without_a_call(silence: str | None) -> None:
    scores, llm = await judged(silence, of=golden())
    assert (scores["correctness"], scores["completeness"]) == (0.0, 0.0)
    assert math.isnan(scores["conciseness"])
    assert math.isnan(scores["faithfulness"])
    assert scores["attempted"] == 0.0
    assert "abstention" not in scores
    assert llm.requests == []


async def test_an_abstention_where_there_is_no_answer_is_right_without_a_call() -> None:
    scores, llm = await judged(None, of=NOBODY_KNOWS)
    assert scores.pop("abstention") == 1.0
    assert list(map(math.isnan, scores.values())) == [True]
    assert llm.requests == []


@pytest.mark.parametrize(("found", "abstention"), [(claims(), 1.0), (claims(1), 0.0), (claims(0, 1), 0.0)])
async def test_an_answer_that_claims_nothing_is_an_abstention(found: Claims, abstention: float) -> None:
    scores, llm = await judged("What can one say?", of=NOBODY_KNOWS, found=found)
    assert scores["abstention"] == abstention
    assert set(scores) == {"abstention", "faithfulness"}
    assert [request.prompt for request in llm.requests] == ["judge_faithfulness"]


async def test_an_answer_whose_claims_are_unknown_is_neither_an_abstention_nor_none() -> None:
    scores, _ = await judged("In 1921.", of=NOBODY_KNOWS, found="None.")
    assert set(scores) == {"abstention", "faithfulness"}
    assert all(map(math.isnan, scores.values()))


async def test_without_a_reference_faithfulness_alone_is_judged() -> None:
    scores, llm = await judged("In 1921.", of=golden(""), found=claims(1, 0))
    assert scores == {"faithfulness": 0.5, "attempted": 1.0}
    assert [request.prompt for request in llm.requests] == ["judge_faithfulness"]


async def test_an_answer_from_no_passages_is_judged_too() -> None:
    scores, _ = await judged("In 1921.", of=golden(), said=verdict(5), found=claims(0), chunks=())
    assert (scores["correctness"], scores["faithfulness"]) == (1.0, 0.0)


async def test_the_rules_judge_as_well() -> None:
    right = await judge_answer(golden(), "The Ravn foundry closed in 1921.", PASSAGES, PROMPTS, Offline())
    assert right == dict.fromkeys(("correctness", "completeness", "conciseness", "faithfulness", "attempted"), 1.0)
    wrong = await judge_answer(golden(), "It closed in 1930 for want of orders.", PASSAGES, PROMPTS, Offline())
    unlike = dict.fromkeys(("correctness", "completeness", "conciseness", "faithfulness"), 0.0)
    assert wrong == {**unlike, "attempted": 1.0}
