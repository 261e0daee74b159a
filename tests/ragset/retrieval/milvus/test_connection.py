import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from ragset.errors import InputError, StoreError, StoreUnavailable
from ragset.retrieval.milvus.connection import connect, served_milvus
from ragset.settings import Environment


def environment(home: Path, uri: str | None = None, token: str | None = None) -> Environment:
    return Environment(_env_file=None, ragset_home=home, milvus_uri=uri, milvus_token=token)  # type: ignore[call-arg,arg-type]


def in_another_process(home: Path) -> subprocess.CompletedProcess[str]:
    program = f"""
        from pathlib import Path
        from ragset.retrieval.milvus.connection import connect
        from ragset.errors import InputError, StoreError
        from ragset.settings import Environment
        try:
            connect(Environment(_env_file=None, ragset_home=Path({str(home)!r}), milvus_uri=None)).close()
            print("opened")
        except StoreError as error:
            print(error)
    """
    return subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True)


def test_the_default_is_a_file_in_ragset_home(tmp_path: Path) -> None:
    connect(environment(tmp_path / "home")).close()
    assert (tmp_path / "home" / "milvus.db").exists()


def test_another_process_is_told_who_holds_the_file_without_noise(tmp_path: Path) -> None:
    connection = connect(environment(tmp_path))
    other = in_another_process(tmp_path)
    connection.close()
    assert "another process holds" in other.stdout
    assert "milvus.db" in other.stdout
    assert other.stderr == ""


def test_where_a_service_may_hold_the_file_its_address_is_named(tmp_path: Path) -> None:
    connection = connect(environment(tmp_path))
    (tmp_path / "service").mkdir()
    (tmp_path / "service" / "service.json").write_text(json.dumps({"where": {"milvus": "http://127.0.0.1:19530"}}))
    said = in_another_process(tmp_path).stdout
    connection.close()
    assert "another process holds" in said
    assert "If `make serve` is running, set MILVUS_URI to the address that it printed, http://127.0.0.1:19530" in said


@pytest.mark.parametrize("left", ["", "{", "[]", '{"where": null}'])
def test_whatever_a_service_left_is_no_accident(tmp_path: Path, left: str) -> None:
    (tmp_path / "service").mkdir()
    (tmp_path / "service" / "service.json").write_text(left)
    assert served_milvus(tmp_path) is None


def test_a_closed_file_is_free_for_another_process(tmp_path: Path) -> None:
    connect(environment(tmp_path)).close()
    assert in_another_process(tmp_path).stdout == "opened\n"


def test_two_connections_of_one_process_share_the_file_until_the_last_closes(tmp_path: Path) -> None:
    first, second = connect(environment(tmp_path)), connect(environment(tmp_path))
    first.close()
    assert second.client.list_collections() == []
    assert "another process holds" in in_another_process(tmp_path).stdout
    second.close()
    assert in_another_process(tmp_path).stdout == "opened\n"


def test_closing_twice_is_closing_once(tmp_path: Path) -> None:
    first, second = connect(environment(tmp_path)), connect(environment(tmp_path))
    first.close()
    first.close()
    assert second.client.list_collections() == []
    second.close()


def test_the_file_can_be_named(tmp_path: Path) -> None:
    connect(environment(tmp_path, uri=str(tmp_path / "other.db"))).close()
    assert (tmp_path / "other.db").exists()


def test_a_file_of_another_kind_is_refused_with_the_mend(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"MILVUS_URI.*\.db"):
        connect(environment(tmp_path, uri="localhost:19530"))


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "milvus.db").write_text("text")
    with pytest.raises(StoreError, match=r"milvus\.db: open failed"):
        connect(environment(tmp_path))


def test_a_password_in_the_address_of_a_server_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^MILVUS_URI: .*set MILVUS_TOKEN=USER:PASSWORD$"):
        connect(environment(tmp_path, uri="http://root:secret@127.0.0.1:9"))


def test_a_server_that_does_not_answer_is_told_without_its_token(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="MILVUS_URI") as caught:
        connect(environment(tmp_path, uri="http://127.0.0.1:9", token="token-1"))
    assert "token-1" not in str(caught.value)
    assert "127.0.0.1:9" in str(caught.value)
