"""Goldens as a table that a spreadsheet can open without running anything in it."""

import csv
import io
from collections.abc import Iterable, Mapping

from ragset.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Golden

COLUMNS = (
    "id",
    "query",
    "answer",
    "kind",
    "evidence",
    "sources",
    "spans",
    "style",
    "evolution",
    "groundedness",
    "relevance",
    "clarity",
    "split",
)

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'", "\n")
"""What a cell must not begin with: a spreadsheet would take it for a formula, or for the mark that prevents one."""


def goldens_csv(goldens: Iterable[Golden], corpus: Corpus) -> str:
    """A line for each golden under a line of names; begins with the mark by which Excel knows UTF-8."""
    out = io.StringIO()
    out.write("\ufeff")
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(COLUMNS)
    for golden in goldens:
        row = _row(golden, corpus)
        table.writerow([shielded(row[name]) for name in COLUMNS])
    return out.getvalue()


def read_csv(text: str) -> list[dict[str, str]]:
    """The rows of such a table as they were before they were shielded.

    Raises:
        InputError: the columns are others.
    """
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    if tuple(rows.fieldnames or ()) != COLUMNS:
        raise InputError(f"goldens.csv: the columns must be {', '.join(COLUMNS)}")
    return [{name: _unshielded(cell) for name, cell in row.items()} for row in rows]


def shielded(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _unshielded(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_FORMULA) else cell


def _row(golden: Golden, corpus: Corpus) -> Mapping[str, str]:
    documents = {span.doc_id: corpus[span.doc_id] for span in golden.evidence}
    return {
        "id": golden.id,
        "query": golden.query,
        "answer": golden.answer or "",
        "kind": golden.kind,
        "evidence": "\n…\n".join(corpus.text(span) for span in golden.evidence),
        "sources": "\n".join(", ".join(document.sources) for document in documents.values()),
        "spans": " ".join(span.id for span in golden.evidence),
        "style": str(golden.metadata.get("style", "")),
        "evolution": str(golden.metadata.get("evolution", "")),
        "split": golden.split,
        **{name: str(golden.scores.get(name, "")) for name in ("groundedness", "relevance", "clarity")},
    }
