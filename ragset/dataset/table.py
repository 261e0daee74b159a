"""Goldens as a table that a spreadsheet can open without running anything in it."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ragset.dataset.dialogue import dialogue_of
from ragset.dataset.labels import Labels, labels_of
from ragset.dataset.place import Places
from ragset.documents.corpus import Corpus
from ragset.models import Document, Golden, Span

GAP = "\n…\n"  # between the texts of a cell
SCORES = ("groundedness", "relevance", "clarity")


class _Shown(NamedTuple):
    golden: Golden
    labels: Labels
    corpus: Corpus
    places: Places

    def texts(self, spans: Iterable[Span]) -> str:
        return GAP.join(self.corpus.text(span) for span in spans)

    def documents(self) -> list[Document]:
        return [self.corpus[doc_id] for doc_id in dict.fromkeys(span.doc_id for span in self.golden.evidence)]


def _metadata(key: str) -> Callable[[_Shown], str]:
    return lambda one: str(one.golden.metadata.get(key, ""))


def _score(name: str) -> Callable[[_Shown], str]:
    return lambda one: str(one.golden.scores.get(name, ""))


_CELLS: dict[str, Callable[[_Shown], str]] = {
    "id": lambda one: one.golden.id,
    "query": lambda one: one.golden.query,
    "answer": lambda one: one.golden.answer or "",
    "kind": lambda one: one.golden.kind,
    "evidence": lambda one: one.texts(one.golden.evidence),
    "titles": lambda one: "\n".join(document.title for document in one.documents()),
    "sources": lambda one: "\n".join(", ".join(document.sources) for document in one.documents()),
    "places": lambda one: "\n".join(dict.fromkeys(str(one.places.of(span)) for span in one.golden.evidence)),
    "spans": lambda one: " ".join(span.id for span in one.golden.evidence),
    "equivalents": lambda one: one.texts(one.golden.equivalents),
    "equivalent_spans": lambda one: " ".join(span.id for span in one.golden.equivalents),
    **{key: _metadata(key) for key in ("style", "shape", "evolution")},
    **{name: _score(name) for name in SCORES},
    "split": lambda one: one.golden.split,
    "hardness": lambda one: one.labels.hardness,
    "closed_book": lambda one: one.labels.closed_book,
    "round_trip": lambda one: str((one.labels.round_trip and one.labels.round_trip.rank) or one.labels.found),
    "overlap": lambda one: "" if one.labels.overlap is None else f"{one.labels.overlap:g}",
    "persona": lambda one: one.labels.persona,
    "language": lambda one: one.labels.language,
    "missing": lambda one: one.labels.missing,
    "conversation": lambda one: dialogue_of(one.golden),
    "assertions": lambda one: "\n".join(said.statement for said in one.golden.assertions),
}
COLUMNS = tuple(_CELLS)

# Where a cell may begin: also after a semicolon or a line end, since a spreadsheet that expects another separator
# than the comma does not see the quotes that hold a cell together.
_BEGINS = r"(?:\A|(?<=[;\t\r\n]))"
# What makes a formula of a cell, also behind blanks and quotes; the wide signs do where East Asian text is usual.
_FORMULA = r"(?=[ \"']*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])"
_TO_SHIELD, _SHIELD = re.compile(_BEGINS + _FORMULA), re.compile(f"{_BEGINS}'{_FORMULA}")


def goldens_csv(goldens: Iterable[Golden], corpus: Corpus) -> str:
    """A line for each golden under a line of names; begins with the mark by which Excel knows UTF-8."""
    out = io.StringIO()
    out.write("\ufeff")
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(COLUMNS)
    table.writerows([shielded(cell) for cell in row.values()] for row in golden_rows(goldens, corpus))
    return out.getvalue()


def shielded(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: with a `'` at each place where one could begin."""
    return _TO_SHIELD.sub("'", cell)


def unshielded(cell: str) -> str:
    """The cell that `shielded` was given."""
    return _SHIELD.sub("", cell)


def golden_rows(goldens: Iterable[Golden], corpus: Corpus) -> Iterator[dict[str, str]]:
    """The cells of each golden by column, as text."""
    places = Places(corpus)
    for golden in goldens:
        shown = _Shown(golden, labels_of(golden), corpus, places)
        yield {name: cell(shown) for name, cell in _CELLS.items()}
