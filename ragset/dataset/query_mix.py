"""What the queries of a test set look like, by style: how many, how long, and how near to the words of their evidence."""

from collections import defaultdict
from collections.abc import Iterable
from statistics import fmean, median
from typing import NamedTuple

from ragset.models import Golden
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
        styles[_style(golden)].append((form_of(golden.query), overlap))
    rows = [_row(style, rows) for style, rows in styles.items()]
    return tuple(sorted(rows, key=lambda row: (-row.goldens, row.style)))


def _style(golden: Golden) -> str:
    known = golden.metadata.get("style") or golden.metadata.get("shape")
    return str(known or next((step.kind for step in golden.lineage if step.stage == "draft"), "") or "unknown")


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
