import json
import os
import socket
from pathlib import Path

import pytest

from flows.deploy.deployments import Limits
from flows.deploy.service.parts import AskedPorts, addresses, milvus_file, servers, worker
from flows.deploy.service.running import serve, stop
from ragset.errors import InputError
from ragset.settings import Environment
from ragset.settings.lock import hold


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MILVUS_URI", raising=False)
    return tmp_path / "home"


def free_ports() -> dict[str, int]:
    with socket.socket() as one, socket.socket() as two, socket.socket() as three:
        sockets = {"prefect": one, "reports": two, "milvus": three}
        for taken in sockets.values():
            taken.bind(("127.0.0.1", 0))
        return {name: taken.getsockname()[1] for name, taken in sockets.items()}


def test_ports_that_nobody_asked_for_follow_prefects() -> None:
    assert tuple(AskedPorts().filled.model_dump().values()) == (4200, 4201, 4202)
    assert tuple(AskedPorts(prefect=5000, milvus=19530).filled.model_dump().values()) == (5000, 5001, 19530)


@pytest.mark.parametrize("option", ["--port", "--reports-port", "--milvus-port"])
def test_a_port_in_use_is_an_error_that_names_it_and_its_option_and_starts_nothing(home: Path, option: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        names = {"--port": "prefect", "--reports-port": "reports", "--milvus-port": "milvus"}
        asked = AskedPorts.model_validate({**free_ports(), names[option]: port})
        with pytest.raises(InputError, match=rf"^{option}: port {port} is in use"):
            serve(asked, 1, Limits())
    assert not (home / "service" / "service.json").exists()


def test_a_state_from_before_a_reboot_names_nobody(home: Path) -> None:
    (home / "service").mkdir(parents=True)
    env = Environment()
    ports = AskedPorts().filled
    stale = {
        "ports": ports.model_dump(),
        "where": addresses(ports, env).model_dump(),
        "served": "out",
        "pids": {"server": os.getpid(), "worker-1": os.getppid()},
    }
    (home / "service" / "service.json").write_text(json.dumps(stale))
    assert stop() == 0
    assert not (home / "service" / "service.json").exists()


def test_where_nothing_was_ever_served_nothing_runs() -> None:
    assert stop() == 0


def test_one_command_at_a_time_starts_or_ends_a_service(home: Path) -> None:
    (home / "service").mkdir(parents=True)
    held = hold(home / "service" / "lock")
    assert held is not None
    with pytest.raises(InputError, match="another command is starting or ending"):
        stop()
    os.close(held)


def test_keys_reach_neither_prefects_server_nor_milvus_nor_the_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "planted")
    monkeypatch.setenv("MILVUS_TOKEN", "planted")
    env, ports = Environment(), AskedPorts().filled
    for part in servers(tmp_path, env, tmp_path, ports, addresses(ports, env), "ragset:secret"):
        assert "planted" not in part.env.values()


def test_only_prefects_server_and_the_workers_are_given_the_secret_and_nobody_by_argument(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_API_AUTH_STRING", "of:another")
    env, ports = Environment(), AskedPorts().filled
    where = addresses(ports, env)
    started = servers(tmp_path, env, tmp_path, ports, where, "ragset:secret")
    started.append(worker("worker-1", tmp_path, env, tmp_path, where, "ragset:secret"))
    given = {part.name: [name for name, value in part.env.items() if value == "ragset:secret"] for part in started}
    assert given == {
        "server": ["PREFECT_SERVER_API_AUTH_STRING"],
        "reports": [],
        "milvus": [],
        "worker-1": ["PREFECT_API_AUTH_STRING"],
    }
    assert not any("of:another" in part.env.values() for part in started)
    assert not any("secret" in argument for part in started for argument in part.command)


def test_servers_are_told_by_what_other_names_they_may_be_asked_for(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("RAGSET_HOSTS=ragset.example.org\n")
    env, ports = Environment(), AskedPorts().filled
    started = servers(tmp_path, env, tmp_path, ports, addresses(ports, env), "ragset:secret")
    assert [part.name for part in started if part.env.get("RAGSET_HOSTS") == "ragset.example.org"] == [
        "server",
        "reports",
    ]


def test_workers_are_told_in_full_what_their_runs_may_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSET_ROOTS", "docs, http://wiki.internal")
    monkeypatch.setenv("RAGSET_SYSTEMS", "my_module")
    env, ports = Environment(), AskedPorts().filled
    part = worker("worker-1", tmp_path, env, tmp_path, addresses(ports, env), "ragset:secret")
    assert part.env["RAGSET_ROOTS"] == f"{tmp_path / 'docs'},http://wiki.internal"
    assert part.env["RAGSET_SYSTEMS"] == "my_module"
    assert "RAGSET_MODELS" not in part.env


def test_a_milvus_server_that_is_named_is_used_and_a_file_that_is_named_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = AskedPorts().filled
    monkeypatch.setenv("MILVUS_URI", "http://milvus:19530")
    env = Environment()
    where = addresses(ports, env)
    assert where.milvus is None
    assert {part.name for part in servers(tmp_path, env, tmp_path, ports, where, "a:b")} == {"server", "reports"}
    monkeypatch.setenv("MILVUS_URI", "vectors/mine.db")
    env = Environment()
    assert addresses(ports, env).milvus == "http://127.0.0.1:4202"
    assert milvus_file(env) == tmp_path / "vectors" / "mine.db"
