"""Where texts of one corpus stand in another, white space apart.

The best place can be retrieved, is in the same file, and has the most similar surroundings. A short text counts only where
its surroundings are alike, and one in a document that was there before only where the whole paragraph is the same.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ragset.dataset.relevance.repeats import same_words
from ragset.documents.corpus import Corpus
from ragset.models import Document, Span
from ragset.text.context_window import alike, around, paragraph

_LINE = re.compile(r"[^\n]+")


def new_text(before: Corpus, after: Corpus) -> Iterator[Span]:
    """Stretches of `after` whose lines stand in no document that is gone or changed since `before`; white space apart."""
    gone = (before[doc_id].text for doc_id in before.ids if doc_id not in after)
    known = {hash(" ".join(line.split())) for text in gone for line in text.splitlines()}
    for doc_id in after.ids:
        if doc_id in before:
            continue
        start = end = 0
        for match in _LINE.finditer(after[doc_id].text):
            if not match[0].strip():
                continue
            if hash(" ".join(match[0].split())) not in known:
                start, end = (start if end else match.start()), match.end()
            elif end:
                yield Span(doc_id=doc_id, start=start, end=end)
                start = end = 0
        if end:
            yield Span(doc_id=doc_id, start=start, end=end)


SHORT = 30  # characters; a shorter text needs surroundings that are alike
ALIKE = 0.7  # from which surroundings are alike, 0 to 1; unrelated English prose reaches 0.5
_RECORD = re.compile(r":\d+\Z")
"""What a record's source has behind the name of its file; rows that come before it move it."""

Over = Callable[[Span], Sequence[Span]]  # the chunks that can be retrieved and share characters with a span


class Place(NamedTuple):
    """A place that has the text."""

    span: Span
    likeness: float
    same_paragraph: bool
    rank: tuple[Any, ...]  # the smallest is the best


def files_of(document: Document) -> set[str]:
    """The files of a document: its sources without the numbers of records."""
    return {_RECORD.sub("", source) for source in document.sources}


def find_places(spans: Sequence[Span], before: Corpus, after: Corpus, over: Over) -> dict[Span, list[Place]]:
    """Where the text of each span of `before` stands in `after`, best first: in files of the same name, or else anywhere."""
    sought = [_Sought(span, before[span.doc_id], over) for span in spans]
    for same_file in (True, False):
        left = [one for one in sought if not any(over(place.span) for place in one.found)]
        for document in after if left else ():
            files = files_of(document)
            wanted = [one for one in left if files.isdisjoint(one.files) != same_file]
            folded = " ".join(document.text.split()) if wanted else ""
            for one in wanted:
                one.look(document, folded, copy=document.id in before)
    return {one.span: sorted(one.found, key=lambda place: place.rank) for one in sought}


class _Sought:
    def __init__(self, span: Span, document: Document, over: Over) -> None:
        self.span, self.files, self.over = span, files_of(document), over
        self.found: list[Place] = []
        words = document.text[span.start : span.end].split()
        self._folded = " ".join(words)
        self._around, self._paragraph = around(document.text, span), paragraph(document.text, span)
        self._position = span.start / len(document.text)
        self._pattern = same_words(document.text, span) if words else None

    def look(self, document: Document, folded: str, *, copy: bool) -> None:
        """Add the places in `document`, whose text with single blanks is `folded`; a `copy` was there before."""
        if not self._pattern or self._folded not in folded:
            return
        for match in self._pattern.finditer(document.text):
            span = Span(doc_id=document.id, start=match.start(), end=match.end())
            sides = [alike(*pair) for pair in zip(self._around, around(document.text, span), strict=True)]
            same_paragraph = paragraph(document.text, span) == self._paragraph
            if copy and not same_paragraph:
                continue
            if len(self._folded) < SHORT and max((side for side in sides if side is not None), default=0.0) < ALIKE:
                continue
            likeness = sum(1.0 if side is None else side for side in sides) / 2
            other_file = self.files.isdisjoint(files_of(document))
            distance = abs(self._position - span.start / len(document.text))
            rank = (not self.over(span), other_file, -likeness, distance, span.doc_id, span.start)
            self.found.append(Place(span, likeness, same_paragraph, rank))
