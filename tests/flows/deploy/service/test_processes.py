import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from flows.deploy.service import processes
from flows.deploy.service.processes import end, members, start

SLEEPS = "import time; print('ready', flush=True); time.sleep(60)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPS}"
PARENT = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {SLEEPS!r}], start_new_session=True).wait()"


@pytest.fixture
def folder(tmp_path: Path) -> Generator[Path]:
    yield tmp_path
    end(members(tmp_path), tmp_path)
    while _started:
        _started.pop().wait()


_started: "list[subprocess.Popen[bytes]]" = []


def run(folder: Path, code: str) -> int:
    """When it has said that it is ready, which it or its child does."""
    log = folder / "logs" / "one.log"
    process = start([sys.executable, "-c", code], folder, log, os.environ, folder)
    _started.append(process)
    while not log.read_text():
        assert process.poll() is None
    return process.pid


def test_what_a_member_started_is_a_member_though_it_left_the_group_and_lost_its_parent(folder: Path) -> None:
    parent = run(folder, PARENT)
    found = members(folder)
    assert parent in found
    assert len(found) == 2
    os.kill(parent, 9)
    _started[0].wait()
    assert members(folder) == found - {parent}
    end(members(folder), folder)
    assert members(folder) == set()


def test_one_that_does_not_listen_is_killed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "GRACE_SECONDS", 0.3)
    stubborn = run(folder, STUBBORN)
    end({stubborn}, folder)
    assert members(folder) == set()


def test_a_process_without_the_mark_is_nobody_of_ours_whatever_its_number(folder: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", SLEEPS], stdout=subprocess.DEVNULL) as stranger:
        end({stranger.pid, os.getpid()}, folder)
        assert stranger.poll() is None
        stranger.kill()


def test_services_of_two_folders_do_not_know_each_other(folder: Path) -> None:
    run(folder, SLEEPS)
    assert members(folder / "other") == set()
