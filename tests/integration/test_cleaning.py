"""`clean` as a user runs it, between and beside other commands."""

import shutil
import signal
import time
from pathlib import Path

import pytest

from tests.fake_openai import Fake
from tests.integration.conftest import Command, files_of, url

pytestmark = pytest.mark.slow


def making(corpus: Path, out: Path) -> list[str]:
    chosen = ["--chunk-size", "100", "--embedding", "e", "--model", "test-model", "--n", "6", "--json"]
    return ["single-chunk", str(corpus), *chosen, "--out", str(out)]


def test_what_was_freed_is_made_again_without_a_call(
    command: Command, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    kept, other = tmp_path / "kept", tmp_path / "other"
    shutil.copytree(corpus, tmp_path / "more")
    (tmp_path / "more" / "new.txt").write_text(
        "The clock of the harbour was lit by gas from 1871 on, so that ships could read it."
    )
    for documents, out in ((corpus, kept), (tmp_path / "more", other)):
        made = command.run(*making(documents, out), **url(fake))
        assert made.code == 0, made.err
    before, calls = files_of(other), len(fake.log())
    collections = set((command.home / "milvus.db" / "collections").iterdir())

    shown = command.run("clean", str(kept), "--days", "0")
    assert shown.code == 0, shown.err
    assert "of other documents" in shown.out
    assert "The same command with --yes frees it." in shown.err
    assert set((command.home / "milvus.db" / "collections").iterdir()) == collections

    freed = command.run("clean", str(kept), "--days", "0", "--yes", "--json")
    assert freed.code == 0, freed.err
    goes = {
        kind: [item["goes"] for item in freed.json["items"] if item["kind"] == kind] for kind in ("index", "corpus")
    }
    assert {kind: sorted(values) for kind, values in goes.items()} == {"index": [False, True], "corpus": [False, True]}
    assert freed.json["bytes"] > 0
    assert not any((command.home / "results").iterdir())
    assert len(set((command.home / "milvus.db" / "collections").iterdir())) == 1

    shutil.rmtree(other)
    again = command.run(*making(tmp_path / "more", other), **url(fake))
    assert again.code == 0, again.err
    assert again.json["this_run"]["calls"] == 0
    assert len(fake.log()) == calls
    assert files_of(other) == before


def test_while_a_command_runs_nothing_is_freed(command: Command, fake: Fake, corpus: Path, tmp_path: Path) -> None:
    fake.set(latency=2.0)
    run = command.start(*making(corpus, tmp_path / "out"), **url(fake))
    try:
        deadline = time.monotonic() + 60
        while not list(command.home.glob("corpora/*/*.jsonl")) and time.monotonic() < deadline:
            time.sleep(0.1)
        refused = command.run("clean", "--days", "0", "--yes")
        assert refused.code == 2
        assert "a run is using" in refused.err
        assert list(command.home.glob("corpora/*/*.jsonl"))
        assert run.poll() is None
    finally:
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=400)
    assert command.run("clean", "--days", "0", "--yes").code == 0
    assert not list(command.home.glob("corpora/*"))


def test_a_home_that_is_not_there_holds_nothing(command: Command) -> None:
    shown = command.run("clean", "--yes", "--json")
    assert (shown.code, shown.json["items"]) == (0, [])
    assert not command.home.exists()
