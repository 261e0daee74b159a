"""New orders of passages, and the old one where there is no new one."""

import asyncio
import sys
import threading
import time
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.errors import InputError
from ragset.generation.offline import Offline
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import Ranking
from ragset.retrieval.rerank import CrossEncoder, LLMReranker, Reranking, complain_of_order
from tests.scripted import Scripted

PROMPT = load_prompt("rerank_passages")
QUERY = "Why does green tea turn bitter?"
TEXTS = ("Oolong is brown.", "Green tea grows in Uji.", "Hot water makes green tea bitter.", "Tea.")


def order(*numbers: int) -> Ranking:
    return Ranking(reason="As it seems.", order=numbers)


async def reranked(*replies: Ranking | str, texts: Sequence[str] = TEXTS) -> tuple[Reranking, Scripted]:
    llm = Scripted({"rerank_passages": replies})
    return await LLMReranker(PROMPT, llm).rerank(QUERY, texts), llm


async def test_scores_fall_in_the_order_of_the_model_and_stand_in_that_of_the_passages() -> None:
    outcome, llm = await reranked(order(3, 2, 4, 1))
    # The third of four is first: 1; then the second: 3/4; the fourth: 2/4; the first: 1/4.
    assert outcome == Reranking([0.25, 0.75, 1.0, 0.5])
    assert [request.stage for request in llm.requests] == ["rerank"]


async def test_passages_after_the_thirtieth_are_not_shown_and_stay_behind() -> None:
    texts = [f"Passage {number}." for number in range(1, 33)]
    outcome, llm = await reranked(order(*range(30, 0, -1)), texts=texts)
    best_first = sorted(range(32), key=lambda place: -outcome.scores[place])
    assert best_first == [*range(29, -1, -1), 30, 31]
    assert len(llm.requests[0].inputs["chunks"]) == 30


async def test_a_long_passage_is_cut_for_the_model() -> None:
    _, llm = await reranked(order(1, 2), texts=("a" * 2_001, "b"))
    assert [len(text) for text in llm.requests[0].inputs["chunks"]] == [2_000, 1]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (order(3, 1), "Give each number from 1 to 4 once: 2, 4 missing."),
        (order(1, 2, 3, 4, 4, 1), "Give each number from 1 to 4 once: 1, 4 there more than once."),
        (order(1, 2, 3, 4, 0, 9), "Give each number from 1 to 4 once: 0, 9 of no passage."),
        (
            order(5, 1, 1),
            "Give each number from 1 to 4 once: 2, 3, 4 missing; 1 there more than once; 5 of no passage.",
        ),
    ],
)
async def test_an_order_that_is_none_is_asked_for_once_more(wrong: Ranking, said: str) -> None:
    outcome, llm = await reranked(wrong, order(4, 3, 2, 1))
    assert outcome == Reranking([0.25, 0.5, 0.75, 1.0])
    assert llm.requests[1].messages[-1].content.startswith(said)


@pytest.mark.parametrize(("reply", "reason"), [(order(3, 1), "wrong_order"), ("No.", "malformed_reply")])
async def test_without_an_order_that_of_the_retrieval_stays_and_the_outcome_says_so(
    reply: Ranking | str, reason: str
) -> None:
    outcome, _ = await reranked(reply)
    assert outcome.scores == [1.0, 0.75, 0.5, 0.25]
    assert outcome.unfit is not None
    assert outcome.unfit.reason == reason


async def test_fewer_than_two_passages_are_in_order_unasked() -> None:
    llm = Scripted({})
    assert await LLMReranker(PROMPT, llm).rerank(QUERY, ()) == Reranking([])
    assert await LLMReranker(PROMPT, llm).rerank(QUERY, TEXTS[:1]) == Reranking([1.0])
    assert llm.requests == []


@given(st.permutations(range(1, 8)))
def test_every_permutation_is_an_order(numbers: list[int]) -> None:
    assert complain_of_order(order(*numbers), 7) is None
    assert complain_of_order(order(*numbers[1:]), 7) is not None


async def test_the_rules_rank_as_well() -> None:
    outcome = await LLMReranker(PROMPT, Offline()).rerank(QUERY, TEXTS)
    # Only the third speaks of bitterness; the second has green and tea, the fourth tea, the first nothing.
    assert outcome == Reranking([0.25, 0.75, 1.0, 0.5])


class Lengths:
    """Has the shape of a sentence_transformers.CrossEncoder: the score of a pair is the length of its passage."""

    busy = 0

    def __init__(self, name: str) -> None:
        if name == "missing":
            raise OSError("no such model\nand a long trace")
        self._name = name

    def predict(self, pairs: list[tuple[str, str]], **_: Any) -> Any:
        Lengths.busy += 1
        assert Lengths.busy == 1, "two threads in one model"
        time.sleep(0.01)
        Lengths.busy -= 1
        assert threading.current_thread() is not threading.main_thread()
        assert all(query == QUERY for query, _ in pairs)
        if self._name == "classifier":
            return np.ones((len(pairs), 3), dtype=np.float32)
        scores = np.array([len(text) for _, text in pairs], dtype=np.float32)
        return scores * np.nan if self._name == "broken" else scores


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is too large for the tests; what is ours is shown on the two calls that are made of it."""
    module = ModuleType("sentence_transformers")
    module.CrossEncoder = Lengths  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)


@pytest.mark.usefixtures("library")
async def test_a_cross_encoder_scores_each_passage_with_the_query() -> None:
    assert await CrossEncoder("m").rerank(QUERY, ("four", "a", "three")) == Reranking([4.0, 1.0, 5.0])
    assert await CrossEncoder("m").rerank(QUERY, ()) == Reranking([])


@pytest.mark.usefixtures("library")
async def test_queries_at_the_same_time_take_turns() -> None:
    encoder = CrossEncoder("m")
    outcomes = await asyncio.gather(*(encoder.rerank(QUERY, ("a" * size,)) for size in range(1, 9)))
    assert [outcome.scores for outcome in outcomes] == [[float(size)] for size in range(1, 9)]


@pytest.mark.usefixtures("library")
def test_a_model_that_cannot_be_loaded_is_one_clear_line() -> None:
    with pytest.raises(InputError, match=r"cross-encoder:missing: .*no such model$"):
        CrossEncoder("missing")


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("model", "said"), [("classifier", r"shape \(2, 3\) for 2"), ("broken", "not a finite number")]
)
async def test_a_model_that_does_not_score_passages_is_refused(model: str, said: str) -> None:
    with pytest.raises(InputError, match=f"cross-encoder:{model}: .*{said}"):
        await CrossEncoder(model).rerank(QUERY, ("a", "b"))


def test_without_the_extra_the_mend_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(InputError, match=r"cross-encoder:m needs .*pip install 'ragset\[local\]'"):
        CrossEncoder("m")
