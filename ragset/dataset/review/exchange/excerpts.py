"""What a person sees of a golden in another tool, in which each character knows its place in a document, and what they say of it."""

from typing import NamedTuple, Self

from ragset.dataset.labels import spans_shown
from ragset.dataset.review.records import Verdict
from ragset.documents.corpus import Corpus
from ragset.models import Golden, Span
from ragset.text.quotes import merge

Marks = tuple[tuple[int, int], ...]
"""Half-open ranges of characters of the text that was shown."""


class Said(NamedTuple):
    """One person's judgement of one golden, with whole values: what was not changed is there as it was shown."""

    item: str
    reviewer: str
    guideline: str  # `name@version`, as it was exported
    verdict: Verdict | None  # None: the person skipped it
    reasons: tuple[str, ...] = ()
    note: str = ""
    query: str = ""
    answer: str = ""
    text: str = ""  # that was shown
    evidence: Marks | None = None  # None: nothing is said of it
    equivalents: Marks | None = None


TEXTS = {"query": "The question, corrected", "answer": "The answer, corrected", "note": "Note"}
"""Boxes to write in, with their titles."""
AROUND = 600  # characters shown before and after a span
_NOTHING = "(the documents hold nothing near it)"


class Excerpt(NamedTuple):
    """The passages around what is marked, each under the name of its document."""

    text: str
    windows: tuple[tuple[int, Span], ...]
    """Where each passage begins in the text, and what it is of its document."""

    @classmethod
    def of(cls, golden: Golden, corpus: Corpus) -> Self:
        """Around the evidence and the equivalents; of a query without an answer, around what nearly answers it."""
        windows: list[tuple[int, Span]] = []
        text = ""
        for span in merge(_widened(span, corpus) for span in spans_shown(golden)):
            document = corpus[span.doc_id]
            text += f"{chr(10) * 2 * bool(text)}[{document.title or document.sources[0]}]\n"
            windows.append((len(text), span))
            text += document.text[span.start : span.end]
        return cls(text or _NOTHING, tuple(windows))

    def marked(self, golden: Golden) -> list[tuple[str, int, int]]:
        """What is to be marked in the text: each span of the evidence and each equivalent, with its start and end there."""
        marks = [("evidence", span) for span in golden.evidence] + [("equivalent", span) for span in golden.equivalents]
        return [(code, *self.place(span)) for code, span in marks]

    def place(self, span: Span) -> tuple[int, int]:
        """Where a span that is shown stands in the text."""
        at, window = next((at, one) for at, one in self.windows if one.overlap(span) == span.end - span.start)
        return at + span.start - window.start, at + span.end - window.start

    def span(self, start: int, end: int) -> Span | None:
        """What stands there, as a span of its document; None where it is not within one passage."""
        for at, window in self.windows:
            if at <= start < end <= at + window.end - window.start:
                shift = window.start - at
                return Span(doc_id=window.doc_id, start=start + shift, end=end + shift)
        return None


def _widened(span: Span, corpus: Corpus) -> Span:
    end = min(len(corpus[span.doc_id].text), span.end + AROUND)
    return Span(doc_id=span.doc_id, start=max(0, span.start - AROUND), end=end)
