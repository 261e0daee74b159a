"""Where a passage stands, as a person looks it up: the file, the pages and the headings above it."""

from typing import NamedTuple

from ragset.chunking.markdown import Outline, outline
from ragset.documents.corpus import Corpus
from ragset.documents.pages import page_of
from ragset.models import Span

_LONGEST = 200  # characters of the headings together


class Place(NamedTuple):
    """A place in a document."""

    sources: tuple[str, ...]
    pages: tuple[int, ...]  # first and last, from 1; one where they are the same, none where the format has no pages
    headings: tuple[str, ...]  # outermost first, without the title of the document

    @property
    def within(self) -> str:
        """Where in the file: "page 3 · Brewing > Water"; empty where nothing is known."""
        page = f"page{'s' * (len(self.pages) - 1)} {'–'.join(map(str, self.pages))}" if self.pages else ""
        return " · ".join(part for part in (page, " > ".join(self.headings)[:_LONGEST]) if part)

    def __str__(self) -> str:
        return " · ".join(part for part in (", ".join(self.sources), self.within) if part)


class Places:
    """Finds the places of passages of a corpus, and reads the headings of each document once."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._outlines: dict[str, Outline] = {}

    def of(self, span: Span) -> Place:
        """The place of a passage."""
        document = self._corpus[span.doc_id]
        if span.doc_id not in self._outlines:
            self._outlines[span.doc_id] = outline(document.text)
        pages = [page for place in (span.start, span.end - 1) if (page := page_of(document, place)) is not None]
        above = self._outlines[span.doc_id].headings(span.start, span.end)
        headings = tuple(heading for heading in above if heading != document.title)
        return Place(document.sources, tuple(dict.fromkeys(pages)), headings)
