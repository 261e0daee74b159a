"""What is judged: the items of a folder. Each kind of folder has a file of its own, with its line in `FOLDERS`."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from flows.deploy.review.benchmarks import BenchmarkItems
from flows.deploy.review.goldens import Goldens
from ragset.dataset.report import renew_report
from ragset.dataset.review.guidelines import Guideline
from ragset.dataset.review.order import PLAN, Queued
from ragset.dataset.review.records import Kind
from ragset.dataset.swap import claimed
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.review.estimates import correct_results
from ragset.models import Span


class Items(Protocol):
    """The items of a folder."""

    name: str
    corpus: Corpus

    @property
    def guidelines(self) -> Mapping[Kind, Guideline]:
        """What each kind is judged by."""
        ...

    @property
    def order(self) -> Sequence[Queued]:
        """All items, in the order in which they are judged."""
        ...

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """The kind of each item."""
        ...

    def view(self, item: str) -> dict[str, Any]:
        """What the page shows: `query`, `passages` (of `Passages`), `tags`; with `answer`, `evidence` where there are any.

        `parts` are what has evidence of its own (`label`, `text`, `evidence`), which nobody can change. What is graded has a `reference` where there is one, and `marks`, which nobody can change, in place of the evidence.
        Nothing in it tells what the critic thinks, or which system made the item.
        """
        ...

    def critic(self, item: str) -> Sequence[tuple[str, str]]:
        """What else is known of the item, by name; shown to a person who has judged it."""
        ...

    def near(self, item: str, query: str) -> Sequence[Span]:
        """Passages elsewhere that may answer the query too."""
        ...


def _renew_results(folder: Path) -> None:

    with claimed(folder):
        correct_results(folder)


class _Folder(NamedTuple):
    """A kind of folder."""

    open: Callable[[Path], Items]
    renew: Callable[[Path], object]
    """Puts what was judged into its report."""


FOLDERS = {
    "manifest.json": _Folder(Goldens, renew_report),
    "benchmark.json": _Folder(BenchmarkItems, _renew_results),
}
"""By the file that tells the kind."""


def stamp_of(folder: Path) -> tuple[tuple[int, int], ...]:
    """Changes when a write replaces what is judged."""
    found = [(folder / file).stat() for file in (*FOLDERS, PLAN) if (folder / file).is_file()]
    return tuple((one.st_ino, one.st_mtime_ns) for one in found)


def is_reviewed(folder: Path) -> bool:
    """Whether the folder itself holds what can be judged."""
    return any((folder / file).is_file() for file in FOLDERS)


def folders_in(folder: Path) -> list[str]:
    """The folders below this one that can be reviewed, by their paths; hidden ones are left out."""
    found = {
        path.parent.relative_to(folder)
        for file in FOLDERS
        for depth in ("*/", "*/*/", "*/*/*/")
        for path in folder.glob(depth + file)
    }
    return sorted(one.as_posix() for one in found if not any(part.startswith(".") for part in one.parts))


def check_reviewed(folder: Path) -> None:
    """Raise InputError if the folder holds nothing that can be judged."""
    if not is_reviewed(folder):
        raise InputError(f"{folder}: holds nothing to review: there is no {' or '.join(FOLDERS)} in it")


def open_items(folder: Path) -> Items:
    """The items of a folder; raises InputError if it has none."""
    return _kind_of(folder).open(folder)


def renew(folder: Path) -> None:
    """Put what was judged into the report of the folder."""
    _kind_of(folder).renew(folder)


def _kind_of(folder: Path) -> _Folder:
    check_reviewed(folder)
    return next(kind for file, kind in FOLDERS.items() if (folder / file).is_file())
