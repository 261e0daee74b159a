"""A critic asked from a program that runs no flow."""

import pytest

from ragset.evaluation.critic import in_event_loop
from ragset.llm.tracing import span
from tests.otlp_receiver import receiving, tracing


async def judged() -> str:
    with span("judge_answer", "EVALUATOR", dict):
        return "right"


async def test_where_a_loop_is_running_spans_of_judgements_are_children_of_the_span_that_is_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with receiving() as receiver, tracing(monkeypatch, receiver.url):
        with span("cell of a notebook", "CHAIN", dict):
            assert in_event_loop(judged()) == "right"
        cell, judgement = receiver.spans()
    assert (judgement.parent, judgement.trace) == (cell.id, cell.trace)
