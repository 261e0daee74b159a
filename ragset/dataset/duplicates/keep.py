"""Which of the queries that repeat each other are kept."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from ragset.dataset.duplicates.alike import Asked
from ragset.dataset.duplicates.find import Repeat


class Scored(Asked, Protocol):
    """A candidate or a golden."""

    @property
    def scores(self) -> dict[str, int]:
        """The critic's, by criterion."""
        ...


class Choice(NamedTuple):
    """What stays and what goes, by index, both rising."""

    kept: tuple[int, ...]
    dropped: tuple[Repeat, ...]
    """Each with the query that stays in its place, and how it repeats that."""


def keep_better(scored: Sequence[Scored], repeats: Sequence[Repeat]) -> Choice:
    """Keep the better queries, so that none repeats another or an earlier dataset's, whatever their order.

    The critic's mean score decides, then groundedness, then having evidence, then the shorter query. A query that repeats
    only dropped ones stays.
    """
    worths = [_worth(one) for one in scored]
    group = list(range(len(scored)))
    """For each query the first of those of the same words."""
    for repeat in sorted(repeats, key=lambda repeat: repeat.index):
        if repeat.how == "exact" and isinstance(repeat.of, int):
            group[repeat.index] = group[repeat.of]
    members: dict[int, list[int]] = defaultdict(list)
    for index, root in enumerate(group):
        members[root].append(index)
    best = {root: min(indices, key=worths.__getitem__) for root, indices in members.items()}
    beside: dict[int, list[Repeat]] = defaultdict(list)
    for repeat in repeats:
        beside[group[repeat.index]].append(repeat)
        if isinstance(repeat.of, int):
            beside[group[repeat.of]].append(repeat)

    gone: dict[int, Repeat] = {}
    kept: list[int] = []
    for root in sorted(best, key=lambda root: worths[best[root]]):
        reason = _reason(root, group, best, beside[root], set(kept))
        if reason is None:
            kept.append(best[root])
            reason = Repeat(best[root], best[root], "exact", 1.0)
        for index in members[root]:
            if index != best[root] or reason.of != index:
                gone[index] = replace(reason, index=index)
    return Choice(tuple(sorted(kept)), tuple(gone[index] for index in sorted(gone)))


def _worth(one: Scored) -> tuple[float, float, int, int, str, str, str]:
    """The better, the smaller."""
    scores = one.scores
    return (
        -sum(scores.values()) / len(scores) if scores else 0.0,
        -float(scores.get("groundedness", 0)),
        0 if one.evidence else 1,
        len(one.query),
        one.query,
        one.answer or "",
        " ".join(sorted(span.id for span in one.evidence)),
    )


def _reason(
    root: int, group: Sequence[int], best: Mapping[int, int], beside: Sequence[Repeat], kept: set[int]
) -> Repeat | None:
    """The repeat of something that stays, an earlier dataset's first, then the most alike; None if it may stay."""
    found: list[Repeat] = []
    for repeat in beside:
        if isinstance(repeat.of, str):
            found.append(repeat)
            continue
        other = best[group[repeat.of] if group[repeat.index] == root else group[repeat.index]]
        if other in kept and group[other] != root:
            found.append(replace(repeat, of=other))
    return min(found, key=lambda one: (isinstance(one.of, int), -one.similarity, str(one.of)), default=None)
