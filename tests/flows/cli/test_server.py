"""Where a command finds Prefect's server, and what one of its own begins with."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from flows.cli.server import TemporaryServer, check_server, configured_server, keep_template, start_from_template
from ragset.errors import ServerError


@pytest.fixture(autouse=True)
def _no_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing configured, neither in the environment nor in a file."""
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.delenv("PREFECT_API_AUTH_STRING", raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect-home"))
    monkeypatch.chdir(tmp_path)


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
