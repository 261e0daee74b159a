"""Other machines: each has a RAGSET_HOME of its own."""

import tempfile
import uuid
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from ragset.storage import copies

_HOMES = tempfile.TemporaryDirectory(prefix="homes-")  # removed when the tests have ended


class Home:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(self) -> "AbstractContextManager[Home]":
        return _at(self)


@contextmanager
def _at(home: Home) -> Generator[Home]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAGSET_HOME", str(home.path))
        patch.setattr(copies, "_fetched", set[Path]())
        yield home


@contextmanager
def other_home() -> Generator[Home]:
    """While the block runs, this process is on a new machine; calling the home goes back there."""
    with _at(Home(Path(_HOMES.name) / uuid.uuid4().hex)) as home:
        yield home
