import os
import socket
from pathlib import Path

import pytest

from flows.deploy.deployments import Limits
from flows.deploy.service.parts import Addresses, Service, milvus_file, servers, worker
from flows.deploy.service.running import serve, stop
from ragset.errors import InputError
from ragset.settings import Environment
from ragset.settings.lock import hold
from tests.integration.service import first_of_free_ports


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MILVUS_URI", raising=False)
    return tmp_path / "home"


def service_of(folder: Path, env: Environment | None = None) -> Service:
    return Service(folder=folder, port=4200, where=Addresses.of(4200, env or Environment()), served=folder, pids={})


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_port_in_use_is_an_error_that_names_it_and_starts_nothing(home: Path, place: int) -> None:
    first = first_of_free_ports(3)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", first + place))
        taken.listen()
        with pytest.raises(InputError, match=rf"^--port: port {first + place} is in use"):
            serve(first, 1, Limits())
    assert not (home / "service" / "service.json").exists()


def test_a_state_from_before_a_reboot_names_nobody(home: Path) -> None:
    (home / "service").mkdir(parents=True)
    stale = service_of(home / "service").model_copy(update={"pids": {"server": os.getpid(), "worker-1": os.getppid()}})
    (home / "service" / "service.json").write_text(stale.model_dump_json())
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
    for part in servers(service_of(tmp_path), Environment(), "ragset:secret"):
        assert "planted" not in part.env.values()


def test_only_prefects_server_and_the_workers_are_given_the_secret_and_nobody_by_argument(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_API_AUTH_STRING", "of:another")
    env, service = Environment(), service_of(tmp_path)
    started = servers(service, env, "ragset:secret")
    started.append(worker("worker-1", service, env, "ragset:secret"))
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
    started = servers(service_of(tmp_path), Environment(), "ragset:secret")
    hosts = [part.name for part in started if part.env.get("RAGSET_HOSTS") == "ragset.example.org"]
    assert hosts == ["server", "reports"]


def test_workers_are_told_in_full_what_their_runs_may_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSET_ROOTS", "docs, http://wiki.internal")
    monkeypatch.setenv("RAGSET_SYSTEMS", "my_module")
    part = worker("worker-1", service_of(tmp_path), Environment(), "ragset:secret")
    assert part.env["RAGSET_ROOTS"] == f"{tmp_path / 'docs'},http://wiki.internal"
    assert part.env["RAGSET_SYSTEMS"] == "my_module"
    assert "RAGSET_MODELS" not in part.env


def test_a_milvus_server_that_is_named_is_used_and_a_file_that_is_named_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MILVUS_URI", "http://milvus:19530")
    service, env = service_of(tmp_path), Environment()
    assert service.where.milvus is None
    assert {part.name for part in servers(service, env, "a:b")} == {"server", "reports"}
    monkeypatch.setenv("MILVUS_URI", "vectors/mine.db")
    env = Environment()
    assert Addresses.of(4200, env).milvus == "http://127.0.0.1:4202"
    assert milvus_file(env) == tmp_path / "vectors" / "mine.db"
