"""A command's own Prefect server: apart from any other, and gone with the command."""

import asyncio
import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from flows.cli.server import TemporaryServer, check_server, configured_server, keep_template, start_from_template
from ragset.errors import ServerError
from ragset.settings.lock import hold

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _no_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing configured, neither in the environment nor in a file."""
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.delenv("PREFECT_API_AUTH_STRING", raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect-home"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@pytest.mark.service
def test_commands_that_start_at_once_on_one_home_get_a_server_each(tmp_path: Path) -> None:
    home = tmp_path / "home"
    servers = [TemporaryServer(home) for _ in range(3)]
    try:
        for server in servers:
            server.wait()
        assert {server.folder.name for server in servers} == {"prefect", "prefect-2", "prefect-3"}
    finally:
        for server in servers:
            server.stop()
    again = TemporaryServer(home)
    assert again.folder.name == "prefect"
    again.stop()


@pytest.mark.slow
@pytest.mark.service
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_server_ends_with_a_command_that_is_killed_before_the_server_has_started(tmp_path: Path) -> None:
    killed = """
        import os, signal, sys
        from pathlib import Path
        from flows.cli.server import TemporaryServer
        server = TemporaryServer(Path(sys.argv[1]))
        print(server._process.pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    script = "\n".join(line.strip() for line in killed.splitlines())
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    deadline = time.monotonic() + 60
    try:
        while (free := hold(tmp_path / "prefect" / "lock")) is None and time.monotonic() < deadline:
            time.sleep(0.1)
        assert free is not None  # the server has let its folder go, and so has ended
        os.close(free)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(done.stdout), signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.service
def test_only_the_command_that_started_a_server_can_use_it(tmp_path: Path) -> None:
    server = TemporaryServer(tmp_path)
    try:
        server.wait()
        name, _, password = server.secret.partition(":")
        known, runs = (name, password), f"{server.url}/flow_runs/count"
        assert httpx.post(runs, json={}, auth=known).json() == 0
        assert httpx.post(runs, json={}).status_code == 401
        # As pages of other sites would ask: by a name of theirs, or from theirs.
        for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
            refused = httpx.post(runs, json={}, auth=known, headers=headers)
            assert refused.status_code == 403
            assert "access-control-allow-origin" not in refused.headers
        assert httpx.get(f"{server.url}/health", headers={"Host": "evil.example"}).status_code == 403
        own = httpx.get(f"{server.url}/health", headers={"Origin": server.url.removesuffix("/api")})
        assert own.headers["access-control-allow-origin"] == server.url.removesuffix("/api")
        assert server.secret.encode() not in (tmp_path / "prefect" / "server.log").read_bytes()
        assert httpx.options(runs, headers={"Origin": "http://evil.example"}).status_code == 403
    finally:
        server.stop()


def test_a_server_that_ends_while_starting_is_an_error_that_names_its_log(tmp_path: Path) -> None:
    server = TemporaryServer(tmp_path)
    server.stop()
    with pytest.raises(ServerError, match=r"ended with code .*server\.log"):
        server.wait()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".env", "PREFECT_API_URL=http://127.0.0.1:4200/api\n"),
        ("prefect.toml", '[api]\nurl = "http://127.0.0.1:4200/api"\n'),
        ("pyproject.toml", '[tool.prefect.api]\nurl = "http://127.0.0.1:4200/api"\n'),
        (
            "prefect-home/profiles.toml",
            'active = "here"\n[profiles.here]\nPREFECT_API_URL = "http://127.0.0.1:4200/api"\n',
        ),
    ],
)
def test_a_server_is_found_wherever_prefect_would_find_it(tmp_path: Path, name: str, text: str) -> None:
    assert configured_server() is None
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    assert configured_server() == "http://127.0.0.1:4200/api"


def test_a_server_that_does_not_answer_is_an_error_that_names_it() -> None:
    from prefect.settings import PREFECT_API_URL, temporary_settings

    with (
        temporary_settings({PREFECT_API_URL: "http://127.0.0.1:9/api"}),
        pytest.raises(ServerError, match=r"http://127\.0\.0\.1:9/api/ does not answer"),
    ):
        asyncio.run(check_server())


def test_a_new_database_is_a_copy_of_the_first_one_that_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first, second = tmp_path / "first.db", tmp_path / "second.db"
    assert start_from_template(first)  # there is none yet, so that Prefect makes the tables
    with closing(sqlite3.connect(first)) as made:
        made.execute("create table flow (id)")
    keep_template(first)
    assert not start_from_template(second)
    with closing(sqlite3.connect(second)) as copy:
        assert copy.execute("select name from sqlite_master").fetchall() == [("flow",)]
    assert not start_from_template(first)
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    keep_template(first)
    assert start_from_template(tmp_path / "third.db")
