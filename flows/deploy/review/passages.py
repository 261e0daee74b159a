"""Windows of documents, as the page shows them. Places count characters (code points), as spans do; the page counts so too."""

from collections.abc import Iterable
from typing import Any

from ragset.dataset.place import Places
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Span
from ragset.text.quotes import merge

AROUND = 1_200  # characters shown before and after a span; the page asks for more when somebody scrolls to an end
MOST = 20_000  # characters of one answer


class Passages:
    """Reads windows of a corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._places = Places(corpus)

    def around(self, spans: Iterable[Span], around: int = AROUND) -> list[dict[str, Any]]:
        """A window around each span, those that meet as one, in the order in which the spans name their documents."""
        given = list(spans)
        documents = [*dict.fromkeys(span.doc_id for span in given)]
        wide = merge(self._widened(span, around) for span in given)
        return [self.window(span) for span in sorted(wide, key=lambda span: (documents.index(span.doc_id), span.start))]

    def window(self, span: Span) -> dict[str, Any]:
        """The text of a span of at most `MOST` characters, and where it stands."""
        document = self._corpus[span.doc_id]
        end = min(span.end, span.start + MOST, len(document.text))
        if span.start >= end:
            raise InputError(f"{self._corpus.path}: document {span.doc_id} ends before {span.id}")
        return {
            "doc": document.id,
            "start": span.start,
            "end": end,
            "text": document.text[span.start : end],
            "length": len(document.text),
            "title": document.title or document.sources[0],
            "source": ", ".join(document.sources),
            "where": self._places.of(span).within,
        }

    def _widened(self, span: Span, around: int) -> Span:
        text = self._corpus[span.doc_id].text
        start, end = max(0, span.start - around), min(len(text), span.end + around)
        # Not within a word, where one ends near.
        first, last = text.find(" ", start, min(start + 40, span.start)), text.rfind(" ", max(end - 40, span.end), end)
        return Span(
            doc_id=span.doc_id,
            start=start if not start or first < 0 else first + 1,
            end=end if end == len(text) or last < 0 else last,
        )
