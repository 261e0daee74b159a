"""What the reader answers from the passages, and when it says nothing."""

import pytest

from ragset.evaluation.reader import read
from ragset.generation.offline import Offline
from ragset.llm.ask import Unfit
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import ReaderAnswer
from tests.scripted import Scripted

PROMPT = load_prompt("read_passages")
QUERY = "When did the Ravn foundry close?"
PASSAGES = ("Skarv harbour has two piers.", "The Ravn foundry closed in 1921.")


def answered(answer: str | None, *numbers: int) -> ReaderAnswer:
    return ReaderAnswer(reason="2 states it.", verdict="answered", answer=answer, chunks=numbers)


def abstained(answer: str | None = None, *numbers: int) -> ReaderAnswer:
    return ReaderAnswer(reason="Neither tells.", verdict="abstained", answer=answer, chunks=numbers)


async def reading(*replies: ReaderAnswer | str) -> tuple[ReaderAnswer | Unfit, Scripted]:
    llm = Scripted({"read_passages": replies})
    return await read(QUERY, PASSAGES, PROMPT, llm), llm


async def test_an_answer_comes_with_the_passages_it_is_made_from_each_once_in_order() -> None:
    outcome, llm = await reading(answered(" In 1921. ", 2, 1, 2))
    assert outcome == answered("In 1921.", 1, 2)
    assert [request.stage for request in llm.requests] == ["read"]


async def test_the_model_sees_the_passages_by_number_and_the_query() -> None:
    _, llm = await reading(answered("In 1921.", 2))
    shown = llm.requests[0].messages[-1].content
    assert '<chunk n="2">\nThe Ravn foundry closed in 1921.\n</chunk>' in shown
    assert f"<query>{QUERY}</query>" in shown


async def test_an_abstention_has_no_answer_whatever_else_is_said() -> None:
    assert (await reading(abstained()))[0] == abstained()
    assert (await reading(abstained("Perhaps in 1921.", 2)))[0] == abstained()


async def test_an_answer_need_not_name_its_passages() -> None:
    assert (await reading(answered("In 1921.")))[0] == answered("In 1921.")


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (answered(None, 2), "empty_answer"),
        (answered("  ", 2), "empty_answer"),
        (answered("In 1921.", 2, 3), "wrong_chunks"),
        (answered("In 1921.", 0), "wrong_chunks"),
    ],
)
async def test_an_answer_of_nothing_or_from_nowhere_is_asked_for_once_more(wrong: ReaderAnswer, reason: str) -> None:
    outcome, llm = await reading(wrong, answered("In 1921.", 2))
    assert outcome == answered("In 1921.", 2)
    assert len(llm.requests) == 2
    outcome, llm = await reading(wrong)
    assert isinstance(outcome, Unfit)
    assert outcome.reason == reason
    assert len(llm.requests) == 2


async def test_a_reply_that_cannot_be_read_is_unfit() -> None:
    outcome, llm = await reading("In 1921, I think.")
    assert isinstance(outcome, Unfit)
    assert outcome.reason == "malformed_reply"
    assert len(llm.requests) == 3


async def test_without_passages_it_abstains_unasked() -> None:
    llm = Scripted({})
    outcome = await read(QUERY, (), PROMPT, llm)
    assert isinstance(outcome, ReaderAnswer)
    assert (outcome.verdict, outcome.answer) == ("abstained", None)
    assert llm.requests == []


async def test_the_rules_read_as_well() -> None:
    outcome = await read(QUERY, PASSAGES, PROMPT, Offline())
    assert isinstance(outcome, ReaderAnswer)
    assert outcome.answer
    assert "1921" in outcome.answer
    assert outcome.chunks == (2,)
