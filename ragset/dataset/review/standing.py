"""Which judgements count: undone ones do not, and of one person on one item the latest does."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from ragset.dataset.review.records import Kind, Review


def standing(lines: Sequence[Review], kind: Kind, guideline: str | None = None) -> tuple[Review, ...]:
    """The line that counts of each reviewer on each item, in the order of the file; skips are among them.

    `guideline` leaves only lines under this text. A person can undo only lines of their own; an undone undo has no effect.
    """
    undone: set[tuple[str, str]] = set()
    latest: dict[tuple[str, str], Review] = {}
    for line in reversed(lines):  # what undoes a line comes after it
        if (line.reviewer, line.id) in undone:
            continue
        if line.undoes is not None:
            undone.add((line.reviewer, line.undoes))
        elif line.kind == kind and guideline in (None, line.guideline):
            latest.setdefault((line.reviewer, line.item), line)
    return tuple(reversed(latest.values()))


def by_item(reviews: Iterable[Review]) -> dict[str, tuple[Review, ...]]:
    """The judgements of each item, without skips."""
    found: dict[str, list[Review]] = defaultdict(list)
    for review in reviews:
        if review.judged:
            found[review.item].append(review)
    return {item: tuple(of) for item, of in found.items()}


def guidelines_used(lines: Sequence[Review], kind: Kind) -> dict[str, int]:
    """How many judgements stand under each version of the guideline, the newest version first.

    Two versions ask different things, so their judgements are never counted together.
    """
    used = {line.guideline: line.version for line in lines if line.kind == kind}
    newest_first = sorted(used, key=lambda guideline: (-used[guideline], guideline))
    counted = {one: sum(review.judged for review in standing(lines, kind, one)) for one in newest_first}
    return {guideline: number for guideline, number in counted.items() if number}


def reasons_given(reviews: Iterable[Review]) -> dict[str, int]:
    """How many of these judgements give each reason, the most frequent first."""
    counts = Counter(reason for review in reviews for reason in dict.fromkeys(review.reasons))
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
