"""Runs on real clusters of Dask, of several processes."""

import os
import signal
import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import psutil
import pytest
from distributed import LocalCluster
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings

from flows.cli.server import TemporaryServer
from ragset.settings import RunnerSettings
from tests.engines.duties import check_cancelling, check_workers
from tests.fake_openai import Fake
from tests.integration.conftest import Command, asked, files_of, url
from tests.otlp_receiver import receiving

pytestmark = [pytest.mark.engines, pytest.mark.xdist_group("dask")]

AT_ONCE = 4


@pytest.fixture
def _prefect(prefect_server: TemporaryServer) -> Generator[None]:
    with temporary_settings({PREFECT_API_URL: prefect_server.url, PREFECT_API_AUTH_STRING: prefect_server.secret}):
        yield


@pytest.mark.usefixtures("_prefect")
async def test_a_running_cluster_does_the_work_and_drops_what_is_cancelled(tmp_path: Path) -> None:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        settings = RunnerSettings(kind="dask", address=cluster.scheduler_address)
        await check_workers(settings, 2)
        await check_cancelling(settings, tmp_path / "told")


def test_neither_ctrl_c_nor_a_killed_worker_loses_a_reply_and_the_dataset_is_that_of_one_process(
    command: Command, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    words = ["single-chunk", str(corpus), "--chunk-size", "100", "--n", "15", "--model", "test-model"]
    words += ["--embedding", "offline", "--concurrency", str(AT_ONCE)]
    assert command.beside(tmp_path / "other").run(*words, "--out", str(tmp_path / "local"), **url(fake)).code == 0
    wanted = Counter(asked(fake))
    fake.reset()
    fake.set(latency=0.3)
    words += ["--out", str(tmp_path / "dask"), "--runner", "dask", "--workers", "2"]

    process = command.start(*words, real=True, **url(fake))
    workers = when_answered(6, fake, process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "run the same command to go on" in err
    assert not psutil.wait_procs(workers, timeout=10)[1]

    with receiving() as receiver:
        process = command.start(*words, real=True, **url(fake), OTEL_EXPORTER_OTLP_ENDPOINT=receiver.url)
        when_answered(len(asked(fake)) + 4, fake, process)[0].kill()
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, out + err
        # What workers do is in the trace of the run.
        spans = receiver.spans()
        assert {one.name for one in spans} >= {"work on tasks.pipeline:run_here", "chat test-model"}
        assert len({one.trace for one in spans}) == 1
    assert files_of(tmp_path / "dask") == files_of(tmp_path / "local")
    answered = Counter(asked(fake))
    assert set(answered) == set(wanted)
    # What was on its way to a worker when it ended was never kept.
    assert (answered - wanted).total() <= AT_ONCE + AT_ONCE / 2


def test_a_killed_run_by_batch_on_a_cluster_is_taken_up_and_asks_no_request_twice(
    command: Command, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    words = ["single-chunk", str(corpus), "--chunk-size", "100", "--n", "8", "--model", "test-model"]
    words += ["--embedding", "offline", "--mode", "batch"]
    assert command.beside(tmp_path / "other").run(*words, "--out", str(tmp_path / "local"), **url(fake)).code == 0
    wanted = sorted(asked(fake))
    fake.reset()
    fake.set(batch_seconds=3.0)
    words += ["--out", str(tmp_path / "dask"), "--runner", "dask", "--workers", "2"]
    process = command.start(*words, real=True, **url(fake))
    while process.poll() is None and not fake.stats()["batches"]:
        time.sleep(0.05)
    workers = [one for one in psutil.Process(process.pid).children(recursive=True) if is_worker(one)]
    assert workers  # they have read, cut and embedded
    process.kill()
    process.communicate(timeout=60)
    assert not psutil.wait_procs(workers, timeout=60)[1]
    fake.set(batch_seconds=0.0)
    ended = command.run(*words, real=True, **url(fake))
    assert ended.code == 0, ended.err
    assert sorted(asked(fake)) == wanted
    assert files_of(tmp_path / "dask") == files_of(tmp_path / "local")


def when_answered(calls: int, fake: Fake, process: Any) -> list[psutil.Process]:
    """The workers of the command, as soon as so many calls were answered."""
    while process.poll() is None and len(asked(fake)) < calls:
        time.sleep(0.05)
    assert process.poll() is None, process.communicate()
    return [one for one in psutil.Process(process.pid).children(recursive=True) if is_worker(one)]


def is_worker(process: psutil.Process) -> bool:
    """Whether it is one of Dask's."""
    return "spawn_main" in " ".join(process.cmdline())
