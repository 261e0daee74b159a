"""BEIR folders: `corpus.jsonl`, `queries.jsonl` and judgements in `qrels/*.tsv`."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ragset.dataset.importers.files import Row, read_json_lines, read_text
from ragset.dataset.importers.imported import SetBuilder
from ragset.dataset.importers.registry import importer
from ragset.documents import clean_text
from ragset.errors import InputError
from ragset.models import Document, Span

_FILES = ("corpus.jsonl", "queries.jsonl")


class _Judgement(NamedTuple):
    where: str
    query: str
    document: str
    grade: int


def _is_beir(path: Path) -> bool:
    return any((path / name).is_file() for name in _FILES)


@importer("beir", "a BEIR folder with corpus.jsonl, queries.jsonl and qrels/test.tsv", recognises=_is_beir)
def read_beir(folder: Path, builder: SetBuilder, **_: Any) -> None:
    """Add the judged queries; a document judged above 0 is evidence as a whole, with its grade.

    The judgements are those of `qrels/test.tsv`; without that file those of all files, each a split of its name.

    Raises:
        InputError: a file is missing, or a line of it cannot be read.
    """
    for name in _FILES:
        if not (folder / name).is_file():
            raise InputError(f"{folder}: is no BEIR folder, there is no {name} in it")
    paths = sorted((folder / "qrels").glob("*.tsv"))
    if not paths:
        raise InputError(f"{folder}: there are no judgements; put them into qrels/test.tsv")
    documents = _read_documents(folder / "corpus.jsonl", builder)
    path = folder / "queries.jsonl"
    queries = {_id(row, path): _text(row, path) for row in read_json_lines(path)}
    for path in [path for path in paths if path.stem == "test"] or paths:
        by_query: dict[str, list[_Judgement]] = defaultdict(list)
        for judgement in _judgements(path):
            by_query[judgement.query].append(judgement)
        if not by_query:
            raise InputError(f"{path}: there are no judgements in it; name a folder with data in it")
        for id_, judged in by_query.items():
            where, query = judged[0].where, queries.get(id_)
            if query is None:
                builder.report(where, f"queries.jsonl has no query {id_}")
            elif all(judgement.grade <= 0 for judgement in judged):
                builder.report(where, f"no document is judged relevant to query {id_}", query)
            elif grades := _grades(judged, query, documents, builder):
                builder.add_golden(query, "", grades, where=where, source=id_, split=path.stem, grades=grades)


def _grades(
    judged: Sequence[_Judgement], query: str, documents: dict[str, Document | None], builder: SetBuilder
) -> dict[Span, int]:
    """The grades of whole documents."""
    grades: dict[Span, int] = {}
    for judgement in judged:
        document = documents.get(judgement.document)
        if judgement.grade <= 0:
            continue
        if document is None:
            what = "is empty" if judgement.document in documents else "is not there"
            builder.report(judgement.where, f"document {judgement.document} of corpus.jsonl {what}", query)
            continue
        span = Span(doc_id=document.id, start=0, end=len(document.text))
        grades[span] = max(judgement.grade, grades.get(span, 0))
    return grades


def _read_documents(path: Path, builder: SetBuilder) -> dict[str, Document | None]:
    documents: dict[str, Document | None] = {}
    for row in read_json_lines(path):
        id_, text = _id(row, path), _text(row, path)
        if id_ in documents:
            raise InputError(f"{path}: line {row.line} has the _id {id_} of an earlier line; give it one of its own")
        title, metadata = row.fields.get("title"), row.fields.get("metadata")
        title = title if isinstance(title, str) else ""
        documents[id_] = builder.add_document(
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


def _text(row: Row, path: Path) -> str:
    value = row.fields.get("text")
    if not isinstance(value, str):
        raise InputError(f"{path}: line {row.line} has no text; mend the line")
    return value


def _judgements(path: Path) -> Iterator[_Judgement]:
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        cells = [clean_text(cell) for cell in line.split("\t")]
        if not line.strip():
            continue
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
        yield _Judgement(f"{path.parent.name}/{path.name}: line {number}", query, document, int(score))
