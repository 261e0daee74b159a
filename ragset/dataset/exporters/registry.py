"""The formats that can be written; the command, the form and the docs list them from here."""

import json
import logging
import os
import uuid
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ragset import __version__
from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.labels import KEYS
from ragset.dataset.swap import check_free, replaced
from ragset.errors import InputError, install
from ragset.models import UNANSWERABLE, Golden, Model
from ragset.settings.registry import Registry
from ragset.storage import send_copy

logger = logging.getLogger(__name__)

_LABELS = frozenset(KEYS) | {"style", "shape", "evolution", "weight"}


class Part(NamedTuple):
    """A part of a test set, which a format keeps or loses."""

    is_: str
    number: Callable[[ExportSet], int]


def _goldens(is_: str, has: Callable[[Golden], object]) -> Part:
    def number(given: ExportSet) -> int:
        return sum(bool(has(golden)) for golden in given.goldens)

    return Part(is_, number)


def _documents(given: ExportSet) -> int:
    return len(given.corpus)


PARTS = {
    "queries": _goldens("queries that the corpus answers", lambda one: one.kind != UNANSWERABLE),
    "unanswerable": _goldens("queries that the corpus does not answer", lambda one: one.kind == UNANSWERABLE),
    "answers": _goldens("reference answers", lambda one: one.answer),
    "evidence": _goldens(
        "queries with the text of their evidence, or the passages that have it", lambda one: one.evidence
    ),
    "spans": _goldens("queries with the exact characters of their evidence", lambda one: one.evidence),
    "grades": _goldens("queries with graded relevance", lambda one: one.grades),
    "equivalents": _goldens("queries with other passages that answer them too", lambda one: one.equivalents),
    "conversations": _goldens("queries with the dialogue that leads to them", lambda one: one.conversation),
    "assertions": _goldens(
        "corpus-wide queries with the assertions that answers are graded by", lambda one: one.assertions
    ),
    "splits": _goldens("queries for training or validation", lambda one: one.split != "test"),
    "labels": _goldens(
        "queries with labels: style, evolution, hardness, persona and so on",
        lambda one: _LABELS & one.metadata.keys(),
    ),
    "scores": _goldens("queries with scores of the critic", lambda one: one.scores),
    "lineage": _goldens("queries with the prompts and models that made them", lambda one: one.lineage),
    "documents": Part("documents", _documents),
}
"""By name; each exporter names those that it keeps."""
GOLDENS_ALONE = tuple(part for part in PARTS if part != "documents")

EXPORT = "export.json"
"""The file by which a folder is known for an export, which a later one may replace."""

Write = Callable[[ExportSet, Any], Mapping[str, int] | None]
"""Writes into a `Path`, an empty folder or a new file, or uploads under a name. Returns what was lost beyond the parts that its
exporter does not keep, counted; None: nothing."""


class Exporter(NamedTuple):
    """A format of another tool."""

    name: str
    is_: str  # what it writes
    keeps: tuple[str, ...]  # of `PARTS`
    write: Write
    ending: str = ""  # of the one file that it writes, such as `.jsonl`; empty: a folder
    uploads: bool = False  # whether it writes to a server, under a name
    package: str = ""  # what an upload needs, and the name of the extra that installs it
    results: Literal["", "may", "must"] = ""  # whether it may or must be given results of a benchmark

    @property
    def loses(self) -> tuple[str, ...]:
        """The parts that it has no place for."""
        return tuple(part for part in PARTS if part not in self.keeps)


EXPORTERS = Registry[Exporter]("export formats")


class Exported(Model):
    """What an export wrote."""

    to: str
    out: str
    dataset: str
    version: int
    chunking: str = ""  # empty: passages are whole documents
    goldens: int
    lost: dict[str, int]  # what the format has no place for, and how many


def exporter(name: str, is_: str, *, keeps: Iterable[str], **others: Any) -> Callable[[Write], Write]:
    """Register a function `write(export_set, out)`; the fields of `Exporter` say what the others are."""
    kept = tuple(keeps)
    if unknown := [part for part in kept if part not in PARTS]:
        raise ValueError(f"exporter {name}: {', '.join(unknown)} is no part of a test set")
    return EXPORTERS.of(name, lambda write: Exporter(name, is_, kept, write, **others))


def check_export(to: str, out: str, results: Path | None = None) -> None:
    """Return if the format exists and can be written to `out`, as far as can be told before the work is done."""
    format_ = EXPORTERS[to]
    if format_.package and find_spec(format_.package) is None:
        raise InputError(f"export to {to} needs {format_.package}: {install(format_.package)}")
    if format_.results == "must" and results is None:
        raise InputError(f"export to {to} is of a benchmark: name the folder of its results with --results")
    if results is not None and not format_.results:
        raise InputError(f"export to {to} takes no results of a benchmark: leave out --results")
    if format_.ending and Path(out).is_dir():
        raise InputError(f"{out}: is a folder, and {to} is one file; name a file that ends in {format_.ending}")
    if not format_.ending and not format_.uploads:
        check_free(Path(out), EXPORT, "an export")


def export(given: ExportSet, to: str, out: str) -> Exported:
    """Write the set in a format, in place of an earlier export to `out`: a file, a folder, or a name at a server.

    A reader sees the whole file or folder, or none.

    Raises:
        InputError: there is no such format, or `out` holds something else or cannot be written.
    """
    check_export(to, out, given.results)
    format_ = EXPORTERS[to]
    lost = {part: number for part in format_.loses if (number := PARTS[part].number(given))}

    def exported(more: Mapping[str, int] | None) -> Exported:
        return Exported(
            to=to,
            out=out,
            dataset=given.name,
            version=given.version,
            chunking=given.chunking,
            goldens=len(given.goldens),
            lost=lost | {what: number for what, number in (more or {}).items() if number},
        )

    if format_.uploads:
        out = f"{out}-v{given.version}"  # a refreshed dataset stands beside the one before
        done = exported(format_.write(given, out))
    elif format_.ending:
        done = exported(_into_file(Path(out), given, format_.write))
    else:
        with replaced(Path(out), EXPORT, "an export") as folder:
            done = exported(format_.write(given, folder))
            # Without the place: the same set gives the same bytes wherever it is written.
            facts = {**done.model_dump(exclude={"out"}), "ragset": __version__}
            (folder / EXPORT).write_text(json.dumps(facts, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    logger.info("%s: %d goldens written as %s", given.name, len(given.goldens), to)
    return done


def _into_file(path: Path, given: ExportSet, write: Write) -> Mapping[str, int] | None:
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lost = write(given, partial)
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(path)
        send_copy(path)
    except OSError as error:
        fault = error.strerror or type(error).__name__
        raise InputError(f"{path}: cannot be written ({fault}); name another file with --out") from error
    finally:
        partial.unlink(missing_ok=True)
    return lost
