"""A test set on disk: goldens, what was rejected and why, the documents, and how it was made.

`docs/formats.md` defines every file.
"""

import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from ragset.corpus import Corpus
from ragset.dataset.manifest import (
    FORMAT,
    CorpusFacts,
    FunnelRow,
    Manifest,
    Models,
    Totals,
    Unread,
    funnel_row,
    versions,
)
from ragset.dataset.swap import check_free, replaced
from ragset.dataset.table import goldens_csv, read_csv
from ragset.errors import InputError
from ragset.models import Golden, Model, Reject

__all__ = [
    "CorpusFacts",
    "Dataset",
    "FunnelRow",
    "Manifest",
    "Models",
    "Totals",
    "Unread",
    "check_output",
    "funnel_row",
    "problems",
    "read_csv",
    "read_dataset",
    "versions",
    "write_dataset",
]

M = TypeVar("M", bound=Model)

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Dataset:
    """A test set as read."""

    folder: Path
    goldens: tuple[Golden, ...]
    rejects: tuple[Reject, ...]
    manifest: Manifest
    corpus: Corpus


def write_dataset(
    folder: Path,
    *,
    goldens: Sequence[Golden],
    rejects: Iterable[Reject],
    corpus: Corpus,
    manifest: Manifest,
    report: str,
) -> None:
    """Write all files of the dataset, in place of one that is there already; a reader never sees half of it.

    Raises:
        InputError: the folder holds something else, or cannot be written.
    """
    with replaced(folder, MANIFEST) as new:
        _write_lines(new / "goldens.jsonl", goldens)
        _write_lines(new / "rejects.jsonl", rejects)
        (new / "goldens.csv").write_text(goldens_csv(goldens, corpus), encoding="utf-8", newline="")
        shutil.copyfile(corpus.path, new / "corpus.jsonl")
        (new / "report.html").write_text(report, encoding="utf-8", newline="\n")
        text = json.dumps(manifest.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"
        (new / MANIFEST).write_text(text, encoding="utf-8", newline="\n")


def check_output(folder: Path) -> None:
    """Return if a dataset can be written to `folder`, as far as can be told before the work is done.

    Raises:
        InputError: the folder holds something else, or cannot be written.
    """
    check_free(folder, MANIFEST)


def read_dataset(folder: Path) -> Dataset:
    """The dataset of a folder.

    Raises:
        InputError: it is none, or a file of it is damaged; the message names file and line.
    """
    path = folder / MANIFEST
    if not path.exists():
        raise InputError(f"{folder}: is no dataset, there is no {MANIFEST} in it")
    try:
        content = path.read_text(encoding="utf-8")
        made_by = json.loads(content).get("format")
        if made_by != FORMAT:
            raise InputError(
                f"{path}: has format {made_by}, and this ragset reads {FORMAT}; make it again, or use another"
            )
        manifest = Manifest.model_validate_json(content)
    except (OSError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: is damaged ({type(error).__name__}); make the dataset again") from None
    return Dataset(
        folder=folder,
        goldens=_read_lines(folder / "goldens.jsonl", Golden),
        rejects=_read_lines(folder / "rejects.jsonl", Reject),
        manifest=manifest,
        corpus=Corpus.open(folder / "corpus.jsonl"),
    )


def problems(dataset: Dataset) -> list[str]:
    """What is wrong with a dataset that could be read: evidence outside its documents, goldens twice, wrong counts."""
    found: list[str] = []
    seen: set[str] = set()
    for golden in dataset.goldens:
        if golden.id in seen:
            found.append(f"{golden.id}: is there twice")
        seen.add(golden.id)
        if golden.answer is not None and not golden.evidence:
            found.append(f"{golden.id}: has no evidence")
        for span in golden.evidence:
            try:
                dataset.corpus.text(span)
            except InputError as error:
                found.append(f"{golden.id}: {error}")
    if len(dataset.goldens) != dataset.manifest.kept:
        found.append(f"{MANIFEST}: says {dataset.manifest.kept} goldens, and there are {len(dataset.goldens)}")
    return found


def _write_lines(path: Path, records: Iterable[Model]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            file.write(json.dumps(record.model_dump(mode="json"), ensure_ascii=False) + "\n")


def _read_lines(path: Path, model: type[M]) -> tuple[M, ...]:
    records: list[M] = []
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                try:
                    records.append(model.model_validate_json(line))
                except ValidationError as error:
                    where = ".".join(str(part) for part in error.errors()[0]["loc"])
                    raise InputError(f"{path}: line {number}: {where or 'it'} cannot be read") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({type(error).__name__})") from None
    return tuple(records)
