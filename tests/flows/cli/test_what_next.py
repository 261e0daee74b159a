"""The commands that a command ends with: each can be pasted into a shell."""

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

import flows.__main__  # noqa: F401  # pyright: ignore[reportUnusedImport] (it names all commands)
from flows.cli import what_next
from flows.cli.app import _with_options  # pyright: ignore[reportPrivateUsage]
from flows.cli.terminal import print_result
from flows.cli.what_next import (
    after_correcting,
    after_estimate,
    after_export,
    after_index,
    after_making,
    after_plan,
    after_train_data,
    after_training,
    of_dataset,
    words_without,
)
from ragset.dataset import Totals
from ragset.dataset.exporters import EXPORTERS, Exported
from ragset.evaluation.effect.model import Effect
from ragset.evaluation.results.planning import Plan
from ragset.generation.estimate import Estimate
from ragset.models import Usage
from ragset.settings.command_line import Next, command
from tasks.dataset import DatasetSummary
from tasks.effect import TrainedSummary

NOTHING = Totals(calls=0, prompt_tokens=0, completion_tokens=0, cost=0.0)


def options_of(name: str) -> set[str]:
    params = _with_options[name]().params
    return {option for param in params for option in (*param.opts, *param.secondary_opts) if option.startswith("--")}


def typed(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.setattr(sys, "argv", ["flows/__main__.py", *shlex.split(line)])


def words_of(step: Next) -> list[str]:
    """What follows the program."""
    return shlex.split(step.command)[len(shlex.split(command())) :]


def made(**changes: Any) -> DatasetSummary:
    facts: dict[str, Any] = {
        "kind": "single-chunk",
        "folder": "out/my set",
        "report": "r",
        "kept": 3,
        "cross_document": 0,
    }
    facts |= {
        "wanted": 3,
        "ended": "complete",
        "documents": 1,
        "unread": (),
        "chunks": 9,
        "funnel": (),
        "totals": NOTHING,
    }
    return DatasetSummary.model_validate({**facts, "generator": "gpt-x", "critic": "gpt-x", **changes})


def test_a_finished_test_set_is_judged_and_benchmarked_next() -> None:
    assert [words_of(step) for step in after_making(made())] == [["review", "out/my set"], ["benchmark", "out/my set"]]


def test_corpus_wide_goldens_are_benchmarked_with_a_reader_and_a_critic() -> None:
    _, step = after_making(made(kind="corpus-wide"))
    assert words_of(step) == shlex.split("benchmark 'out/my set' --reader gpt-4o-mini --critic gpt-4o")


def test_after_the_built_in_rules_the_same_documents_are_estimated_with_a_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    typed(monkeypatch, "multi-chunk 'my docs' --n 9 --out=out/x --json --max-calls 5 --chunk-size 96")
    step, *_ = after_making(made(kind="multi-chunk", generator="offline", critic="offline"))
    asked = "estimate 'my docs' --n 9 --chunk-size 96 --model gpt-4o-mini --pipeline multi-chunk"
    assert words_of(step) == shlex.split(asked)


def test_after_training_files_a_reranker_is_trained_on_the_same_set() -> None:
    assert [words_of(step) for step in after_train_data("out/my set")] == [["train-reranker", "out/my set"]]


def test_after_the_demo_the_user_s_own_documents_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "demo --out out/x")
    step, *_ = after_making(made(generator="offline", critic="offline"), examples=True)
    assert words_of(step) == shlex.split("estimate my_docs/ --n 100 --model gpt-4o-mini")


def test_without_a_golden_nothing_is_benchmarked(monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "single-chunk docs")
    assert after_making(made(kept=0)) == ()
    assert [words_of(step)[0] for step in after_making(made(kept=0, generator="offline"))] == ["estimate"]


def test_what_was_estimated_is_run_within_its_upper_end(monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "estimate docs --pipeline multi-chunk --n 10 --pilot 4 --model m")
    row = Usage(stage="draft", prompt="p", model="m", calls=12)
    facts: dict[str, Any] = {"chunks_tried": 1, "chunks_eligible": 9, "passed": 1.0, "basis": "", "totals": NOTHING}
    found = Estimate(goldens=10, usage=(row,), at_least=(row,), at_most=(row, row), **facts)
    # 12 calls in each of two rows
    (step,) = after_estimate(found, "multi-chunk")
    assert words_of(step) == shlex.split("multi-chunk docs --n 10 --model m --max-calls 24")
    assert after_estimate(found.model_copy(update={"goldens": 0}), "multi-chunk") == ()


@pytest.mark.parametrize("run", ["single-chunk", "multi-chunk", "index"])
def test_estimate_takes_the_options_of_a_run_that_are_passed_on(run: str) -> None:
    assert options_of(run) - options_of("estimate") <= what_next._NOT_OF_ESTIMATES  # pyright: ignore[reportPrivateUsage]


def test_what_was_trained_is_benchmarked_beside_the_search_without_it() -> None:
    effect = Effect.model_construct()
    kept = TrainedSummary.model_construct(out="out/adapter", report="r", kept=True, effect=effect)
    measured = "benchmark 'my set' --split test --config out/adapter/grid.yaml --out out/adapter-benchmark"
    assert [words_of(step) for step in after_training(kept, "my set")] == [shlex.split(measured)]
    assert {"--split", "--config", "--out"} <= options_of("benchmark")
    nothing = kept.model_copy(update={"kept": False})
    assert [words_of(step) for step in after_training(nothing, "d")] == [["benchmark", "d", "--split", "test"]]


def test_judgements_of_another_tool_come_back_and_other_exports_are_benchmarked_here() -> None:
    facts: dict[str, Any] = {"out": "o", "dataset": "d", "version": 1, "goldens": 3, "lost": {}}
    for to, words in (("argilla", ["import-review", "out/d", "FILE"]), ("beir", ["benchmark", "out/d"])):
        assert [words_of(step) for step in after_export(Exported(to=to, **facts), "out/d", "single-chunk")] == [words]
    assert set(EXPORTERS) >= what_next._JUDGED_THERE  # pyright: ignore[reportPrivateUsage]


def test_a_plan_leads_to_the_cost_of_a_set_of_that_size_and_a_correction_to_more_judgements() -> None:
    (step,) = after_plan(Plan(difference=0.05, sd=0.3, basis="b", queries=283))
    assert words_of(step) == shlex.split("estimate my_docs/ --n 283 --model gpt-4o-mini")
    (step,) = after_correcting(Path("out/results"), [])
    assert words_of(step) == ["review", "out/results"]


def test_options_are_left_out_with_their_values() -> None:
    line = ["python", "index", "a b", "--n", "5", "--json", "--out=x", "--seed", "1"]
    assert words_without({"--json", "--out", "--n"}, line) == ("a b", "--seed", "1")


def test_documents_that_are_indexed_are_estimated_next(monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "index docs --chunking sentence")
    (step,) = after_index()
    assert words_of(step) == shlex.split("estimate docs --chunking sentence --model gpt-4o-mini")


def test_next_commands_are_for_people_and_not_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    for json in (False, True):
        print_result({"kept": 3}, lambda: None, json=json, then=of_dataset("out/d"))
    for_people, for_scripts = capsys.readouterr().out.split("{")
    assert command("benchmark", "out/d") in for_people
    assert "benchmark" not in for_scripts
