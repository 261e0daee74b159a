"""Embeddings behind an endpoint, in commands as a user runs them: each text is paid for once, counted, and within the budget."""

import json
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.fake_openai import Fake
from tests.integration.conftest import Command, files_of, url

pytestmark = pytest.mark.slow


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Small requests, and prices of all that is asked."""
    (tmp_path / "prices.yaml").write_text("models: {e: {input: 1000, output: 0}, test-model: {input: 0, output: 0}}\n")
    path = tmp_path / "run.yaml"
    path.write_text("embedding: {model: e, batch_size: 4}\n")
    return path


def making(corpus: Path, config: Path, out: Path, *more: str) -> list[str]:
    chosen = ["--chunk-size", "100", "--config", str(config), "--model", "test-model", "--n", "6", "--json"]
    return ["single-chunk", str(corpus), *chosen, "--out", str(out), *more]


def env(fake: Fake, config: Path) -> dict[str, str]:
    return {**url(fake), "RAGSET_PRICES": str(config.with_name("prices.yaml"))}


def embedded(fake: Fake) -> list[str]:
    """Digests of the requests for embeddings that were answered."""
    return [entry["digest"] for entry in fake.log() if entry["path"].endswith("embeddings") and entry["status"] == 200]


def spent(out: Path) -> Mapping[str, Mapping[str, Any]]:
    rows = json.loads((out / "manifest.json").read_text())["usage"]
    return {row["prompt"]: row for row in rows if row["stage"] == "embed"}


def test_embeddings_are_counted_and_a_second_run_asks_for_none(
    command: Command, fake: Fake, corpus: Path, config: Path, tmp_path: Path
) -> None:
    first = command.run(*making(corpus, config, tmp_path / "out"), **env(fake, config))
    assert first.code == 0, first.err
    requests = [entry for entry in fake.log() if entry["path"].endswith("embeddings")]
    rows = spent(tmp_path / "out")
    assert set(rows) == {"(chunks)", "(queries)"}
    assert sum(row["calls"] for row in rows.values()) == len(requests) > 5
    tokens = sum(row["prompt_tokens"] for row in rows.values())
    assert tokens == sum(entry["prompt_tokens"] for entry in requests)
    # a thousand dollars for a million tokens; the model that writes is free
    assert first.json["totals"]["cost"] == pytest.approx(tokens / 1_000)
    assert first.json["this_run"]["cost"] == pytest.approx(tokens / 1_000)
    assert first.json["this_run"]["calls"] == first.json["totals"]["calls"]
    assert "<td>embed</td><td><code>(chunks)</code></td>" in (tmp_path / "out" / "report.html").read_text()
    before = files_of(tmp_path / "out")
    again = command.run(*making(corpus, config, tmp_path / "out"), **env(fake, config))
    assert again.json["this_run"]["calls"] == 0
    assert len(embedded(fake)) == len(requests)
    assert files_of(tmp_path / "out") == before


def test_by_default_the_embedding_model_that_the_endpoint_lists_is_asked(
    command: Command, fake: Fake, corpus: Path, config: Path, tmp_path: Path
) -> None:
    fake.set(models="nomic-embed-text,test-model")
    config.write_text("")
    made = command.run(*making(corpus, config, tmp_path / "out"), **env(fake, config))
    assert made.code == 0, made.err
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["models"]["embedding"] == manifest["parameters"]["embedding"]["model"] == "nomic-embed-text"
    assert {entry["model"] for entry in fake.log() if entry["path"].endswith("embeddings")} == {"nomic-embed-text"}
    assert fake.stats()["listed"] == 1


def test_killed_while_embedding_and_run_again_asks_for_no_text_twice_and_the_bytes_are_the_same(
    command: Command, fake: Fake, corpus: Path, config: Path, tmp_path: Path
) -> None:
    whole = command.beside(tmp_path / "other")
    assert whole.run(*making(corpus, config, tmp_path / "whole"), **env(fake, config)).code == 0
    undisturbed = embedded(fake)
    fake.reset()
    fake.set(answers=4)  # the call that looks whether the model is there, and three requests; the others hang
    process = command.start(*making(corpus, config, tmp_path / "killed"), **env(fake, config))
    while process.poll() is None and fake.stats()["answered"] < 4:
        time.sleep(0.02)
    time.sleep(0.5)  # what was answered just now is written
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert len(embedded(fake)) == 3
    fake.set(answers=0)
    assert command.run(*making(corpus, config, tmp_path / "killed"), **env(fake, config)).code == 0
    assert sorted(embedded(fake)) == sorted(undisturbed)
    assert files_of(tmp_path / "killed") == files_of(tmp_path / "whole")


def test_a_budget_that_is_spent_while_embedding_ends_the_run_and_a_larger_one_goes_on(
    command: Command, fake: Fake, corpus: Path, config: Path, tmp_path: Path
) -> None:
    short = command.run(*making(corpus, config, tmp_path / "out", "--max-calls", "3"), **env(fake, config))
    assert short.code == 4
    assert "budget" in short.json["error"].lower()
    assert len(embedded(fake)) == 3
    full = command.run(*making(corpus, config, tmp_path / "out", "--max-calls", "200"), **env(fake, config))
    assert full.code == 0, full.err
    assert len(embedded(fake)) == len(set(embedded(fake))) > 3


def test_a_budget_that_leaves_nothing_for_the_queries_still_gives_goldens(
    command: Command, fake: Fake, corpus: Path, config: Path, tmp_path: Path
) -> None:
    made = command.run(*making(corpus, config, tmp_path / "all"), **env(fake, config))
    calls = made.json["totals"]["calls"] - spent(tmp_path / "all")["(queries)"]["calls"]
    fresh = command.beside(tmp_path / "fresh")
    arguments = making(corpus, config, tmp_path / "out", "--max-calls", str(calls))
    short = fresh.run(*arguments, **env(fake, config))
    assert short.json["kept"] > 0, short.err
    assert "by their words alone" in " ".join(json.loads((tmp_path / "out" / "manifest.json").read_text())["notices"])


def test_an_unknown_price_is_refused_where_a_cost_is_limited(
    command: Command, fake: Fake, corpus: Path, config: Path, tmp_path: Path
) -> None:
    (tmp_path / "prices.yaml").write_text("models: {test-model: {input: 0, output: 0}}\n")
    ended = command.run(*making(corpus, config, tmp_path / "out", "--max-cost", "1"), **env(fake, config))
    assert ended.code == 2
    assert "the price of e is unknown" in ended.json["error"]
    assert embedded(fake) == []


def test_sentences_that_chunks_are_cut_by_are_embedded_once(
    command: Command, fake: Fake, corpus: Path, config: Path
) -> None:
    arguments = ["index", str(corpus), "--chunking", "semantic", "--config", str(config), "--json"]
    first = command.run(*arguments, **env(fake, config))
    assert first.code == 0, first.err
    assert {row["prompt"] for row in first.json["usage"]} == {"(sentences)", "(chunks)"}
    asked = len(embedded(fake))
    second = command.run(*arguments, **env(fake, config))
    assert second.json["usage"] == first.json["usage"]
    assert len(embedded(fake)) == asked > 0
