"""A Milvus connection: Milvus Lite in a file, or a server by address.

All connections of a process to one file share one embedded server. The file is let go when the last of them closes;
pymilvus on its own would hold it until the process ends.
"""

import hashlib
import json
import logging
import logging.config
import os
import re
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ragset.errors import StoreError, StoreUnavailable
from ragset.settings import Environment
from ragset.settings.addresses import check_variable

_TIMEOUT = 10.0  # seconds to reach a server
_LEAST, _SPARSE = (2, 3), (2, 4)  # versions of a server: with cosine and upsert; with sparse vectors

# pymilvus pings every 10 seconds; Milvus Lite's server takes that for an attack, and hangs up during a long search.
_NO_PINGS = {"grpc.keepalive_time_ms": 2**31 - 1, "grpc.keepalive_permit_without_calls": 0}

LITE_LIMITS = {"MILVUS_LITE_MEMTABLE_MEMORY_LIMIT_BYTES": str(16_000_000)}
"""Environment of Milvus Lite: it writes so many bytes of rows to disk at once, and holds them as Python numbers meanwhile."""
_SENT_AT_ONCE = 2
"""Messages of rows on their way to a server: one is packed while it works at another. More of them fill it no faster."""
_CONNECT_FAILED, _RATE_LIMIT = 2, 8  # codes of pymilvus

_open_files: dict[str, int] = {}
_lock = threading.Lock()


class Connection:
    """An open pymilvus client, and what must be let go with it."""

    def __init__(self, client: Any, address: str, file: str | None, *, takes_sparse: bool) -> None:
        """`address`, without credentials, tells one Milvus from another."""
        self.client: Any = client
        self._file, self.takes_sparse = file, takes_sparse
        self.at_once = 1 if file else _SENT_AT_ONCE
        self.digest = hashlib.sha256(address.encode()).hexdigest()[:8]

    def close(self) -> None:
        """Let the file go when no other store of this process uses it; closing again does nothing."""
        client, self.client = self.client, None
        if client is None:
            return
        with _lock:
            client.close()
            if self._file is not None:
                _open_files[self._file] -= 1
                if not _open_files[self._file]:
                    del _open_files[self._file]
                    _release(self._file)


def connect(env: Environment) -> Connection:
    """The Milvus server that `env` names, or Milvus Lite in `milvus.db` of `ragset_home`."""
    if env.milvus_uri is None or "://" not in env.milvus_uri:
        return _open_file(_file(env), env.ragset_home)
    check_variable("MILVUS_URI", env.milvus_uri)
    address = urlsplit(env.milvus_uri)._replace(query="", fragment="").geturl()
    token = env.milvus_token.get_secret_value() if env.milvus_token else ""
    client: Any = None
    try:
        client = _client(uri=env.milvus_uri, token=token, timeout=_TIMEOUT, grpc_options=_NO_PINGS)
        client.list_collections(timeout=_TIMEOUT)
        said = str(client.get_server_version(timeout=_TIMEOUT))
    except Exception as error:  # pymilvus raises MilvusException, grpc.RpcError, ValueError …
        if client is not None:
            client.close()
        kind = StoreUnavailable if is_transient(error) else StoreError
        mend = "check MILVUS_URI and MILVUS_TOKEN (without MILVUS_URI a file is used, and no server is needed)"
        raise kind(f"Milvus at {address} does not answer or refuses the token; {mend}") from error
    version = _version(said)
    if version < _LEAST:
        client.close()
        raise StoreError(
            f"Milvus at {address} is of version {'.'.join(map(str, version))}; 2.3 is the least that will do"
        )
    # Of `milvus-lite server` too, words are searched for in memory.
    return Connection(client, address, None, takes_sparse=version >= _SPARSE and "lite" not in said)


def _version(said: str) -> tuple[int, ...]:
    """Of `v2.3.5-lite`, `milvus_lite-3.2.2` or `2.6.1`; the newest where nothing of the kind is said."""
    found = re.search(r"(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else _SPARSE


def is_transient(error: Exception) -> bool:
    """Whether Milvus may do later what it did not do now: it could not be reached, was too slow or too busy."""
    from grpc import StatusCode

    code: Any = getattr(error, "code", None)
    code = code() if callable(code) else code
    return code in {_CONNECT_FAILED, _RATE_LIMIT, StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED}


def local_collections(env: Environment) -> list[Path]:
    """The folders of Milvus Lite's collections; none if `env` names a server that is not `make serve`'s."""
    uri = env.milvus_uri or ""
    if "://" in uri and uri.rstrip("/") != served_milvus(env.ragset_home):
        return []
    return sorted((_file(env) / "collections").glob("*"))


def _file(env: Environment) -> Path:
    """Of Milvus Lite, where `env` names no server or the one that serves it."""
    uri = env.milvus_uri or ""
    return Path(uri) if uri and "://" not in uri else env.ragset_home / "milvus.db"


def _open_file(path: Path, home: Path) -> Connection:
    if path.suffix != ".db":
        raise StoreError(f"MILVUS_URI: {path} is neither an address (http://host:port) nor a file ending in .db")
    file = str(path.absolute())
    with _lock:
        if file not in _open_files:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(f"{path.parent}: cannot be created: {error.strerror}") from error
        with _kept_quiet() as failures:
            try:
                client = _client(uri=file, grpc_options=_NO_PINGS)
            except Exception as error:
                cause = failures[0] if failures else error
                if file not in _open_files:
                    _release(file)
                # Another command holds the file for the length of a search, so a task that asks again may get it.
                kind = StoreUnavailable if _is_held(cause) else StoreError
                raise kind(_reason(path, home, cause)) from error
        _open_files[file] = _open_files.get(file, 0) + 1
    # Milvus Lite scores sparse vectors a hundred times slower than a matrix in memory, and holds them in more memory.
    return Connection(client, file, file, takes_sparse=False)


def _is_held(cause: BaseException) -> bool:
    return type(cause).__name__ == "DataDirLockedError"


def _reason(path: Path, home: Path, cause: BaseException) -> str:
    if not _is_held(cause):
        return (
            f"{path}: open failed: {type(cause).__name__}: {cause}. If it is damaged, delete it; it is made "
            "again from the index files beside it, and nothing is embedded twice"
        )
    served = "Wait"
    if address := served_milvus(home):
        served = f"If `make serve` is running, set MILVUS_URI to the address that it printed, {address}. Else wait"
    return (
        f"{path}: open failed, because another process holds this Milvus Lite file. {served} for it, or set another "
        "RAGSET_HOME. For several commands at once, let them use one server by MILVUS_URI: `make serve` starts one, as "
        f"does `milvus-lite server --data-dir {path} --host 127.0.0.1 --port 19530` when nobody holds the file"
    )


def served_milvus(home: Path) -> str | None:
    """The address of the Milvus of a service on `home`, which may have been killed."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        return str(json.loads((home / "service" / "service.json").read_bytes())["where"]["milvus"])
    return None


def load_pymilvus() -> Any:
    """The pymilvus package; importing it takes some 2 seconds."""
    # On import it configures the logging of the whole process anew, which closes everybody's handlers.
    configure = logging.config.dictConfig
    for name, value in LITE_LIMITS.items():
        os.environ.setdefault(name, value)  # Milvus Lite reads them when it is imported
    logging.config.dictConfig = lambda _config: None
    try:
        import pymilvus
    finally:
        logging.config.dictConfig = configure
    return pymilvus


def _client(**options: Any) -> Any:
    pymilvus = load_pymilvus()  # it sets the levels of its loggers
    for name in ("pymilvus", "pymilvus.milvus_client", "milvus_lite"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # they log tracebacks of what they raise as well
    return pymilvus.MilvusClient(**options)


def _release(file: str) -> None:
    from milvus_lite.server_manager import server_manager_instance

    server_manager_instance.release_server(file)


@contextmanager
def _kept_quiet() -> Generator[list[BaseException]]:
    """What Milvus Lite logs, with a traceback, where it should raise."""
    failures: list[BaseException] = []

    def keep(record: logging.LogRecord) -> bool:
        if record.exc_info and record.exc_info[1] is not None:
            failures.append(record.exc_info[1])
        return False

    logger = logging.getLogger("milvus_lite.server_manager")
    logger.setLevel(logging.ERROR)
    logger.addFilter(keep)
    try:
        yield failures
    finally:
        logger.removeFilter(keep)
        logger.setLevel(logging.NOTSET)
