"""Folders of RAGSET_HOME that runs share, and the mark by which `clean` knows that a run is going on."""

import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from ragset.errors import IndexBusy, InputError
from ragset.retrieval.index.uses import in_use, mark_used
from ragset.settings import Environment
from ragset.settings.lock import locked

T = TypeVar("T")

LOCK, _RUN = "cleaning.lock", "run"
_PATIENCE = 600.0  # seconds that a run waits for `clean`


def results_folder() -> Path:
    """Where Prefect keeps the results of tasks."""
    return Path(os.environ.get("PREFECT_RESULTS_LOCAL_STORAGE_PATH") or Environment().ragset_home / "results")


def corpus_folder(key: str) -> Path:
    """The folder for the corpus of a run. From now on, until this process ends, `clean` frees nothing."""
    home = Environment().ragset_home
    folder = home / "corpora" / key

    def mark_run() -> None:
        with locked(home / LOCK):
            in_use(home)  # removes the marks of runs that have ended
            mark_used(home, _RUN)

    try:
        home.mkdir(parents=True, exist_ok=True)
        wait_while_busy(mark_run, _PATIENCE)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"RAGSET_HOME: {home} cannot be written ({error.strerror}); name another folder") from None
    return folder


def wait_while_busy(call: Callable[[], T], patience: float, waits: Callable[[], object] = lambda: None) -> T:
    """What `call` returns as soon as no other process holds its lock; `waits` is called once where one does."""
    told, deadline = False, time.monotonic() + patience
    while True:
        try:
            return call()
        except IndexBusy:
            if time.monotonic() > deadline:
                raise
        if not told:
            told = True
            waits()
        time.sleep(0.1)


@contextmanager
def no_run(home: Path) -> Generator[None]:
    """While the block runs no run is going on, and one that starts waits."""
    with locked(home / LOCK):
        if _RUN in in_use(home):
            raise InputError(f"RAGSET_HOME: a run is using {home}; run the same command again when it has ended")
        yield
