"""BEIR folders: `corpus.jsonl`, `queries.jsonl` and judgements in `qrels/*.tsv`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from ragset.dataset.importers.files import read_json_lines, read_text, validated
from ragset.dataset.importers.imported import Judgement, SetBuilder, add_judged
from ragset.dataset.importers.registry import importer
from ragset.documents.cleaning import clean_text
from ragset.errors import InputError
from ragset.models import Document, Span

_FILES = ("corpus.jsonl", "queries.jsonl")


class _Text(BaseModel):
    model_config = ConfigDict(coerce_numbers_to_str=True)

    id: Annotated[str, Field(alias="_id", min_length=1)]
    text: str
    title: Any = ""
    metadata: Any = None


@importer(
    "beir",
    "a BEIR folder with corpus.jsonl, queries.jsonl and qrels/test.tsv",
    recognises=lambda path: any((path / name).is_file() for name in _FILES),
)
def read_beir(folder: Path, builder: SetBuilder, **_: Any) -> None:
    """Add the judged queries of `qrels/test.tsv`, or of every file there, each a split of its name.

    A document judged above 0 is evidence as a whole, with its grade.
    """
    for name in _FILES:
        if not (folder / name).is_file():
            raise InputError(f"{folder}: is no BEIR folder, there is no {name} in it")
    paths = sorted((folder / "qrels").glob("*.tsv"))
    if not paths:
        raise InputError(f"{folder}: there are no judgements; put them into qrels/test.tsv")
    documents: dict[str, Document | None] = {}
    path = folder / "corpus.jsonl"
    for line, id_, one in _texts(path):
        if id_ in documents:
            raise InputError(f"{path}: line {line} has the _id {id_} of an earlier line; give it one of its own")
        title = one.title if isinstance(one.title, str) else ""
        metadata = one.metadata if isinstance(one.metadata, dict) else None
        # Some have a title and nothing under it, and are judged by that.
        text = one.text if one.text.strip() else title
        documents[id_] = builder.add_document(text, source=f"corpus.jsonl:{id_}", title=title, metadata=metadata)

    def find(id_: str) -> Span | str:
        if document := documents.get(id_):
            return Span(doc_id=document.id, start=0, end=len(document.text))
        return f"document {id_} of corpus.jsonl {'is empty' if id_ in documents else 'is not there'}"

    queries = {id_: one.text for _, id_, one in _texts(folder / "queries.jsonl")}
    for path in [path for path in paths if path.stem == "test"] or paths:
        judgements = [*_judgements(path)]
        if not judgements:
            raise InputError(f"{path}: there are no judgements in it; name a folder with data in it")
        add_judged(builder, judgements, queries, find, split=path.stem, told="queries.jsonl")


def _texts(path: Path) -> Iterator[tuple[int, str, _Text]]:
    for row in read_json_lines(path):
        one = validated(_Text, row.fields, f"{path}: line {row.line}")
        yield row.line, clean_text(one.id), one


def _judgements(path: Path) -> Iterator[Judgement]:
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        cells = [clean_text(cell) for cell in line.split("\t")]
        if not line.strip():
            continue
        try:
            query, document, grade = cells
            yield Judgement(f"{path.parent.name}/{path.name}: line {number}", query, document, int(grade))
        except ValueError:
            if number > 1 or len(cells) != 3:  # else the names of the columns
                raise InputError(
                    f"{path}: line {number} is not query-id, corpus-id and a whole number parted by tabs; mend the line"
                ) from None
