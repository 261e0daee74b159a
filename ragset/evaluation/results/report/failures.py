"""Where configurations fail, in all and by label, and what the claims say."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ragset.evaluation.failures import FAILURES, MEANINGS, RIGHT
from ragset.evaluation.golden_groups import members_of
from ragset.evaluation.metrics.claims import CLAIM_METRICS
from ragset.evaluation.results.model import Results
from ragset.evaluation.results.report.board import Board, Entry
from ragset.evaluation.results.report.breakdown import varying_labels

_SHOWN = 3
"""Configurations with tables by label: the best ones."""
_MOST_LABELS, _MOST_VALUES = 8, 8


class Counts(NamedTuple):
    """How many goldens are right, or fail at each step."""

    name: str
    place: int | None
    n: int
    parts: tuple[tuple[str, int, float], ...]
    """Step, number and percent, `right` first."""


def failure_section(results: Results, board: Board) -> dict[str, Any] | None:
    """What its template shows; None where nothing is known of any configuration. `claims` is empty without a diagnosis."""
    entries = [entry for entry in board.entries if results.failures.get(entry.name)]
    if not entries:
        return None
    metrics = [name for name in CLAIM_METRICS if any(key[1] == name for key in board.standings)]
    claims = [(entry, [board.standings.get((entry.name, name)) for name in metrics]) for entry in entries]
    by_label = [(entry, list(_tables(results, entry))) for entry in entries[:_SHOWN]]
    return {
        "steps": (RIGHT, *FAILURES),
        "meanings": list(MEANINGS.items()),
        "rows": [_counts(one.label, list(results.failures[one.name].values()), one.place) for one in entries],
        "by_label": [(entry, tables) for entry, tables in by_label if tables],
        "metrics": metrics,
        "claims": claims if metrics else [],
    }


def _tables(results: Results, entry: Entry) -> Iterator[tuple[str, list[Counts]]]:
    """By the values of labels, with the title of each."""
    failures = results.failures[entry.name]
    goldens = [golden for golden in results.goldens if golden.id in failures]
    for title, groups in varying_labels(goldens, results.corpus)[:_MOST_LABELS]:
        largest = list(members_of(groups).items())[:_MOST_VALUES]
        yield title, [_counts(value, [failures[golden] for golden in of], None) for value, of in largest]


def _counts(name: str, steps: Sequence[str], place: int | None) -> Counts:
    found, n = Counter(steps), len(steps)
    return Counts(
        name, place, n, tuple((step, found[step], round(100 * found[step] / n, 2)) for step in (RIGHT, *FAILURES))
    )
