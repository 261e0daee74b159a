"""What systems receive of goldens of several turns."""

from pathlib import Path
from typing import Any

import pytest

import ragset
from ragset.evaluation.conversations import Form, asked_of
from tests.small_dataset import TEA, corpus_of, golden_of, in_conversation, write_small

PLAIN = golden_of("How long may green tea steep?", "Two minutes.", evidence=((36, 61),))
SAID = in_conversation(golden_of())
DIALOGUE = "User: How long is green tea steeped?\nAssistant: Two minutes.\nUser: And how hot?"


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    write_small(tmp_path / "teas", corpus_of(tmp_path / "given", TEA), (SAID, PLAIN))
    return tmp_path / "teas"


@pytest.mark.parametrize(
    ("form", "received"), [("rewritten", SAID.query), ("question", "And how hot?"), ("history", DIALOGUE)]
)
def test_a_function_of_a_query_alone_receives_one_text(dataset: Path, form: Form, received: str) -> None:
    asked: list[str] = []
    ragset.evaluate(dataset, lambda query: asked.append(query) or [], conversations=form)
    assert asked == [received, PLAIN.query]


def test_functions_with_a_parameter_history_receive_it_as_messages(dataset: Path) -> None:
    asked: list[Any] = []

    async def retrieve(query: str, *, history: list[dict[str, str]]) -> list[str]:
        asked.append((query, len(history)))
        return [TEA.text[:35]]

    def answer(query: str, history: list[dict[str, str]]) -> str:
        asked.append((query, *(one["role"] for one in history)))
        return "80 °C"

    found = ragset.evaluate(dataset, retrieve, answer=answer, conversations="history", concurrency=1)
    assert asked == [("And how hot?", 2), ("And how hot?", "user", "assistant"), (PLAIN.query, 0), (PLAIN.query,)]
    # What it retrieved is the evidence of the query, which the last question stands for.
    assert found.frame.loc[SAID.id, "hit_rate@1"] == 1.0
    assert found.frame.loc[SAID.id, "query"] == SAID.query


def test_a_search_receives_the_words_and_a_reader_who_said_them() -> None:
    asked = asked_of(SAID, "history")
    assert asked.words == "How long is green tea steeped?\nTwo minutes.\nAnd how hot?"
    assert asked.dialogue == DIALOGUE
    assert asked_of(PLAIN, "history").dialogue == asked_of(PLAIN, "question").words == PLAIN.query
