"""TREC: judgements (`qrels`) with topics, over a collection beside them or over documents of one's own."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from ragset.dataset.importers.files import read_json_lines, read_text
from ragset.dataset.importers.imported import Judgement, SetBuilder, add_judged
from ragset.dataset.importers.registry import importer
from ragset.documents.cleaning import clean_text
from ragset.errors import InputError
from ragset.models import Document, Span

_COLLECTIONS = tuple(f"{name}.{ending}" for name in ("collection", "corpus", "docs") for ending in ("jsonl", "tsv"))
_IDS = ("id", "_id", "docid", "doc_id", "docno")
_TEXTS = ("contents", "text", "body", "passage")
_SPLITS = {"train": "train", "dev": "validation", "val": "validation", "validation": "validation"}
_TOPIC = re.compile(r"<(?:top|topic|query)\b([^>]*)>(.*?)</(?:top|topic|query)>", re.DOTALL | re.IGNORECASE)
_AROUND = re.compile(r"</?(?:topics|queries|xml)[^>]*>|<\?[^>]*\?>", re.IGNORECASE)  # all topics or queries
_NUMBER = re.compile(r"""\b(?:number|id|qid)\s*=\s*["']?([^"'\s>]+)|<num>\s*(?:Number:)?\s*([^\s<]+)""", re.IGNORECASE)
_QUERY = re.compile(r"<(?:title|query)>\s*(?:Topic:)?\s*(.*?)\s*(?=<|\Z)", re.DOTALL | re.IGNORECASE)


@importer(
    "trec",
    "TREC judgements whose name has qrels, with a file of topics or queries beside them",
    recognises=lambda path: bool(_files(path, "qrel") if path.is_dir() else "qrel" in path.name.lower()),
    takes_documents=True,
)
def read_trec(path: Path, builder: SetBuilder, documents: Sequence[Document] | None, **_: Any) -> None:
    """Add the judged queries of a file, or of all such files in a folder, whose names say the split.

    Documents are those of a collection.jsonl or .tsv beside them, or the ones given, by their source with or without the ending, by
    its last part, or by our ids, also of spans (`doc_id:start-end`). What is judged above 0 is evidence with its grade.
    """
    folder = path if path.is_dir() else path.parent
    names = ("topic", "quer")
    topics = next((found[0] for name in names if (found := _files(folder, name))), None)
    if topics is None:
        raise InputError(
            f"{folder}: there is no file of topics beside the judgements; put in a topics.tsv, with id and query"
        )
    queries = _read_topics(topics)
    if documents is None:
        collection = next((folder / name for name in _COLLECTIONS if (folder / name).is_file()), None)
        if collection is None:
            raise InputError(
                f"{folder}: there is no {_COLLECTIONS[0]} beside the judgements; put it there, or name the documents"
            )
        known, where = _read_collection(collection, builder), collection.name
    else:
        known, where = _named(documents), "the documents given"

    def find(id_: str) -> Span | str:
        if document := known.get(id_):
            return Span(doc_id=document.id, start=0, end=len(document.text))
        try:
            span = Span.of_id(id_)
        except ValueError:
            return f"{id_} is none of {where}"
        document = known.get(span.doc_id)
        return span if document and span.end <= len(document.text) else f"{id_} is none of {where}"

    for file in [path] if path.is_file() else _files(path, "qrel"):
        parts = re.split(r"[^a-z]+", file.name.lower())
        split = next((_SPLITS[part] for part in parts if part in _SPLITS), "test")
        add_judged(builder, _judgements(file), queries, find, split=split, told=topics.name)


def _files(folder: Path, word: str) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file() and word in path.name.lower())


def _judgements(path: Path) -> Iterator[Judgement]:
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not (cells := line.split()):
            continue
        try:
            query, _, document, grade = cells
            yield Judgement(f"{path.name}: line {number}", query, document, int(grade))
        except ValueError:
            raise InputError(
                f"{path}: line {number} is not `query 0 document grade` with a whole number; mend the line"
            ) from None


def _read_topics(path: Path) -> Mapping[str, str]:
    """Queries by id: of lines with a tab, or of TREC's elements, classic or XML."""
    text = read_text(path)
    if not text.lstrip("\ufeff \r\n\t").startswith("<"):
        rows = [line.split("\t", 1) for line in text.splitlines() if line.strip()]
        if fault := next((number for number, row in enumerate(rows, start=1) if len(row) < 2), None):
            raise InputError(f"{path}: query {fault} is not an id and a text with a tab between; mend the line")
        return {id_.strip(): clean_text(query) for id_, query in rows}
    found: dict[str, str] = {}
    for attributes, body in _TOPIC.findall(_AROUND.sub("", text)):
        number, query = _NUMBER.search(f"{attributes} {body}"), _QUERY.search(body)
        if number:
            said = query[1] if query else re.sub(r"<[^>]*>", " ", body)
            found[number[1] or number[2]] = clean_text(" ".join(html.unescape(said).split()))
    if not found:
        raise InputError(
            f"{path}: no topic with a number and a title or query could be read; save it as lines of id, tab, query"
        )
    return found


def _read_collection(path: Path, builder: SetBuilder) -> dict[str, Document]:
    known: dict[str, Document] = {}
    for where, id_, text, title in _records(path):
        if not id_ or id_ in known:
            raise InputError(
                f"{path}: {where} has {'no id' if not id_ else f'the id {id_} of an earlier one'}; mend it"
            )
        if document := builder.add_document(text or title, source=f"{path.name}:{id_}", title=title):
            known[id_] = document
    return known


def _records(path: Path) -> Iterator[tuple[str, str, str, str]]:
    if path.suffix == ".jsonl":
        for row in read_json_lines(path):
            id_, text = (
                next((row.fields[name] for name in names if name in row.fields), "") for names in (_IDS, _TEXTS)
            )
            title = row.fields.get("title")
            yield f"line {row.line}", str(id_).strip(), str(text), title if isinstance(title, str) else ""
    else:
        for number, line in enumerate(read_text(path).split("\n"), start=1):
            id_, _, text = line.partition("\t")
            if line.strip():
                yield f"line {number}", id_.strip(), text, ""


def _named(documents: Sequence[Document]) -> dict[str, Document]:
    """The documents by every name that tells one alone."""
    by_name: dict[str, set[str]] = {}
    for document in documents:
        paths = [PurePosixPath(source) for source in document.sources]
        names = (name for path in paths for name in (str(path), str(path.with_suffix("")), path.name, path.stem))
        for name in (document.id, *names):
            by_name.setdefault(name, set()).add(document.id)
    by_id = {document.id: document for document in documents}
    return {name: by_id[min(ids)] for name, ids in by_name.items() if len(ids) == 1}
