"""A command's own Prefect server: apart from any other, and gone with the command."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from flows.cli.server import TemporaryServer
from ragset.settings.lock import hold
from tests.integration.conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.service]


def test_commands_that_start_at_once_on_one_home_get_a_server_each(tmp_path: Path) -> None:
    home = tmp_path / "home"
    servers = [TemporaryServer(home) for _ in range(2)]
    try:
        for server in servers:
            server.wait()
        assert {server.folder.name for server in servers} == {"prefect", "prefect-2"}
    finally:
        for server in servers:
            server.stop()
    again = TemporaryServer(home)
    assert again.folder.name == "prefect"
    again.stop()


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


def test_only_the_command_that_started_a_server_can_use_it(prefect_server: TemporaryServer) -> None:
    server = prefect_server
    name, _, password = server.secret.partition(":")
    known, runs = (name, password), f"{server.url}/flow_runs/count"
    assert httpx.post(runs, json={}, auth=known).status_code == 200
    assert httpx.post(runs, json={}).status_code == 401
    # As pages of other sites would ask: by a name of theirs, or from theirs.
    for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
        refused = httpx.post(runs, json={}, auth=known, headers=headers)
        assert refused.status_code == 403
        assert "access-control-allow-origin" not in refused.headers
    assert httpx.get(f"{server.url}/health", headers={"Host": "evil.example"}).status_code == 403
    own = httpx.get(f"{server.url}/health", headers={"Origin": server.url.removesuffix("/api")})
    assert own.headers["access-control-allow-origin"] == server.url.removesuffix("/api")
    assert server.secret.encode() not in (server.folder / "server.log").read_bytes()
    assert httpx.options(runs, headers={"Origin": "http://evil.example"}).status_code == 403
