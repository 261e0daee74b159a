"""Counts of goldens by kind, shape and label, and what their queries look like by style."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean, median
from typing import NamedTuple

from ragset.dataset.labels import kind_of, labels_of
from ragset.models import CORPUS_WIDE, UNANSWERABLE, Golden
from ragset.text.overlap import METADATA, Overlap
from ragset.text.query_forms import QueryForm, form_of


class StyleMix(NamedTuple):
    """The queries of one style or shape."""

    style: str
    goldens: int
    words: float  # median
    question_marks: float  # share
    covered: float | None  # median share of the words of content that the evidence has; None where nothing is labelled
    copied: float | None  # share of queries worded as the evidence


def query_mix(goldens: Iterable[Golden]) -> tuple[StyleMix, ...]:
    """A row for each style, the most frequent first."""
    styles: dict[str, list[tuple[QueryForm, Overlap | None]]] = defaultdict(list)
    for golden in goldens:
        label = golden.metadata.get(METADATA)
        overlap = Overlap.model_validate(label) if isinstance(label, dict) else None
        style = str(golden.metadata.get("style") or kind_of(golden, "shape", "draft") or "unknown")
        styles[style].append((form_of(golden.query), overlap))
    rows = [_row(style, rows) for style, rows in styles.items()]
    return tuple(sorted(rows, key=lambda row: (-row.goldens, row.style)))


def _row(style: str, rows: list[tuple[QueryForm, Overlap | None]]) -> StyleMix:
    overlaps = [overlap for _, overlap in rows if overlap]
    return StyleMix(
        style=style,
        goldens=len(rows),
        words=median(form.words for form, _ in rows),
        question_marks=fmean(form.question_mark for form, _ in rows),
        covered=median(overlap.covered for overlap in overlaps) if overlaps else None,
        copied=fmean(overlap.copied for overlap in overlaps) if overlaps else None,
    )


MULTI_CHUNK = "multi-chunk"
_ORDER = ("easy", "medium", "hard", "train", "validation", "test", "found", "not found", "not known", "known")
"""Of values that have one; others go by number."""

Counts = tuple[tuple[str, int], ...]


class Census(NamedTuple):
    """Counts of goldens."""

    multi: int  # multi-chunk ones
    single: int  # those that one chunk answers
    cross: int  # cross-document ones among the multi-chunk ones
    shapes: Counts  # of the multi-chunk ones, the most frequent first
    unanswerable: int
    corpus_wide: int
    tallies: tuple[tuple[str, Counts], ...]
    """Of each label that some golden has; of split and language only where there are several values."""


def shape_of(golden: Golden) -> str:
    """`comparison`, `bridge`, `aggregation` or `open`; empty for other goldens than multi-chunk ones."""
    shape = golden.metadata.get("shape")
    return shape if golden.kind == MULTI_CHUNK and isinstance(shape, str) else ""


def take_census(goldens: Iterable[Golden]) -> Census:
    """The counts of a test set."""
    goldens = tuple(goldens)
    kinds = Counter(golden.kind for golden in goldens)
    shapes = Counter(shape for golden in goldens if (shape := shape_of(golden)))
    return Census(
        multi=kinds[MULTI_CHUNK],
        single=len(goldens) - kinds[MULTI_CHUNK] - kinds[UNANSWERABLE] - kinds[CORPUS_WIDE],
        cross=sum(golden.cross_document for golden in goldens if golden.kind == MULTI_CHUNK),
        shapes=tuple(sorted(shapes.items(), key=lambda item: (-item[1], item[0]))),
        unanswerable=kinds[UNANSWERABLE],
        corpus_wide=kinds[CORPUS_WIDE],
        tallies=_tallies(goldens),
    )


def _tallies(goldens: Sequence[Golden]) -> tuple[tuple[str, Counts], ...]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for golden in goldens:
        labels = labels_of(golden)
        said = {
            "split": golden.split,
            "hardness": labels.hardness,
            "round_trip": labels.found,
            "closed_book": labels.closed_book,
            "persona": labels.persona,
            "language": labels.language,
            "equivalents": "with" if golden.equivalents else "without" if golden.evidence else "",
        }
        for label, value in said.items():
            counts[label][value] += bool(value)
    return tuple(
        (label, tuple(sorted((+values).items(), key=_place)))
        for label, values in counts.items()
        if len(+values) > (label in {"split", "language"}) and (label != "equivalents" or values["with"])
    )


def _place(item: tuple[str, int]) -> tuple[int, int, str]:
    value, number = item
    return _ORDER.index(value) if value in _ORDER else len(_ORDER), -number, value
