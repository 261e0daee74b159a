"""What uploads to the servers of other tools share: their clients, and a golden as an example."""

import importlib
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.parts import PARTS
from ragset.dataset.exporters.tables import details, rows
from ragset.errors import InputError, RagsetError

KEEPS = tuple(part for part in PARTS if part != "documents")
"""What an upload keeps: everything of the goldens, and of the documents the evidence."""

_USER = re.compile(r"(?<=//)[^/@\s]+@")


class Example(NamedTuple):
    """A golden as a server has it."""

    id: str
    query: str
    answer: str | None
    contexts: list[str]  # the texts of the evidence
    split: str
    metadata: dict[str, Any]  # all else that is known


def examples(given: ExportSet) -> Iterator[Example]:
    """One for each golden."""
    for row in rows(given):
        yield Example(row["id"], row["query"], row["answer"], row["evidence"], row["split"], details(row))


def description(given: ExportSet) -> str:
    """What the server says about the dataset."""
    return (
        f"Made by ragset from {given.manifest.corpus.name}: {len(given.goldens)} goldens, corpus {given.corpus.hash}."
    )


def library(name: str) -> Any:
    """A module of a client, which an extra of ragset installs; `check_export` says so where it is missing."""
    return importlib.import_module(name)


@contextmanager
def uploading(server: str, variables: str) -> Generator[None]:
    """Whatever a client raises, as an error that names the environment variables to check.

    Raises:
        InputError: the server cannot be reached, or refuses what it is sent.
    """
    try:
        yield
    except RagsetError:
        raise
    except Exception as error:  # clients raise errors of their own, of httpx, of requests and of urllib3
        first = (str(error).strip().splitlines() or [""])[0]
        reason = _USER.sub("", f"{type(error).__name__}: {first}"[:300])
        mend = f"check {variables}, and export again: what was uploaded is replaced, not doubled"
        raise InputError(f"export to {server} failed ({reason}); {mend}") from error
