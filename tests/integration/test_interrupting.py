"""Ctrl-C and SIGTERM in each phase of a command."""

import random
import signal
import threading
from pathlib import Path

import pytest

from tests.integration.conftest import Command

pytestmark = pytest.mark.slow

SECONDS = 15
"""An idle machine needs less than 2; every phase of `large` but the reading takes longer than this on it."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some 40,000 chunks of 64 tokens."""
    folder = tmp_path_factory.mktemp("large")
    chance = random.Random(0)
    words = ["".join(chance.choices("etaoinshrdlucmfw", k=chance.randint(2, 11))) for _ in range(8_000)]
    weights = [1 / (rank + 2) for rank in range(len(words))]
    for number in range(20):
        sentences = (" ".join(chance.choices(words, weights, k=12)).capitalize() + "." for _ in range(2_000))
        (folder / f"{number}.txt").write_text("\n\n".join(sentences))
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of all the commands of this file: what one of them embedded, the next one need not."""
    return tmp_path_factory.mktemp("home")


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
    stage: str, number: signal.Signals, large: Path, home: Path, prefect_api: str
) -> None:
    process = Command(home, prefect_api).start("index", str(large), "--chunk-size", "64")
    told: list[str] = []
    reached = threading.Event()

    def read() -> None:
        for line in process.stderr or ():
            told.append(line)
            if line.startswith(stage):
                reached.set()

    reader = threading.Thread(target=read)
    reader.start()
    try:
        assert reached.wait(300), told
        process.send_signal(number)
        assert process.wait(SECONDS) == 130
    finally:
        process.kill()
        process.communicate()
        reader.join()
    assert "run the same command to go on" in told[-1]
    assert "Traceback" not in "".join(told)
