"""Commands as a user types them, each in a process of its own, all with one Prefect server.

Most are forks of one process that has imported everything (`forks.py`). `real=True` starts the program anew, as a user does:
for what is about starting, about a server of the command's own, or about bytes that must not depend on the process.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from flows.cli.server import TemporaryServer
from flows.deploy.service.secret import SENT
from tests.chromium import browser, open_alone
from tests.fake_openai import Fake, fake_openai
from tests.integration.forks import Fork, ForkServer
from tests.integration.service import Service, running_service

__all__ = ["browser", "open_alone"]

ROOT = Path(__file__).parents[2]


class Ended(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Command:
    """`python -m flows` with its own home, and without whatever the machine's environment holds."""

    def __init__(self, home: Path, api: str, forks: ForkServer | None) -> None:
        self.home = home
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "RAGSET_"))}
        self.env = {**inherited, "RAGSET_HOME": str(home), "PREFECT_API_URL": api, "COLUMNS": "120"}
        self._forks = forks

    def beside(self, home: Path) -> "Command":
        """The same with another home."""
        return Command(home, self.env["PREFECT_API_URL"], self._forks)

    def start(
        self, *arguments: str, cwd: Path = ROOT, real: bool = False, **env: str
    ) -> "subprocess.Popen[str] | Fork":
        if self._forks is not None and not real:
            return self._forks.start("flows", arguments, {**self.env, **env}, cwd)
        return subprocess.Popen(
            [sys.executable, "-m", "flows", *arguments],
            cwd=cwd,
            env={**self.env, **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str, timeout: float = 400, cwd: Path = ROOT, real: bool = False, **env: str) -> Ended:
        process = self.start(*arguments, cwd=cwd, real=real, **env)
        out, err = process.communicate(timeout=timeout)
        code = process.returncode
        assert code is not None
        return Ended(code, out, err)


@pytest.fixture(scope="session", autouse=True)
def _interruptible() -> None:
    """What is started here is stopped by Ctrl-C, though the tests themselves may run in the background of a shell."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Generator[ForkServer | None]:
    """None where forks of a process with all these libraries are not safe: every command is started anew there."""
    if sys.platform != "linux":
        yield None
        return
    folder = tmp_path_factory.getbasetemp()
    server = ForkServer(folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder)
    yield server
    server.close()


@pytest.fixture(scope="session")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Generator[TemporaryServer]:
    server = TemporaryServer(tmp_path_factory.mktemp("prefect"))
    server.wait()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SENT, server.secret)
        yield server
        _check_keys(server.url)
    server.stop()


@pytest.fixture(scope="session")
def prefect_api(prefect_server: TemporaryServer) -> str:
    return prefect_server.url


def _check_keys(api: str) -> None:
    """Where a cache key cannot be made, Prefect logs that and keeps nothing; no run of any test may have done so."""
    from tests.integration.prefect import ask_prefect

    logs = ask_prefect(api, "logs/filter", {"logs": {"level": {"ge_": 40}}, "limit": 200})
    faults = [log["message"] for log in logs if "computing cache key" in log["message"]]
    assert not faults, faults[0]


@pytest.fixture
def command(tmp_path: Path, prefect_api: str, forks: ForkServer | None) -> Command:
    return Command(tmp_path / "home", prefect_api, forks)


@pytest.fixture(scope="session")
def _fake_server() -> Generator[Fake]:
    with fake_openai(latency=0.01) as server:
        yield server


@pytest.fixture
def fake(_fake_server: Fake) -> Fake:
    _fake_server.reset()
    return _fake_server


@pytest.fixture(scope="session")
def service(
    tmp_path_factory: pytest.TempPathFactory, _fake_server: Fake, forks: ForkServer | None
) -> Generator[Service]:
    """Prefect's server, Milvus, reports and a worker; its models are those of `fake`."""
    with running_service(tmp_path_factory.mktemp("service"), _fake_server.url, forks) as running:
        yield running


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Three short documents whose every paragraph is a chunk."""
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, subject in (("bells", "bell"), ("glasses", "hourglass"), ("dials", "sundial")):
        paragraphs = [
            f"The {subject} of town number {place} was finished in {1500 + 7 * place} and stood for {90 + place} years. "
            f"Its keeper measured {place * 3 + 2} errors of the {subject} in each season, because damp air in the tower of "
            f"town {place} slowed it down. The council of town {place} paid {place + 11} crowns a year to have it mended."
            for place in range(8)
        ]
        (folder / f"{name}.md").write_text(f"# {name.title()}\n\n" + "\n\n".join(paragraphs) + "\n")
    return folder


def read_lines(path: Path) -> Sequence[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def files_of(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def asked(fake: Fake) -> list[str]:
    """A digest of each question that was answered; the pre-flight call apart."""
    return [entry["digest"] for entry in fake.log() if entry["status"] == 200 and entry["reply"] != "Ready"]


def url(fake: Fake) -> dict[str, str]:
    return {"OPENAI_BASE_URL": fake.url}
