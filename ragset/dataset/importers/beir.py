"""Folders as BEIR has them: `corpus.jsonl`, `queries.jsonl` and judgements in `qrels/*.tsv`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ragset.dataset.importers.files import Row, read_json_lines, read_text
from ragset.dataset.importers.gathering import Gathering
from ragset.documents import clean_text
from ragset.errors import InputError
from ragset.models import Document, Span


class _Judgement(NamedTuple):
    line: int
    query: str
    document: str
    grade: int


def read_beir(folder: Path, gathering: Gathering) -> None:
    """Gather the judged queries; a document judged above 0 is evidence as a whole, with its grade.

    The judgements are those of `qrels/test.tsv`, or where there is none those of all files, each a split of its name.

    Raises:
        InputError: a file is missing, or a line of it cannot be read.
    """
    judgements = _judgement_files(folder)
    documents = _read_documents(folder / "corpus.jsonl", gathering)
    path = folder / "queries.jsonl"
    queries = {_id(row, path): _text(row, "text", path) for row in read_json_lines(path)}
    for path in judgements:
        by_query: dict[str, list[_Judgement]] = {}
        for judgement in _judgements(path):
            by_query.setdefault(judgement.query, []).append(judgement)
        if not by_query:
            raise InputError(f"{path}: there are no judgements in it; name a folder with data in it")
        for query, judged in by_query.items():
            _gather(path, query, queries.get(query), judged, documents, gathering)


def _gather(
    path: Path,
    id_: str,
    query: str | None,
    judged: list[_Judgement],
    documents: dict[str, Document | None],
    gathering: Gathering,
) -> None:
    where = f"{path.parent.name}/{path.name}: line {judged[0].line}"
    if query is None:
        gathering.report(where, f"queries.jsonl has no query {id_}")
        return
    grades: dict[Span, int] = {}
    relevant = [judgement for judgement in judged if judgement.grade > 0]
    for judgement in relevant:
        document = documents.get(judgement.document)
        if document is None:
            what = "is empty" if judgement.document in documents else "is not there"
            place = f"{path.parent.name}/{path.name}: line {judgement.line}"
            gathering.report(place, f"document {judgement.document} of corpus.jsonl {what}", query)
            continue
        span = Span(doc_id=document.id, start=0, end=len(document.text))
        grades[span] = max(judgement.grade, grades.get(span, 0))
    if not relevant:
        gathering.report(where, f"no document is judged relevant to query {id_}", query)
    if not grades:
        return
    gathering.add_golden(query, "", grades, where=where, source=id_, split=path.stem, grades=grades)


def _judgement_files(folder: Path) -> list[Path]:
    for name in ("corpus.jsonl", "queries.jsonl"):
        if not (folder / name).is_file():
            raise InputError(f"{folder}: is no BEIR folder, there is no {name} in it")
    paths = sorted((folder / "qrels").glob("*.tsv"))
    if not paths:
        raise InputError(f"{folder}: there are no judgements; put them into qrels/test.tsv")
    test = [path for path in paths if path.stem == "test"]
    return test or paths


def _read_documents(path: Path, gathering: Gathering) -> dict[str, Document | None]:
    documents: dict[str, Document | None] = {}
    for row in read_json_lines(path):
        id_ = _id(row, path)
        if id_ in documents:
            raise InputError(f"{path}: line {row.line} has the _id {id_} of an earlier line; give it one of its own")
        title = row.fields.get("title")
        title = title if isinstance(title, str) else ""
        text = _text(row, "text", path)
        metadata: Any = row.fields.get("metadata")
        documents[id_] = gathering.add_document(
            # Some have a title and nothing under it, and are judged by that.
            text if text.strip() else title,
            source=f"{path.name}:{id_}",
            title=title,
            metadata=metadata if isinstance(metadata, dict) else None,
        )
    return documents


def _id(row: Row, path: Path) -> str:
    value = row.fields.get("_id")
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise InputError(f"{path}: line {row.line} has no _id; mend the line")
    return clean_text(str(value))


def _text(row: Row, name: str, path: Path) -> str:
    value = row.fields.get(name)
    if not isinstance(value, str):
        raise InputError(f"{path}: line {row.line} has no {name}; mend the line")
    return value


def _judgements(path: Path) -> Iterator[_Judgement]:
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        cells = [clean_text(cell) for cell in line.split("\t")]
        try:
            query, document, grade = cells
            score = float(grade)
        except ValueError:
            if number == 1 and len(cells) == 3:
                continue  # the names of the columns
            raise InputError(
                f"{path}: line {number} is not query-id, corpus-id and score parted by tabs; mend the line"
            ) from None
        if not score.is_integer():
            raise InputError(f"{path}: line {number} has the score {grade}; grades are whole numbers, so mend the line")
        yield _Judgement(number, query, document, int(score))
