"""What exporters read of a benchmark's results: the rankings of systems, and their answers."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, Field, ValidationError

from ragset.dataset.importers.files import read_json_lines, validated
from ragset.errors import InputError, problems_of

RESULTS = "benchmark.json"  # the file that makes a folder results of a benchmark


class Ranked(NamedTuple):
    """One line of a run."""

    golden: str
    passage: str
    score: str


class System(BaseModel):
    """A system that was measured."""

    name: str
    chunking: str = ""  # empty for a system of somebody else
    places: dict[str, str] = Field(default_factory=dict)
    """`doc_id:start-end` of chunks that the run has by ids of their own."""
    reader: str = ""  # the model that answers from what was retrieved; empty: none of ours


class _Grid(BaseModel):
    final: int | None = None


class _Parameters(BaseModel):
    grid: _Grid | None = None


class _Answer(BaseModel):
    configuration: str
    golden: str
    answer: str | None


class _OwnChunk(BaseModel):
    id: str
    document: str = ""  # empty: it stands in none
    start: int = 0
    end: int = 0


class _Results(BaseModel):
    corpus_hash: str
    systems: tuple[System, ...]
    runs: dict[str, str]
    chunks: dict[str, str] = Field(default_factory=dict)
    parameters: _Parameters = _Parameters()


def read_runs(folder: Path, corpus_hash: str) -> list[tuple[System, Path]]:
    """Each system with the file of its run.

    Raises:
        InputError: the folder holds no results, or they are of other documents.
    """
    results = _read(folder)
    if results.corpus_hash != corpus_hash:
        raise InputError(
            f"{folder}: are results over other documents than the dataset's; run the benchmark on it again"
        )
    found: list[tuple[System, Path]] = []
    for system in results.systems:
        if system.name in results.runs:
            chunks = results.chunks.get(system.name)
            places = _places(folder / chunks) if chunks else {}
            found.append((system.model_copy(update={"places": places}), folder / results.runs[system.name]))
    return found


def chunks_read(folder: Path) -> int | None:
    """How many of the retrieved chunks the readers of a benchmark were given; None where it had no grid."""
    grid = _read(folder).parameters.grid
    return grid and grid.final


def read_answers(folder: Path) -> dict[str, dict[str, str]]:
    """What systems answered, by name and golden, without the goldens that they did not answer."""
    path, found = folder / "answers.jsonl", defaultdict[str, dict[str, str]](dict)
    for line in read_json_lines(path) if path.exists() and path.stat().st_size else ():
        one = validated(_Answer, line.fields, f"{path}: line {line.line}")
        if one.answer:
            found[one.configuration][one.golden] = one.answer
    return found


def read_run(path: Path, system: System) -> Iterator[Ranked]:
    """The lines of the system's run in TREC's format, best first for each golden, passages by place where that is known."""
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                cells = line.split()
                if len(cells) != 6:
                    raise InputError(
                        f"{path}: line {number} is not `query Q0 passage rank score tag`; run the benchmark again"
                    )
                yield Ranked(cells[0], system.places.get(cells[2], cells[2]), cells[4])
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); run the benchmark again") from None


def _places(path: Path) -> dict[str, str]:
    """The place of each chunk by its own id, of those that stand in the documents."""
    rows = ((f"{path}: line {row.line}", row.fields) for row in read_json_lines(path))
    chunks = (validated(_OwnChunk, fields, where) for where, fields in rows)
    return {one.id: f"{one.document}:{one.start}-{one.end}" for one in chunks if one.document}


def _read(folder: Path) -> _Results:
    path = folder / RESULTS
    try:
        return _Results.model_validate_json(path.read_bytes())
    except OSError:
        raise InputError(f"{folder}: holds no results of a benchmark, there is no {RESULTS} in it") from None
    except ValidationError as error:
        raise InputError(f"{path}: {problems_of(error)}; run the benchmark again") from None
