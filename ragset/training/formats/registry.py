"""The formats of training files; the command, the form and the docs list them from here."""

import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ragset import __version__
from ragset.dataset.exporters.files import write_json_lines
from ragset.dataset.swap import check_free, replaced
from ragset.models import Model
from ragset.settings.registry import Registry
from ragset.training.formats.training_data import TrainingData

logger = logging.getLogger(__name__)

MANIFEST = "train-data.json"
"""The file by which a folder is known for training data, which a later run may replace."""
_WHAT = "training data"

Write = Callable[[TrainingData, Path], Mapping[str, int]]
"""Writes into an empty folder. Returns how many rows each of its files has, by name."""


class TrainingFormat(NamedTuple):
    """The files of a library that trains."""

    name: str
    is_: str  # what it writes
    write: Write


FORMATS = Registry[TrainingFormat]("training formats")


class WrittenData(Model):
    """What was written."""

    out: str
    dataset: str
    version: int
    chunking: str
    embedding: str
    examples: int
    negatives: int
    """Of all examples together."""
    without_negatives: int
    """Examples that have none."""
    ways: int
    """Negatives of each row of a list."""
    left_out: dict[str, int]
    """Goldens of the train side that make no example, by reason."""
    rows: dict[str, int]
    """By file."""


def training_format(name: str, is_: str) -> Callable[[Write], Write]:
    """Register a function `write(data, folder)`."""
    return FORMATS.of(name, lambda write: TrainingFormat(name, is_, write))


def check_training_data(folder: Path) -> None:
    """Return if training data can be written to the folder, as far as can be told beforehand."""
    check_free(folder, MANIFEST, _WHAT)


def write_training_data(
    data: TrainingData, folder: Path, formats: Iterable[str], left_out: Mapping[str, int]
) -> WrittenData:
    """Write the examples, and a folder of each format, in place of earlier training data; readers see all or nothing.

    Raises:
        InputError: there is no such format, or the folder holds something else or cannot be written.
    """
    chosen: Sequence[TrainingFormat] = [FORMATS[name] for name in dict.fromkeys(formats)]
    with replaced(folder, MANIFEST, _WHAT) as partial:
        write_json_lines(partial / "examples.jsonl", (one.model_dump(mode="json") for one in data.examples))
        write_json_lines(partial / "chunks.jsonl", ({"id": id_, "text": data.texts[id_]} for id_ in data.chunks))
        rows: dict[str, int] = {}
        for one in chosen:
            (partial / one.name).mkdir()
            rows |= {f"{one.name}/{file}": number for file, number in one.write(data, partial / one.name).items()}
        written = WrittenData(
            out=str(folder),
            dataset=data.dataset,
            version=data.version,
            chunking=data.chunking,
            embedding=data.embedding,
            examples=len(data.examples),
            negatives=sum(len(one.negatives) for one in data.examples),
            without_negatives=sum(not one.negatives for one in data.examples),
            ways=data.ways,
            left_out=dict(left_out),
            rows=rows,
        )
        # Without the place: the same examples give the same bytes wherever they are written.
        facts = {**written.model_dump(exclude={"out"}), "ragset": __version__}
        (partial / MANIFEST).write_text(json.dumps(facts, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    logger.info("%s: %d examples written", data.dataset, len(data.examples))
    return written
