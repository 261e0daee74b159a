"""How often the borders of chunks cut evidence, beside how often they would cut it at other places of the same documents.

A test set favours a chunking that cuts its evidence less often than chance would, such as the one whose chunks its queries
were drawn from.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragset.chunking import split
from ragset.dataset.manifest import CutRate
from ragset.documents.corpus import Corpus
from ragset.models import Document, Golden, Span
from ragset.settings import ChunkingSettings
from ragset.text.languages import guess_language
from ragset.text.sentences import PARAGRAPH, sentences

PANEL = (
    *(ChunkingSettings(size=size) for size in (128, 256, 512)),
    ChunkingSettings(strategy="sentence"),
    ChunkingSettings(strategy="token"),
)
"""Chunkings that every test set is compared with."""

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]


class _Place(NamedTuple):
    """A span of evidence, as the sentences that it touches."""

    doc_id: str
    first: int  # number of its first sentence in the document
    number: int  # how many they are
    after: int  # characters between the beginning of the first sentence and the span
    before: int  # characters between the span and the end of its last sentence


class _Sentences(NamedTuple):
    starts: Ints
    ends: Ints
    paragraphs: Ints
    """Sentences × 2: the numbers of the paragraphs that each begins and ends in; two for a sentence below its heading."""


Borders = Mapping[str, tuple[Ints, Ints]]
"""For each document the starts of its chunks, rising, and the greatest end so far."""


class EvidencePlaces:
    """The evidence of goldens, and the other places in its documents where it could stand."""

    def __init__(self, goldens: Iterable[Golden], corpus: Corpus) -> None:
        self._corpus = corpus
        self._sentences: dict[str, _Sentences] = {}
        self._goldens: dict[str, list[_Place]] = defaultdict(list)
        spans = [(golden.id, span) for golden in goldens for span in golden.evidence if span.doc_id in corpus]
        for golden, span in sorted(spans, key=lambda one: one[1].doc_id):  # so that each document is read once
            text = corpus[span.doc_id].text
            if span.doc_id not in self._sentences:
                self._sentences[span.doc_id] = _sentences(text)
            self._goldens[golden].append(_place(span, text, self._sentences[span.doc_id]))

    @property
    def documents(self) -> list[Document]:
        """Those that hold evidence."""
        return [self._corpus[doc_id] for doc_id in self._sentences]

    def rate(self, chunking: str, chunks: Iterable[Span]) -> CutRate:
        """The cut rate of a chunking, whose chunks may be those of other documents too.

        Chance: the same number of sentences, with the same distances from the beginning of the first and the end of the last,
        wherever else in the document they lie in as many paragraphs; each span of a golden by itself.
        """
        borders = _borders(chunk for chunk in chunks if chunk.doc_id in self._sentences)
        cut, chances = 0, []
        for places in self._goldens.values():
            known = [self._cuts(place, borders) for place in places]
            cut += any(here for here, _ in known)
            chances.append(1 - math.prod(1 - chance for _, chance in known))
        n = len(chances)
        spread = 1.96 * math.sqrt(sum(chance * (1 - chance) for chance in chances)) / n
        return CutRate(
            chunking=chunking,
            goldens=n,
            cut=round(cut / n, 4),
            chance=round(math.fsum(chances) / n, 4),
            noise=round(spread, 4),
        )

    def _cuts(self, place: _Place, borders: Borders) -> tuple[bool, float]:
        """Whether the span is cut, and the share of the other places at which it would be."""
        starts, ends, paragraphs = self._sentences[place.doc_id]
        firsts, lasts = starts[: len(starts) - place.number + 1], ends[place.number - 1 :]
        breaks = paragraphs[place.number - 1 :, 1] - paragraphs[: len(firsts), 0]
        begins, stops = firsts + place.after, lasts - place.before
        # Where the sentences are too short for these distances they count whole.
        short = stops <= begins
        begins, stops = np.where(short, firsts, begins), np.where(short, lasts, stops)
        cut = _cut(begins, stops, borders.get(place.doc_id))
        here = bool(cut[place.first])
        alike = breaks == breaks[place.first]
        others = int(alike.sum()) - 1
        return here, (int(cut[alike].sum()) - here) / others if others else float(here)


def cut_rates(
    goldens: Iterable[Golden],
    corpus: Corpus,
    given: Mapping[str, Iterable[Span]] | None = None,
    chunkings: Iterable[ChunkingSettings] = PANEL,
) -> tuple[CutRate, ...]:
    """The cut rates of chunkings whose chunks are `given`, by name, and then of `chunkings`; each once.

    The latter need no embedding. Only documents with evidence are chunked; without any there are no rates.
    """
    places = EvidencePlaces(goldens, corpus)
    if not places.documents:
        return ()
    known = [places.rate(name, chunks) for name, chunks in (given or {}).items()]
    others = {one.name: one for one in chunkings if one.name not in (given or {})}
    return (
        *known,
        *(
            places.rate(name, (chunk for document in places.documents for chunk in split(document, one)))
            for name, one in others.items()
        ),
    )


def _sentences(text: str) -> _Sentences:
    starts = [0, *sentences(text, guess_language(text) or "en")]
    stops = [*starts[1:], len(text)]
    ends = [start + len(text[start:stop].rstrip()) for start, stop in zip(starts, stops, strict=True)]
    begins, stops = np.array(starts, dtype=np.intp), np.array(ends, dtype=np.intp)
    breaks = [match.end() for match in PARAGRAPH.finditer(text)]
    return _Sentences(begins, stops, np.searchsorted(breaks, np.column_stack([begins, stops]), "right"))


def _place(span: Span, text: str, parts: _Sentences) -> _Place:
    said = text[span.start : span.end]
    start = span.start + len(said) - len(said.lstrip())
    end = span.start + len(said.rstrip())
    if end <= start:  # white space alone
        start, end = span.start, span.end
    first, last = (int(np.searchsorted(parts.starts, at, "right")) - 1 for at in (start, end - 1))
    after, before = start - int(parts.starts[first]), max(0, int(parts.ends[last]) - end)
    return _Place(span.doc_id, first, last - first + 1, after, before)


def _borders(chunks: Iterable[Span]) -> Borders:
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for chunk in chunks:
        found[chunk.doc_id].append((chunk.start, chunk.end))
    ranges = {doc_id: np.array(sorted(pairs), dtype=np.intp).T for doc_id, pairs in found.items()}
    return {doc_id: (starts, np.maximum.accumulate(ends)) for doc_id, (starts, ends) in ranges.items()}


def _cut(begins: Ints, stops: Ints, chunks: tuple[Ints, Ints] | None) -> Bools:
    """Whether each range is wholly in no chunk: no chunk that begins at or before it reaches its end."""
    if chunks is None:
        return np.ones(len(begins), dtype=np.bool_)
    starts, ends = chunks
    before = np.searchsorted(starts, begins, "right") - 1
    return (before < 0) | (ends[before] < stops)
