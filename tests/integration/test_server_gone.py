"""Prefect's server dies in the middle of a run."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from flows.cli.server import TemporaryServer
from flows.deploy.service.secret import SENT
from tests.fake_openai import Fake
from tests.integration.conftest import Command, asked, url
from tests.integration.forks import Fork

pytestmark = [
    pytest.mark.slow,
    pytest.mark.service,
    pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="no /proc to find the server in"),
]

LONGEST = 300
"""Seconds from the death of the server to the end of the command; an idle machine needs 20."""


def own_server(process: subprocess.Popen[str] | Fork) -> int:
    """The process id of the server that the command started."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    (found,) = (int(pid) for pid in children if b"server" in Path(f"/proc/{pid}/cmdline").read_bytes())
    return found


def started(command: Command, fake: Fake, corpus: Path, out: Path, **env: str) -> subprocess.Popen[str] | Fork:
    """A run with several calls under way, of which many are still to come."""
    fake.set(latency=0.5)
    process = command.start(
        "single-chunk", str(corpus), "--n", "20", "--model", "some-model", "--concurrency", "4", "--out", str(out),
        **url(fake), **env,
    )  # fmt: skip
    while process.poll() is None and len(asked(fake)) < 8:
        time.sleep(0.05)
    return process


@pytest.mark.parametrize("whose", ["the command's own", "one that is configured"])
def test_the_command_ends_soon_in_one_line_and_every_reply_is_kept(
    command: Command, fake: Fake, corpus: Path, tmp_path: Path, prefect_api: str, whose: str
) -> None:
    if whose == "the command's own":
        process = started(command, fake, corpus, tmp_path / "out", PREFECT_API_URL="")
        os.kill(own_server(process), signal.SIGKILL)
    else:
        server = TemporaryServer(tmp_path / "server")
        server.wait()
        process = started(command, fake, corpus, tmp_path / "out", PREFECT_API_URL=server.url, **{SENT: server.secret})
        server.stop()
    _, err = process.communicate(timeout=LONGEST)
    assert process.returncode == 3, err
    last = [line for line in err.splitlines() if not re.match(r"\w[\w ]+( · |$)", line)]
    assert len(last) == 1, err
    assert last[0].startswith("Error: ")
    assert "Prefect's server" in last[0]
    assert "run the same command" in last[0]
    before = asked(fake)
    fake.set(latency=0.0)
    again = command.run(
        "single-chunk", str(corpus), "--n", "20", "--model", "some-model", "--out", str(tmp_path / "out"),
        **url(fake),
    )  # fmt: skip
    assert again.code in {0, 4}, again.err
    assert len(asked(fake)) == len({*asked(fake)}) >= len(before)  # nothing was asked twice
