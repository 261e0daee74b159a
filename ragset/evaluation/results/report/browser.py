"""What the page's script shows of single goldens: scores, retrieved passages, answers."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ragset.evaluation.metrics.qrels import gold_of, is_hit_relevant
from ragset.evaluation.results.model import Results
from ragset.evaluation.results.report.board import Board
from ragset.evaluation.results.report.passages import Passages
from ragset.evaluation.results.report.scores import scores_of
from ragset.models import Golden, Span
from ragset.retrieval.fusion import Hit

LARGEST = 15_000_000
"""Characters of data in a page."""


class Share(NamedTuple):
    """How much of the results a page holds."""

    hits: int
    """Passages for each configuration and golden."""
    metrics: bool
    """All metrics of each golden, or only the primary one and the rank."""
    answers: bool

    @property
    def left_out(self) -> str:
        """In words; empty where nothing is."""
        left = [f"passages beyond the first {self.hits}" if self.hits else "all passages"] if self.hits < 10 else []
        left += [] if self.metrics else ["the other metrics of single goldens"]
        left += [] if self.answers else ["the answers"]
        return ", ".join(left)


SHARES = (
    Share(10, metrics=True, answers=True),
    Share(10, metrics=False, answers=True),
    Share(5, metrics=False, answers=True),
    Share(3, metrics=False, answers=True),
    Share(1, metrics=False, answers=True),
    Share(0, metrics=False, answers=True),
    Share(0, metrics=False, answers=False),
)
"""From all to what a page can hold in any case."""


class BrowserData(NamedTuple):
    """Plain data, in two parts."""

    goldens: dict[str, Any]
    """Goldens, passages and documents: what the script of a dataset's report reads too."""
    runs: dict[str, Any]
    """Configurations with their scores, hits and answers; row for row with the goldens."""


def gold_places(results: Results) -> list[tuple[Span, ...]]:
    """Row for row with the goldens: where their evidence and its equivalents stand, and stand again word for word."""
    gold = gold_of(results.goldens, results.corpus)
    return [
        tuple(place for pieces in gold[golden.id] for places in pieces for place in places)
        for golden in results.goldens
    ]


def browser_data(
    results: Results, board: Board, share: Share, gold: Sequence[Sequence[Span]] | None = None
) -> BrowserData:
    """Passages are listed once, and hits point at them. `gold` is of `gold_places`, where it is known already."""
    gold = gold_places(results) if gold is None else gold
    passages = Passages(results.corpus)
    names = [entry.name for entry in board.entries]
    goldens = [_golden(golden, passages) for golden in results.goldens]
    hits = [
        [
            _hits(run[golden.id][: share.hits], passages, places) if golden.id in run else None
            for golden, places in zip(results.goldens, gold, strict=True)
        ]
        for run in (results.runs.get(name, {}) for name in names)
    ]
    # After the hits, as by now every document of which a passage is shown has a number.
    for golden, places in zip(goldens, gold, strict=True):
        golden["gold"] = passages.places(places)
    listed, pieces = passages.listed()
    metrics = sorted(set(results.scores["metric"])) if share.metrics else [results.primary, "gold_rank"]
    return BrowserData(
        {"goldens": goldens, "passages": listed, "documents": passages.documents},
        {
            "primary": results.primary,
            "configurations": [{"name": entry.name, "label": entry.label} for entry in board.entries],
            "pieces": pieces,
            "hits": hits,
            "values": {metric: _values(results, names, metric) for metric in metrics},
            "answers": [
                _answers(results.answers.get(name, {}), results.goldens) if share.answers else {} for name in names
            ],
            "most": share.hits,
        },
    )


def _hits(hits: Sequence[Hit], passages: Passages, gold: Sequence[Span]) -> list[tuple[int, float, int]]:
    """Passage, score, and 1 for a relevant one."""
    found: list[tuple[int, float, int]] = []
    for hit in hits:
        span = passages.span(hit.id)
        relevant = span is not None and any(is_hit_relevant(hit.id, place) for place in gold)
        score = round(hit.score, 4) if math.isfinite(hit.score) else 0.0
        found.append((passages.number(hit.id), score, int(relevant)))
    return found


def _golden(golden: Golden, passages: Passages) -> dict[str, Any]:
    tags = [str(value) for field in ("style", "shape") if isinstance(value := golden.metadata.get(field), str)]
    return {
        "id": golden.id,
        "query": golden.query,
        "answer": golden.answer,
        "kind": golden.kind,
        "tags": list(dict.fromkeys(tags)),
        "passages": [{"at": passages.number(span.id)} for span in golden.evidence],
    }


def _values(results: Results, names: Sequence[str], metric: str) -> list[list[float | None]]:
    scores = scores_of(results, metric)

    def value(name: str, golden: str) -> float | None:
        found = scores.get((name, golden), math.nan)
        return round(found, 4) if math.isfinite(found) else None

    return [[value(name, golden.id) for golden in results.goldens] for name in names]


def _answers(answers: Mapping[str, str | None], goldens: Sequence[Golden]) -> dict[int, str | None]:
    """By the number of the golden; None where the reader abstained."""
    return {number: answers[golden.id] for number, golden in enumerate(goldens) if golden.id in answers}
