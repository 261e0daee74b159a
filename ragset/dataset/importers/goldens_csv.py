"""goldens.csv as ragset writes it, perhaps edited in a spreadsheet: the goldens of its dataset, with the rows' words."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ragset.dataset.importers.files import read_table
from ragset.dataset.importers.imported import SetBuilder
from ragset.dataset.importers.questions import NO_CONTEXT, find_contexts
from ragset.dataset.importers.registry import importer
from ragset.dataset.read import read_lines
from ragset.dataset.table import GAP, unshielded
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import CORPUS_WIDE, Document, Golden, Span

_NEEDED = ("id", "query", "answer", "kind", "evidence", "spans")


def _is_ours(path: Path) -> bool:
    return path.suffix.lower() == ".csv" and path.is_file() and set(_NEEDED) <= set(read_table(path)[0])


@importer("goldens.csv", "the goldens.csv of a dataset of ragset", recognises=_is_ours, takes_documents=True)
def read_goldens_csv(path: Path, builder: SetBuilder, documents: Sequence[Document] | None, **_: Any) -> None:
    """Add the rows: with the documents and labels of the dataset they lie in, else their evidence is looked for in `documents`."""
    known: dict[str, Golden] = {}
    if documents is None:
        beside = path.parent / "corpus.jsonl"
        if not beside.is_file():
            raise InputError(
                f"{path}: is a goldens.csv of ragset without its dataset, so its documents are missing; name the folder of "
                "the dataset, or the documents with --documents"
            )
        documents = tuple(Corpus.open(beside))
        known = {golden.id: golden for golden in read_lines(path.parent / "goldens.jsonl", Golden)}
        builder.add_documents(documents)
    by_id = {document.id: document for document in documents}
    for line, fields in read_table(path)[1]:
        cells = {name: unshielded(cell).replace("\r\n", "\n") for name, cell in fields.items()}
        _add(cells, f"{path.name}: line {line}", builder, by_id, known)


def _add(
    cells: dict[str, str], where: str, builder: SetBuilder, documents: dict[str, Document], known: dict[str, Golden]
) -> None:
    golden = known.get(cells["id"])
    if cells["kind"] == CORPUS_WIDE:
        if golden and golden.assertions:
            builder.add(golden.model_copy(update={"query": cells["query"]}), where)
        else:
            builder.report(
                where, "a corpus-wide query needs the dataset beside its table, with the evidence of its assertions", ""
            )
        return
    of, said = cells["id"], [text for text in cells["evidence"].split(GAP) if text.strip()]
    unanswerable = cells["kind"] == "unanswerable"
    spans = _spans(cells["spans"], said, documents)
    if not spans and not unanswerable:
        found = find_contexts(said, documents.values())
        missing = [text for text in said if not found[text].spans]
        if missing or not said:
            builder.report(where, found[missing[0]].reason if missing else NO_CONTEXT, "".join(missing[:1]))
            return
        spans = [span for text in said for span in found[text].spans]
    answer = None if unanswerable else cells["answer"]
    if golden and golden.evidence == tuple(spans) and golden.kind == cells["kind"]:
        # The last question of a conversation asks what the query asked before it was edited.
        said = golden.conversation if golden.query == cells["query"] else None
        builder.add(golden.model_copy(update={"query": cells["query"], "answer": answer, "conversation": said}), where)
        return
    builder.add_golden(
        cells["query"], answer, spans, where=where, source=of, split=cells.get("split") or "test",
        metadata={name: cells[name] for name in ("style", "shape", "evolution") if cells.get(name)},
    )  # fmt: skip


def _spans(cell: str, said: list[str], documents: dict[str, Document]) -> list[Span]:
    """The spans of a cell, where each holds the text that the row gives; else none."""
    try:
        spans = [Span.of_id(id_) for id_ in cell.split()]
    except ValueError:
        return []
    texts = [documents[span.doc_id].text[span.start : span.end] for span in spans if span.doc_id in documents]
    return spans if texts == said else []
