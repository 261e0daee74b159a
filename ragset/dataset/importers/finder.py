"""Contexts found again in documents, all of them in one pass.

Short runs of letters out of every context are looked up at every place of every document; where several runs of one
context stand in their order, the context itself is looked for. So the time grows with the texts, and not with the
number of contexts times the number of documents.
"""

import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ragset.dataset.importers.align import Folded
from ragset.documents import clean_text
from ragset.models import Chunk, Document, Span
from ragset.text.quotes import locate

RUN = 16
"""Letters and digits; fewer stand in many places by chance."""
MOST_RUNS = 64
"""Of one context, spread evenly."""
_MOST_HITS = 64
"""Of one run: after these it says nothing any more about where the context is."""
_MOST_PLACES = 8
_LEAST_SHARE = 0.3
LONGEST_ALIKE = 5_000
"""Characters; resemblance takes the square of the length, and a longer context must stand word for word."""
_LONGEST_SEARCHED = 50_000
_NEITHER = re.compile(r"[\W_]+")
_SIGN = re.compile(r"[^\W_]")


class Lookup(NamedTuple):
    """Where a context stands."""

    spans: tuple[Span, ...]
    reason: str = ""
    """Why there are none."""


class _Hit(NamedTuple):
    document: int
    shift: int
    """From the context's letters to the document's."""
    run: int


class _Window(NamedTuple):
    document: Document
    start: int
    end: int


def find_contexts(contexts: Sequence[str], documents: Iterable[Document]) -> Mapping[str, Lookup]:
    """Where each context stands: exactly, with other white space, or nearly so.

    Of several places that have it word for word the first; where several passages only resemble it, none.
    """
    held = sorted(documents, key=lambda document: document.id)
    by_id = {document.id: document for document in held}
    finder = _Finder(contexts, held)
    found: dict[str, Lookup] = {}
    for number, context in enumerate(contexts):
        cleaned = clean_text(context)
        whole = by_id.get(Document.of(cleaned, source="").id)
        found[context] = (
            Lookup((Span(doc_id=whole.id, start=0, end=len(whole.text)),)) if whole else finder.find(number, cleaned)
        )
    return found


class _Finder:
    def __init__(self, contexts: Sequence[str], documents: Sequence[Document]) -> None:
        self._documents = documents
        self._letters = [_letters(clean_text(context)) for context in contexts]
        self._hits: list[list[_Hit]] = [[] for _ in contexts]
        self._places: dict[int, array[int]] = {}
        # Contexts of which every run stands in too many places.
        self._common = set(range(len(contexts)))
        self._search(self._runs())

    def find(self, number: int, context: str) -> Lookup:
        windows = self._windows(number)
        for window in windows:
            at = window.document.text.find(context, window.start, window.end)
            if at >= 0:
                return _only(window, at, at + len(context))
        if number in self._common or not self._letters[number]:
            for document in self._documents:
                at = document.text.find(context)
                if at >= 0:
                    return _only(_Window(document, 0, len(document.text)), at, at + len(context))
        for window in windows:
            places = Folded(window.document.text[window.start : window.end]).find(context)
            if places:
                return _only(window, window.start + places[0][0], window.start + places[0][1])
        if len(context) > LONGEST_ALIKE:
            return Lookup((), f"the context, longer than {LONGEST_ALIKE:,} characters, does not stand in the documents")
        return self._alike(context, windows)

    def _alike(self, context: str, windows: Sequence[_Window]) -> Lookup:
        if "…" in context or "..." in context:  # its pieces can stand far apart
            whole = dict.fromkeys(window.document.id for window in windows)
            texts = {window.document.id: window.document for window in windows}
            windows = [
                _Window(texts[id_], 0, len(texts[id_].text))
                for id_ in whole
                if len(texts[id_].text) <= _LONGEST_SEARCHED
            ] or windows
        found: dict[str, tuple[Span, ...]] = {}
        for document, start, end in windows:
            chunk = Chunk(doc_id=document.id, start=start, end=end, text=document.text[start:end])
            spans = locate(context, chunk)
            if spans:
                words = _letters(" ".join(document.text[span.start : span.end] for span in spans))
                found.setdefault(words, spans)
        if len(found) > 1:
            return Lookup((), "the context resembles several passages of the documents, and is none of them")
        return next(
            (Lookup(spans) for spans in found.values()), Lookup((), "the context does not stand in the documents")
        )

    def _runs(self) -> dict[str, list[tuple[int, int]]]:
        """Each run, with the contexts that it is of and where it begins in their letters."""
        runs: dict[str, list[tuple[int, int]]] = {}
        for number, letters in enumerate(self._letters):
            last = max(0, len(letters) - RUN)
            step = max(RUN, last // MOST_RUNS + 1)
            for place in {*range(0, last, step), last} if letters else ():
                runs.setdefault(letters[place : place + RUN], []).append((number, place))
        return runs

    def _search(self, runs: Mapping[str, Sequence[tuple[int, int]]]) -> None:
        times = dict.fromkeys(runs, 0)
        # One length, and those of contexts that are shorter than it.
        lengths = sorted({len(run) for run in runs})
        for index, document in enumerate(self._documents):
            letters = _letters(document.text)
            for length in lengths:
                for place in range(len(letters) - length + 1):
                    run = letters[place : place + length]
                    if run not in runs:
                        continue
                    times[run] += 1
                    for number, offset in runs[run]:
                        if times[run] <= _MOST_HITS:
                            self._hits[number].append(_Hit(index, place - offset, offset))
        for run, found in times.items():
            if found <= _MOST_HITS:
                self._common.difference_update(number for number, _ in runs[run])

    def _windows(self, number: int) -> list[_Window]:
        """The stretches of documents that share most runs with a context, best first."""
        size = len(self._letters[number])
        slack = RUN + size // 10
        groups: list[list[_Hit]] = []
        for hit in sorted(self._hits[number]):
            last = groups[-1][-1] if groups else None
            if last and last.document == hit.document and hit.shift - last.shift <= slack:
                groups[-1].append(hit)
            else:
                groups.append([hit])
        shared = [len({hit.run for hit in group}) for group in groups]
        best = sorted(range(len(groups)), key=lambda index: -shared[index])[:_MOST_PLACES]
        # What shares a run or two by chance is left out, where another place shares many.
        best = [index for index in best if _LEAST_SHARE * shared[best[0]] <= shared[index]]
        return [self._window(groups[index], size, slack) for index in best]

    def _window(self, group: Sequence[_Hit], size: int, slack: int) -> _Window:
        index = group[0].document
        document = self._documents[index]
        if index not in self._places:
            self._places[index] = array("L", (match.start() for match in _SIGN.finditer(_lowered(document.text))))
        places = self._places[index]
        first, last = group[0].shift - slack, group[-1].shift + size + slack
        start = places[first] if first > 0 else 0
        end = places[last] if last < len(places) else len(document.text)
        return _Window(document, start, end)


def _only(window: _Window, start: int, end: int) -> Lookup:
    return Lookup((Span(doc_id=window.document.id, start=start, end=end),))


def _letters(text: str) -> str:
    return _NEITHER.sub("", _lowered(text))


def _lowered(text: str) -> str:
    """In small letters, each where it was."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(small if len(small := character.lower()) == 1 else character for character in text)
