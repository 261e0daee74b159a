"""Goldens as a table that a spreadsheet can open without running anything in it."""

import csv
import io
import re
from collections.abc import Iterable, Mapping

from ragset.dataset.labels import labels_of
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Golden, Span

SCORES = ("groundedness", "relevance", "clarity")
COLUMNS = (
    "id",
    "query",
    "answer",
    "kind",
    "evidence",
    "titles",
    "sources",
    "spans",
    "equivalents",
    "equivalent_spans",
    "style",
    "shape",
    "evolution",
    *SCORES,
    "split",
    "hardness",
    "closed_book",
    "round_trip",
    "overlap",
    "persona",
    "language",
    "missing",
)

_START = r"(?:\A|(?<=[;\t\r\n]))"
"""Where a cell may begin: also after a semicolon or a line end, since a spreadsheet that expects another separator
than the comma does not see the quotes that hold a cell together."""
_FORMULA = r"[ \"']*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]"
"""What makes a formula of a cell, also behind blanks and quotes; the wide signs do where East Asian text is usual."""
_TO_SHIELD = re.compile(f"{_START}(?={_FORMULA})")
_SHIELD = re.compile(f"{_START}'(?={_FORMULA})")


def goldens_csv(goldens: Iterable[Golden], corpus: Corpus) -> str:
    """A line for each golden under a line of names; begins with the mark by which Excel knows UTF-8."""
    out = io.StringIO()
    out.write("\ufeff")
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(COLUMNS)
    for golden in goldens:
        row = golden_row(golden, corpus)
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
    return [{name: unshielded(cell) for name, cell in row.items()} for row in rows]


def shielded(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: with a `'` at each place where one could begin."""
    return _TO_SHIELD.sub("'", cell)


def unshielded(cell: str) -> str:
    """The cell that was `shielded`."""
    return _SHIELD.sub("", cell)


def golden_row(golden: Golden, corpus: Corpus) -> Mapping[str, str]:
    """The cells of one golden by column, as text."""
    documents = {span.doc_id: corpus[span.doc_id] for span in golden.evidence}
    labels = labels_of(golden)
    trip = labels.round_trip
    return {
        "id": golden.id,
        "query": golden.query,
        "answer": golden.answer or "",
        "kind": golden.kind,
        "evidence": _texts(golden.evidence, corpus),
        "titles": "\n".join(document.title for document in documents.values()),
        "sources": "\n".join(", ".join(document.sources) for document in documents.values()),
        "spans": " ".join(span.id for span in golden.evidence),
        "equivalents": _texts(golden.equivalents, corpus),
        "equivalent_spans": " ".join(span.id for span in golden.equivalents),
        "style": str(golden.metadata.get("style", "")),
        "shape": str(golden.metadata.get("shape", "")),
        "evolution": str(golden.metadata.get("evolution", "")),
        "split": golden.split,
        "hardness": labels.hardness,
        "closed_book": labels.closed_book,
        "round_trip": "" if trip is None else labels.found if trip.rank is None else str(trip.rank),
        "overlap": "" if labels.overlap is None else f"{labels.overlap:g}",
        "persona": labels.persona,
        "language": labels.language,
        "missing": labels.missing,
        **{name: str(golden.scores.get(name, "")) for name in SCORES},
    }


def _texts(spans: Iterable[Span], corpus: Corpus) -> str:
    return "\n…\n".join(corpus.text(span) for span in spans)
