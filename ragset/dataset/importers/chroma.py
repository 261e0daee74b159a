"""The CSV of Chroma's chunking evaluation: questions with excerpts of a corpus and where these stand in its file."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ragset.dataset.importers.align import Original
from ragset.dataset.importers.files import read_table, read_text
from ragset.dataset.importers.gathering import Gathering
from ragset.errors import InputError
from ragset.models import Span

COLUMNS = ("question", "references", "corpus_id")
_ENDINGS = (".md", ".txt")


class _Corpus(NamedTuple):
    original: Original
    doc_id: str


def read_chroma(path: Path, gathering: Gathering) -> None:
    """Gather the questions of a CSV, with the corpora that stand beside it as `<corpus_id>.md` or `.txt`.

    Raises:
        InputError: a file or a line of it cannot be read.
    """
    names, rows = read_table(path)
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise InputError(f"{path}: there is no column {', '.join(missing)}; Chroma's are {', '.join(COLUMNS)}")
    corpora: dict[str, _Corpus | None] = {}
    lost: Counter[str] = Counter()
    for line, fields in rows:
        name = fields["corpus_id"].strip()
        if name not in corpora:
            corpora[name] = _read_corpus(path.parent, name, gathering)
        corpus = corpora[name]
        if corpus is None:
            lost[name] += 1
            continue
        where = f"{path.name}: line {line}"
        references = _references(fields["references"], path, line)
        spans = _align(references, corpus, where, gathering)
        if spans:
            source = f"{path.name}:{line}"
            gathering.add_golden(
                fields["question"], "", spans, where=where, source=source, metadata={"corpus_id": name}
            )
    for name, questions in lost.items():
        files = " or ".join(f"{name}{ending}" for ending in _ENDINGS)
        gathering.report(path.name, f"{questions} questions of corpus {name}: there is no {files} beside {path.name}")


def _read_corpus(folder: Path, name: str, gathering: Gathering) -> _Corpus | None:
    # A name and no path: a table must not lead to other folders.
    if not name or Path(name).name != name:
        return None
    for path in (folder / f"{name}{ending}" for ending in _ENDINGS):
        if path.is_file():
            # As Python's text mode reads it, in which the offsets were counted.
            original = Original(read_text(path).replace("\r\n", "\n").replace("\r", "\n"))
            document = gathering.add_document(original.text, source=path.name)
            return _Corpus(original, document.id) if document else None
    return None


def _references(cell: str, path: Path, line: int) -> list[dict[str, Any]]:
    try:
        references = json.loads(cell)
    except (ValueError, RecursionError):
        references = None
    if not isinstance(references, list) or not all(_is_reference(reference) for reference in references):
        raise InputError(
            f"{path}: line {line}, references is not a JSON list of objects with content, start_index and end_index; "
            "mend or delete the line"
        )
    return references


def _is_reference(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("content"), str):
        return False
    start = value.get("start_index")
    return start is None or (isinstance(start, int) and not isinstance(start, bool))


def _align(
    references: Iterable[dict[str, Any]], corpus: _Corpus, where: str, gathering: Gathering
) -> list[Span] | None:
    """All of them, or None: a question with part of its evidence would ask for less than its authors did."""
    spans: list[Span] = []
    lost = 0
    for reference in references:
        place = corpus.original.find(reference["content"], reference.get("start_index"))
        if place:
            spans.append(Span(doc_id=corpus.doc_id, start=place[0], end=place[1]))
        else:
            lost += 1
            gathering.report(where, "the excerpt does not stand in the corpus word for word", reference["content"])
    if not spans and not lost:
        gathering.report(where, "the question has no excerpts")
    return None if lost else spans
