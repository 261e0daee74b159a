"""What exporters read of a benchmark's results: the rankings of systems, and their answers."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from ragset.dataset.importers.files import read_json_lines
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
    reader: str = ""  # the model that answers from what was retrieved; empty: none of ours
    places: dict[str, str] = {}
    """`doc_id:start-end` of chunks that the run has by ids of their own."""


class _Results(BaseModel):
    corpus_hash: str
    systems: tuple[System, ...]
    runs: dict[str, str]
    chunks: dict[str, str] = {}
    parameters: dict[str, Any] = {}


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
    ran = [system for system in results.systems if system.name in results.runs]
    for system in ran:
        if not (chunks := results.chunks.get(system.name)):
            continue
        try:
            placed = (row.fields for row in read_json_lines(folder / chunks) if row.fields.get("document"))
            system.places = {row["id"]: f"{row['document']}:{row['start']}-{row['end']}" for row in placed}
        except (KeyError, TypeError) as error:
            raise InputError(f"{folder / chunks}: a line {_fault(error)}; run the benchmark again") from None
    return [(system, folder / results.runs[system.name]) for system in ran]


def chunks_read(folder: Path) -> int | None:
    """How many of the retrieved chunks the readers of a benchmark were given; None where it had no grid."""
    grid = _read(folder).parameters.get("grid")
    return grid.get("final") if isinstance(grid, dict) else None


def read_answers(folder: Path) -> dict[str, dict[str, str]]:
    """What systems answered, by name and golden, without the goldens that they did not answer."""
    path, found = folder / "answers.jsonl", defaultdict[str, dict[str, str]](dict)
    for number, one in read_json_lines(path) if path.exists() and path.stat().st_size else ():
        try:
            if one["answer"]:
                found[one["configuration"]][one["golden"]] = one["answer"]
        except (KeyError, TypeError) as error:
            raise InputError(f"{path}: line {number} {_fault(error)}; run the benchmark again") from None
    return found


def read_run(path: Path, system: System) -> Iterator[Ranked]:
    """The lines of the system's run in TREC's format, best first for each golden, passages by place where that is known."""
    number = 0
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):  # noqa: B007 (named in the error)
                golden, _, passage, _, score, _ = line.split()
                yield Ranked(golden, system.places.get(passage, passage), score)
    except (OSError, ValueError) as error:
        at = f"line {number} " if number else ""
        raise InputError(f"{path}: {at}cannot be read ({type(error).__name__}); run the benchmark again") from None


def _fault(error: KeyError | TypeError) -> str:
    return f"has no {error}" if isinstance(error, KeyError) else f"cannot be read ({error})"


def _read(folder: Path) -> _Results:
    path = folder / RESULTS
    try:
        return _Results.model_validate_json(path.read_bytes())
    except OSError:
        raise InputError(f"{folder}: holds no results of a benchmark, there is no {RESULTS} in it") from None
    except ValidationError as error:
        raise InputError(f"{path}: {problems_of(error)}; run the benchmark again") from None
