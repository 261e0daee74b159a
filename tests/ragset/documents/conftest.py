from collections.abc import Generator
from contextlib import closing
from types import SimpleNamespace

import pytest

from ragset.documents.isolated import Readers


@pytest.fixture(scope="module")
def one_process() -> Generator[None]:
    """All files of a module are read in one process, which is anew only where a file ended it."""
    with closing(Readers()) as readers, pytest.MonkeyPatch.context() as patch:
        patch.setattr("ragset.documents.Readers", lambda: SimpleNamespace(read=readers.read, close=lambda: None))
        yield
