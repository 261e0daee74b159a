"""A Milvus server of the package `milvus`: the program that Milvus 2.3 is, without sparse vectors."""

import random
import time
import warnings
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from ragset.errors import StoreError
from ragset.retrieval.milvus.store import MilvusStore, open_milvus
from ragset.settings import Environment

_PATIENCE = 120.0
_COORDINATORS, _NODES = (
    ("root_coord", "query_coord", "index_coord", "data_coord"),
    ("query_node", "index_node", "data_node"),
)
_PORTS = [f"{part}_port" for part in ("proxy", "proxy_internal", *_COORDINATORS, *_NODES)]


@contextmanager
def milvus_server(folder: Path) -> Generator[str]:
    """The address of a server with its data in `folder`, which no earlier one may have used: its locks outlive it by a minute.

    It listens on all addresses of the machine; no setting of it says otherwise. One port is fixed: of two servers one ends.
    """
    from milvus import MilvusServer, MilvusServerConfig

    # The usual ports may be those of a server that has just ended, and clients may get one of them.
    first = 20_000 + 10 * random.randrange(1_000)
    ports = {name: first + place for place, name in enumerate(_PORTS)}
    server = MilvusServer(MilvusServerConfig(data_dir=str(folder), **ports), wait_for_started=False)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # it leaves sockets open where a port is taken
            server.start()
        address = f"http://127.0.0.1:{server.listen_port}"
        _wait(server, environment(folder, address))
        yield address
    finally:
        server.stop()


def _wait(server: Any, env: Environment) -> None:
    ends = time.monotonic() + _PATIENCE
    while server.server_proc.poll() is None and time.monotonic() < ends:
        with suppress(StoreError), closing(open_milvus(env)):
            return
        time.sleep(0.5)
    log = Path(env.ragset_home, "logs", "milvus-stdout.log").read_text(encoding="utf-8", errors="replace")
    raise RuntimeError(f"the Milvus server did not start: {log[-2_000:]}")


def environment(home: Path, uri: str | None) -> Environment:
    """Of this Milvus alone, whatever the machine's says."""
    return Environment(_env_file=None, ragset_home=home, milvus_uri=uri)  # type: ignore[call-arg]


@pytest.fixture(scope="session")
def milvus(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    with milvus_server(tmp_path_factory.mktemp("milvus")) as address:
        yield address


@pytest.fixture
def store(tmp_path: Path, milvus: str) -> Iterator[MilvusStore]:
    with closing(open_milvus(environment(tmp_path, milvus))) as opened:
        yield opened
