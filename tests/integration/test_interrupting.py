"""Ctrl-C and SIGTERM in each phase of a command."""

import os
import pty
import random
import signal
import subprocess
import sys
from contextlib import suppress
from itertools import accumulate
from pathlib import Path

import pytest

from tests.integration.conftest import ROOT, Command

pytestmark = [pytest.mark.slow, pytest.mark.service]

SECONDS = 60
"""An idle machine needs less than 2, and ends with 0 where the signal is missed."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some 40,000 chunks of 64 tokens."""
    folder = tmp_path_factory.mktemp("large")
    chance = random.Random(0)
    words = ["".join(chance.choices("etaoinshrdlucmfw", k=chance.randint(2, 11))) for _ in range(8_000)]
    weights = list(accumulate(1 / (rank + 2) for rank in range(len(words))))
    for number in range(20):
        sentences = (
            " ".join(chance.choices(words, cum_weights=weights, k=12)).capitalize() + "." for _ in range(2_000)
        )
        (folder / f"{number}.txt").write_text("\n\n".join(sentences))
    return folder


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory, prefect_api: str) -> Command:
    """One home for all of this file: what one command embedded, the next one need not."""
    return Command(tmp_path_factory.mktemp("home"), prefect_api, None)


@pytest.mark.parametrize(
    ("stage", "number"),
    [
        ("starting", signal.SIGINT),
        ("cutting into chunks", signal.SIGINT),
        ("embedding chunks", signal.SIGINT),
        ("filling Milvus", signal.SIGINT),
        ("filling Milvus", signal.SIGTERM),
    ],
)
def test_a_command_that_is_interrupted_ends_soon_and_says_so(
    stage: str, number: signal.Signals, large: Path, command: Command
) -> None:
    """On a terminal, which shows a stage as soon as it begins, however fast the machine is."""
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "flows", "index", str(large), "--chunk-size", "64"]
    env = {**command.env, "TERM": "xterm", "COLUMNS": "200"}
    process = subprocess.Popen(words, cwd=ROOT, env=env, stdout=theirs, stderr=theirs)
    os.close(theirs)
    told, sent = "", False
    try:
        with suppress(OSError):  # which the end of a terminal is
            while piece := os.read(ours, 4_096):
                told += piece.decode(errors="replace")
                if not sent and stage in told:
                    process.send_signal(number)
                    sent = True
        assert process.wait(SECONDS) == 130, told
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert sent, told
    assert "run the same command to go on" in " ".join(told.split())
    assert "Traceback" not in told


def test_without_a_terminal_the_last_line_says_how_to_go_on(large: Path, command: Command) -> None:
    process = command.start("index", str(large), "--chunk-size", "64", real=True)
    assert process.stderr
    assert process.stderr.readline() == "starting\n"
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert "run the same command to go on" in told.splitlines()[-1]
    assert "Traceback" not in told
