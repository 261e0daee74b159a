import json
import subprocess
import sys
import textwrap
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from ragset.errors import InputError, StoreError, StoreUnavailable
from ragset.retrieval.milvus.connection import (
    LITE_LIMITS,
    _version,  # pyright: ignore[reportPrivateUsage]
    connect,
    load_pymilvus,
    served_milvus,
)
from ragset.settings import Environment


def environment(home: Path, uri: str | None = None, token: str | None = None) -> Environment:
    return Environment(_env_file=None, ragset_home=home, milvus_uri=uri, milvus_token=token)  # type: ignore[call-arg,arg-type]


@pytest.fixture(scope="module")
def opened_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Generator[Callable[[Path], str]]:
    """Gives what another process is told that opens the store of a home and closes it; it is the same one for all."""
    program = """
        import sys
        from pathlib import Path
        from ragset.retrieval.milvus.connection import connect
        from ragset.errors import StoreError
        from ragset.settings import Environment
        for home in sys.stdin:
            try:
                connect(Environment(_env_file=None, ragset_home=Path(home[:-1]), milvus_uri=None)).close()
                print("opened", flush=True)
            except StoreError as error:
                print(str(error).replace("\\n", " "), flush=True)
    """
    noise = tmp_path_factory.mktemp("elsewhere") / "stderr"
    with noise.open("w") as errors:
        command = [sys.executable, "-c", textwrap.dedent(program)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, bufsize=1
        )

    def opened(home: Path) -> str:
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{home}\n")
        said = process.stdout.readline().strip()
        assert noise.read_text() == ""
        return said

    yield opened
    process.communicate()


def test_the_default_is_a_file_in_ragset_home(tmp_path: Path) -> None:
    connect(environment(tmp_path / "home")).close()
    assert (tmp_path / "home" / "milvus.db").exists()


def test_another_process_is_told_who_holds_the_file_without_noise(
    opened_elsewhere: Callable[[Path], str], tmp_path: Path
) -> None:
    connection = connect(environment(tmp_path))
    said = opened_elsewhere(tmp_path)
    connection.close()
    assert "another process holds" in said
    assert "milvus.db" in said


def test_where_a_service_may_hold_the_file_its_address_is_named(
    opened_elsewhere: Callable[[Path], str], tmp_path: Path
) -> None:
    connection = connect(environment(tmp_path))
    (tmp_path / "service").mkdir()
    (tmp_path / "service" / "service.json").write_text(json.dumps({"where": {"milvus": "http://127.0.0.1:19530"}}))
    said = opened_elsewhere(tmp_path)
    connection.close()
    assert "another process holds" in said
    assert "If `make serve` is running, set MILVUS_URI to the address that it printed, http://127.0.0.1:19530" in said


@pytest.mark.parametrize("left", ["", "{", "[]", '{"where": null}'])
def test_whatever_a_service_left_is_no_accident(tmp_path: Path, left: str) -> None:
    (tmp_path / "service").mkdir()
    (tmp_path / "service" / "service.json").write_text(left)
    assert served_milvus(tmp_path) is None


def test_a_closed_file_is_free_for_another_process(opened_elsewhere: Callable[[Path], str], tmp_path: Path) -> None:
    connect(environment(tmp_path)).close()
    assert opened_elsewhere(tmp_path) == "opened"


def test_two_connections_of_one_process_share_the_file_until_the_last_closes(
    opened_elsewhere: Callable[[Path], str], tmp_path: Path
) -> None:
    first, second = connect(environment(tmp_path)), connect(environment(tmp_path))
    first.close()
    assert second.client.list_collections() == []
    assert "another process holds" in opened_elsewhere(tmp_path)
    second.close()
    assert opened_elsewhere(tmp_path) == "opened"


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


@pytest.mark.parametrize(
    ("said", "version"), [("v2.3.5-lite", (2, 3)), ("milvus_lite-3.2.2", (3, 2)), ("2.6.1", (2, 6)), ("", (2, 4))]
)
def test_the_version_of_a_server_is_told_by_what_it_says(said: str, version: tuple[int, int]) -> None:
    assert _version(said) == version


def test_milvus_lite_writes_few_rows_to_disk_at_once() -> None:
    load_pymilvus()
    from milvus_lite.constants import MEMTABLE_MEMORY_LIMIT

    assert {"MILVUS_LITE_MEMTABLE_MEMORY_LIMIT_BYTES": str(MEMTABLE_MEMORY_LIMIT)} == LITE_LIMITS
