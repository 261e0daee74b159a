"""Files by which workers hand large results to the process of the run: below RAGSET_HOME, or in RAGSET_STORAGE if it is set."""

import uuid
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ragset.errors import InputError
from ragset.settings import Environment
from ragset.storage.shared import bring, discard, share, storage

_FOLDER = "parts"


def write_part(write: Callable[[BinaryIO], object]) -> str:
    """The name of a new file with what `write` writes, which any process of the run can open."""
    name = f"{_FOLDER}/{uuid.uuid4().hex}"
    path = Environment().ragset_home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("wb") as file:
            write(file)
        share({name: path})
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    if storage():
        path.unlink()
    return name


@contextmanager
def opened_part(name: str) -> Generator[BinaryIO]:
    """The file of that name; it is removed afterwards."""
    path: Path = Environment().ragset_home / name
    bring(name, path)
    try:
        with path.open("rb") as file:
            yield file
    except FileNotFoundError:
        raise InputError(
            f"{path}: a worker wrote this file, and it is not here; workers on other machines need RAGSET_STORAGE"
        ) from None
    finally:
        path.unlink(missing_ok=True)
        discard(name)
