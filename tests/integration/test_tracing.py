"""A run as its spans show it."""

from pathlib import Path

from tests.fake_openai import Fake
from tests.integration.conftest import Command, url
from tests.otlp_receiver import receiving


def test_a_run_is_one_trace_of_the_run_its_batches_and_their_calls(
    command: Command, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    words = ["single-chunk", str(corpus), "--chunk-size", "100", "--n", "4", "--model", "test-model"]
    with receiving() as receiver:
        send = {**url(fake), "OTEL_EXPORTER_OTLP_ENDPOINT": receiver.url}
        ended = command.run(*words, "--out", str(tmp_path / "out"), **send)
        assert ended.code == 0, ended.err
        spans = {one.id: one for one in receiver.spans()}
        (run,) = (one for one in spans.values() if not one.parent)
        assert {one.trace for one in spans.values()} == {run.trace}
        assert run.name.startswith("4 of ")

        def path(id_: str) -> list[str]:
            one = spans[id_]
            return [*(path(one.parent) if one.parent else []), one.attributes["openinference.span.kind"]]

        calls = [one for one in receiver.of("LLM") if one.attributes["ragset.stage"] in ("draft", "critique")]
        assert {(one.attributes["ragset.stage"], *path(one.id)) for one in calls} == {
            ("draft", "CHAIN", "CHAIN", "LLM"),
            ("critique", "CHAIN", "CHAIN", "EVALUATOR", "LLM"),
        }
        assert all(one.attributes["ragset.chunk.ids"] for one in calls)
        drafted = {one.attributes["ragset.query.id"] for one in receiver.of("EVALUATOR")}
        assert {one.attributes["ragset.query.id"] for one in receiver.of("RETRIEVER")} <= drafted
