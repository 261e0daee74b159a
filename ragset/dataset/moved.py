"""Where texts of one corpus stand in another, white space apart.

Of several places the best is taken: one that can be retrieved, in the same file, with the surroundings most alike, and last
at the nearest relative position. Not every place with the same words is the same passage: a short text counts only where
its surroundings are alike, and a document that was there all along counts only where the whole paragraph is the same.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any, NamedTuple

from ragset.documents.corpus import Corpus
from ragset.models import Document, Span
from ragset.text.context_window import alike, around, paragraph

SHORT = 30
"""Characters; a shorter text needs surroundings that are alike."""
ALIKE = 0.7
"""From which surroundings are alike, 0 to 1; unrelated English prose reaches 0.5."""
_RECORD = re.compile(r":\d+\Z")
"""What a record's source has behind the name of its file; rows that come before it move it."""

Over = Callable[[Span], Sequence[Span]]
"""The chunks that can be retrieved and share characters with a span."""


class Place(NamedTuple):
    """A place that has the text."""

    span: Span
    likeness: float
    same_paragraph: bool
    rank: tuple[Any, ...]
    """The least is the best."""


def file_of(source: str) -> str:
    """The file of a document: the source without the number of a record."""
    return _RECORD.sub("", source)


def find_places(spans: Sequence[Span], before: Corpus, after: Corpus, over: Over) -> dict[Span, list[Place]]:
    """Where the text of each span of `before` stands in `after`, best first: in files of the same name, or else anywhere."""
    sought = [_Sought(span, before[span.doc_id]) for span in spans]
    found: dict[Span, list[Place]] = {span: [] for span in spans}

    def look(document: Document, ones: Iterable[_Sought]) -> None:
        folded = ""
        for one in ones:
            folded = folded or " ".join(document.text.split())
            for span in one.spans_in(document, folded):
                place = one.judged(document, span, copy=document.id in before, retrievable=bool(over(span)))
                if place is not None:
                    found[one.span].append(place)

    by_file: dict[str, list[_Sought]] = defaultdict(list)
    for one in sought:
        for file in one.files:
            by_file[file].append(one)
    for document in after if sought else ():
        look(document, {one.span: one for file in _files(document) for one in by_file.get(file, ())}.values())
    rest = [one for one in sought if not any(over(place.span) for place in found[one.span])]
    for document in after if rest else ():
        look(document, [one for one in rest if not _files(document) & one.files])
    for places in found.values():
        places.sort(key=lambda place: place.rank)
    return found


def _files(document: Document) -> set[str]:
    return {file_of(source) for source in document.sources}


class _Sought:
    """A text to look for, and what stood around it."""

    def __init__(self, span: Span, document: Document) -> None:
        self.span = span
        self.document = document
        self.files = _files(document)
        words = document.text[span.start : span.end].split()
        self.folded = " ".join(words)
        self._around = around(document.text, span)
        self._paragraph = paragraph(document.text, span)
        self._pattern = _pattern(words, document.text, span)

    def spans_in(self, document: Document, folded: str) -> list[Span]:
        """Each place of the text in `document`, whose text with single blanks is `folded`."""
        if not self.folded or self.folded not in folded:
            return []
        matches = self._pattern.finditer(document.text)
        return [Span(doc_id=document.id, start=match.start(), end=match.end()) for match in matches]

    def judged(self, document: Document, span: Span, *, copy: bool, retrievable: bool) -> Place | None:
        """The place with its rank; None where it is another passage with the same words."""
        sides = [alike(*pair) for pair in zip(self._around, around(document.text, span), strict=True)]
        same_paragraph = paragraph(document.text, span) == self._paragraph
        if copy and not same_paragraph:
            return None
        if len(self.folded) < SHORT and max((side for side in sides if side is not None), default=0.0) < ALIKE:
            return None
        likeness = sum(1.0 if side is None else side for side in sides) / 2
        then, now = self.span.start / len(self.document.text), span.start / len(document.text)
        other_file = not self.files & _files(document)
        rank = (not retrievable, other_file, -likeness, abs(then - now), span.doc_id, span.start)
        return Place(span, likeness, same_paragraph, rank)


def _pattern(words: Sequence[str], text: str, span: Span) -> re.Pattern[str]:
    """These words with any white space between them. No word or number may be cut that was whole: "5" is not in "1.5"."""
    said = text[span.start : span.end]
    start = span.start + len(said) - len(said.lstrip())
    middle = r"\s+".join(map(re.escape, words))
    for head, tail in product((r"(?<!\w)(?<!\d[.,])", r"(?<!\w)", ""), (r"(?!\w)(?![.,]\d)", r"(?!\w)", "")):
        pattern = re.compile(head + middle + tail)
        if pattern.match(text, start):
            return pattern
    raise AssertionError("a text is found where it stands")
