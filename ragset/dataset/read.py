"""Read a dataset folder and check it."""

import html
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from pydantic import ValidationError

from ragset.dataset.manifest import FORMAT, MANIFEST, Manifest
from ragset.dataset.table import COLUMNS, SCORES, golden_rows
from ragset.documents.corpus import Corpus
from ragset.errors import InputError, problems_of
from ragset.models import CORPUS_WIDE, UNANSWERABLE, Document, Golden, Model, Reject

if TYPE_CHECKING:
    import pandas as pd

M = TypeVar("M", bound=Model)

_SHOWN = ["id", "query", "answer", "evidence", "places", "kind"]  # columns in a notebook


def _shortened(cell: Any) -> Any:
    """Of a cell that is a text, its first 300 characters."""
    return f"{cell[:300]}…" if isinstance(cell, str) and len(cell) > 300 else cell


@dataclass(frozen=True, repr=False)
class Dataset:
    """A test set."""

    folder: Path
    goldens: tuple[Golden, ...]
    rejects: tuple[Reject, ...]
    manifest: Manifest
    corpus: Corpus

    def frame(self) -> "pd.DataFrame":
        """A pandas row for each golden: what `goldens.csv` shows, with scores and overlap as numbers."""
        import pandas as pd

        rows = [*golden_rows(self.goldens, self.corpus)]
        frame = pd.DataFrame(rows, columns=list(COLUMNS))
        return frame.assign(**{name: pd.to_numeric(frame[name]) for name in (*SCORES, "overlap")})

    def first(self, n: int) -> Self:
        """The same with its first n goldens alone."""
        return replace(self, goldens=self.goldens[:n])

    @property
    def _title(self) -> str:
        made, corpus = self.manifest, self.manifest.corpus
        return (
            f"{self.folder}: {len(self.goldens):,} golden{'s'[: len(self.goldens) != 1]} ({made.kind}) of {corpus.name}, "
            f"{corpus.documents:,} document{'s'[: corpus.documents != 1]}, made by {made.models.generator}; "
            f"{len(self.rejects):,} rejected"
        )

    def __repr__(self) -> str:
        """What it is, in a line."""
        return f"<Dataset {self._title}>"

    def _repr_html_(self) -> str:
        """What it is, its first goldens as a table, and what must be known of them."""
        import pandas as pd

        shown = self.first(10).frame()[_SHOWN].replace(r"\s+", " ", regex=True).map(_shortened)
        with pd.option_context("display.max_colwidth", None):
            table = shown.to_html(index=False, escape=True)
        for cell in ("th", "td"):  # notebooks put them on the right, as numbers
            table = table.replace(f"<{cell}>", f'<{cell} style="text-align:left">')
        rest = len(self.goldens) - len(shown)
        notices = [f"… and {rest:,} more: frame() has all of them."] if rest > 0 else []
        told = "".join(f"<p>{html.escape(notice)}</p>" for notice in (*notices, *self.manifest.notices))
        return f"<p><b>{html.escape(self._title)}</b></p>{table}{told}"


def read_dataset(folder: str | Path) -> Dataset:
    """The dataset in a folder, also while another process replaces it."""
    folder = Path(folder)
    while True:
        before = _identity(folder)
        try:
            dataset = Dataset(
                folder=folder,
                manifest=read_manifest(folder),
                goldens=read_lines(folder / "goldens.jsonl", Golden),
                rejects=read_lines(folder / "rejects.jsonl", Reject),
                corpus=Corpus.open(folder / "corpus.jsonl"),
            )
        except InputError:
            if _identity(folder) == before:
                raise
            continue  # it was replaced meanwhile
        if _identity(folder) == before:
            return dataset


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a dataset folder."""
    path = folder / MANIFEST
    try:
        content = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{folder}: is no dataset, there is no {MANIFEST} in it") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({_fault(error)})") from None
    try:
        fields = json.loads(content)
        found = fields.get("format") if isinstance(fields, dict) else None
        if found == FORMAT:
            return Manifest.model_validate_json(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: is damaged ({_fault(error)}); make the dataset again") from None
    mend = "update ragset" if isinstance(found, int) and found > FORMAT else "make the dataset again"
    raise InputError(f"{path}: has format {found}, and this ragset reads {FORMAT}; {mend}")


def problems(dataset: Dataset) -> list[str]:
    """The faults of a dataset that could be read, in sentences: changed texts, evidence outside of documents, goldens twice."""
    return [*_problems(dataset)]


def edited(dataset: Dataset) -> str:
    """A sentence saying that goldens were added or removed by hand, which is allowed; empty where none were."""
    there, made = len(dataset.goldens), dataset.manifest.kept
    said = f"goldens.jsonl holds {there:,} goldens, and the run made {made:,}: the file counts."
    return said if there != made else ""


def _problems(dataset: Dataset) -> Iterator[str]:
    for document in dataset.corpus:
        if document.id != Document.of(document.text, source="").id:
            yield f"corpus.jsonl: document {document.id} was changed: its text is not the one that the id was made of"
    if dataset.corpus.hash != dataset.manifest.corpus.hash:
        yield f"corpus.jsonl: holds other documents than the run had ({MANIFEST}, corpus.hash)"
    for id_, times in Counter(golden.id for golden in dataset.goldens).items():
        if times > 1:
            yield f"{id_}: is there {times} times"
    for golden in dataset.goldens:
        if golden.answer is not None and not golden.evidence and golden.kind != CORPUS_WIDE:
            yield f"{golden.id}: has an answer and no evidence"
        if (golden.kind == CORPUS_WIDE) != bool(golden.assertions) or (golden.assertions and golden.evidence):
            yield f"{golden.id}: a corpus-wide golden, and no other, has assertions, and no evidence beside theirs"
        if golden.kind == UNANSWERABLE and (golden.answer is not None or golden.evidence or golden.equivalents):
            yield f"{golden.id}: is called unanswerable, and has an answer or evidence"
        for span in (*golden.proof, *golden.equivalents):
            try:
                dataset.corpus.text(span)
            except InputError as error:
                yield f"{golden.id}: {error}"


def _identity(folder: Path) -> tuple[int, int] | None:
    """Changes when a write replaces the folder."""
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns  # a new folder may have the number of one that is gone


def read_lines(path: Path, model: type[M]) -> tuple[M, ...]:
    """The records of a file with one in each line."""

    def record(number: int, line: bytes) -> M:
        try:
            return model.model_validate_json(line)
        except ValidationError as error:
            what = f"line {number} is not a {model.__name__.lower()} ({_fault(error)})"
            raise InputError(f"{path}: {what}; mend the line or make the dataset again") from None

    try:
        with path.open("rb") as file:
            return tuple(record(number, line) for number, line in enumerate(file, start=1) if not line.isspace())
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({_fault(error)})") from None


def _fault(error: Exception) -> str:
    """What is wrong, of an invalid record each fault with its field, without the text of the file."""
    if isinstance(error, ValidationError):
        return problems_of(error)
    if isinstance(error, json.JSONDecodeError):
        return str(error)
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
