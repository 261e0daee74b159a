"""What processes on several machines share by RAGSET_STORAGE: files of RAGSET_HOME that are named by their content."""

import uuid
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ragset.errors import InputError
from ragset.settings import Environment
from ragset.settings.addresses import check_variable
from ragset.storage.filesystem import at_once, is_address, reached

_PROBE = ".ragset-probe"


def storage() -> str | None:
    """The address where machines share, without a slash at its end; None where nothing is shared."""
    address = Environment().ragset_storage
    check_variable("RAGSET_STORAGE", address)
    if address is not None and (not is_address(address) or address.startswith(("file:", "local:"))):
        raise InputError(f"RAGSET_STORAGE: {address} is no address such as s3://bucket/ragset")
    return address and address.rstrip("/")


def check_storage() -> None:
    """Raise InputError if RAGSET_STORAGE cannot be written, StorageUnavailable if its server does not answer."""
    if address := storage():
        with reached(address) as (system, root):
            system.pipe_file(f"{root}/{_PROBE}", b"")


def share(files: Mapping[str, Path], current: Mapping[str, Path] | None = None) -> None:
    """Upload files by their names there, unless they are there already; then those that replace what is `current`."""
    if (address := storage()) is None:
        return
    with reached(address) as (system, root):
        named = [(str(path), f"{root}/{name}") for name, path in files.items()]
        there = at_once(system.exists, [(place,) for _, place in named])
        at_once(system.put_file, [one for one, known in zip(named, there, strict=True) if not known])
        for name, path in (current or {}).items():
            system.put_file(str(path), f"{root}/{name}")


def bring(name: str, path: Path) -> None:
    """Download a file that is not here, if another machine has shared it."""
    if path.exists() or (address := storage()) is None:
        return
    with reached(address) as (system, root):
        if not system.exists(f"{root}/{name}"):
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.partial")
        try:
            system.get_file(f"{root}/{name}", str(partial))
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)


def discard(name: str) -> None:
    """Remove a file that machines share, if it is there."""
    if (address := storage()) is None:
        return
    with reached(address) as (system, root), suppress(FileNotFoundError):
        system.rm_file(f"{root}/{name}")
