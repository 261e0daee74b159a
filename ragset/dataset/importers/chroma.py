"""The CSV of Chroma's chunking evaluation: questions with excerpts of a corpus and their offsets in its file."""

from collections import Counter
from pathlib import Path
from typing import Any

from pydantic import BaseModel, StrictInt, TypeAdapter, ValidationError

from ragset.dataset.importers.files import read_table, read_text
from ragset.dataset.importers.imported import SetBuilder
from ragset.dataset.importers.original import Original
from ragset.dataset.importers.registry import importer
from ragset.errors import InputError
from ragset.models import Span

_COLUMNS = ("question", "references", "corpus_id")
_QUESTIONS = "questions.csv"
_ENDINGS = (".md", ".txt")
_Corpus = tuple[Original, str]  # a text with the id of its document


class _Reference(BaseModel):
    content: str
    start_index: StrictInt | None = None


_REFERENCES = TypeAdapter(list[_Reference])


def _is_chroma(path: Path) -> bool:
    if path.is_dir():
        return (path / _QUESTIONS).is_file()
    return path.suffix.lower() in {".csv", ".tsv"} and set(_COLUMNS) <= set(read_table(path)[0])


@importer(
    "chroma", f"Chroma's {_QUESTIONS} (columns {', '.join(_COLUMNS)}) with the corpora beside it", recognises=_is_chroma
)
def read_chroma(path: Path, builder: SetBuilder, **_: Any) -> None:
    """Add the questions of a CSV. The corpora stand beside it as `<corpus_id>.md` or `.txt`."""
    path = path / _QUESTIONS if path.is_dir() else path
    names, rows = read_table(path)
    missing = [name for name in _COLUMNS if name not in names]
    if missing:
        raise InputError(f"{path}: there is no column {', '.join(missing)}; Chroma's are {', '.join(_COLUMNS)}")
    corpora: dict[str, _Corpus | None] = {}
    lost: Counter[str] = Counter()
    for line, fields in rows:
        name = fields["corpus_id"].strip()
        if name not in corpora:
            corpora[name] = _read_corpus(path.parent, name, builder)
        if (corpus := corpora[name]) is None:
            lost[name] += 1
            continue
        try:
            references = _REFERENCES.validate_json(fields["references"])
        except ValidationError:
            fault = "references is not a JSON list of objects with content, start_index and end_index"
            raise InputError(f"{path}: line {line}, {fault}; mend or delete the line") from None
        where, source = f"{path.name}: line {line}", f"{path.name}:{line}"
        if spans := _align(references, corpus, where, builder):
            metadata = {"corpus_id": name}
            builder.add_golden(fields["question"], "", spans, where=where, source=source, metadata=metadata)
    for name, questions in lost.items():
        files = " or ".join(f"{name}{ending}" for ending in _ENDINGS)
        builder.report(path.name, f"{questions} questions of corpus {name}: there is no {files} beside {path.name}")


def _read_corpus(folder: Path, name: str, builder: SetBuilder) -> _Corpus | None:
    # A name and no path: a table must not lead to other folders.
    if not name or Path(name).name != name:
        return None
    path = next((path for ending in _ENDINGS if (path := folder / f"{name}{ending}").is_file()), None)
    if path is None:
        return None
    # As Python's text mode reads it, in which the offsets were counted.
    original = Original(read_text(path).replace("\r\n", "\n").replace("\r", "\n"))
    document = builder.add_document(original.text, source=path.name)
    return (original, document.id) if document else None


def _align(references: list[_Reference], corpus: _Corpus, where: str, builder: SetBuilder) -> list[Span]:
    """All spans, or none: a question with part of its evidence would ask for less than its authors did."""
    original, doc_id = corpus
    spans: list[Span] = []
    for reference in references:
        if place := original.find(reference.content, reference.start_index):
            spans.append(Span(doc_id=doc_id, start=place[0], end=place[1]))
        else:
            builder.report(where, "the excerpt does not stand in the corpus word for word", reference.content)
    if not references:
        builder.report(where, "the question has no excerpts")
    return spans if len(spans) == len(references) else []
