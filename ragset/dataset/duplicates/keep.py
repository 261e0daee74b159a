"""Which of the queries that repeat each other are kept."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ragset.dataset.duplicates.find import Repeat
from ragset.models import Candidate, Golden


class Choice(NamedTuple):
    """The queries to keep and to drop, by index, both rising."""

    kept: tuple[int, ...]
    dropped: tuple[Repeat, ...]  # each with the query that stays in its place, and how it repeats that


def keep_better(scored: Sequence[Candidate | Golden], repeats: Sequence[Repeat]) -> Choice:
    """Keep the better queries, so that none repeats another or an earlier dataset's, whatever their order.

    The critic's mean score decides, then groundedness, then having evidence, then the shorter query. A query that repeats
    only dropped ones stays.
    """
    group = list(range(len(scored)))  # for each query the first of those of the same words
    for repeat in sorted(repeats, key=lambda repeat: repeat.index):
        if repeat.how == "exact" and isinstance(repeat.of, int):
            group[repeat.index] = group[repeat.of]
    beside: dict[int, list[Repeat]] = defaultdict(list)
    for repeat in repeats:
        beside[group[repeat.index]].append(repeat)
        if isinstance(repeat.of, int):
            beside[group[repeat.of]].append(repeat)

    kept: dict[int, int] = {}  # by group
    gone: dict[int, Repeat] = {}
    reasons: dict[int, Repeat] = {}
    worths = [_worth(one) for one in scored]
    for index in sorted(range(len(scored)), key=worths.__getitem__):
        root = group[index]
        reason = reasons.get(root) or _reason(root, group, beside[root], kept)
        if reason is None:
            kept[root] = index
            reasons[root] = Repeat(index, index, "exact", 1.0)
        else:
            reasons[root] = reason
            gone[index] = replace(reason, index=index)
    return Choice(tuple(sorted(kept.values())), tuple(gone[index] for index in sorted(gone)))


def _worth(one: Candidate | Golden) -> tuple[float, float, bool, int, str, str, str]:
    """The better, the smaller."""
    mean = sum(one.scores.values()) / len(one.scores) if one.scores else 0.0
    places = " ".join(sorted(span.id for span in one.evidence))
    grounded = float(one.scores.get("groundedness", 0))
    return -mean, -grounded, not one.evidence, len(one.query), one.query, one.answer or "", places


def _reason(root: int, group: Sequence[int], beside: Sequence[Repeat], kept: Mapping[int, int]) -> Repeat | None:
    """The repeat of something that stays, an earlier dataset's first, then the most alike; None if it may stay."""
    found: list[Repeat] = []
    for repeat in beside:
        if isinstance(repeat.of, str):
            found.append(repeat)
            continue
        other = group[repeat.of] if group[repeat.index] == root else group[repeat.index]
        if other in kept and other != root:
            found.append(replace(repeat, of=kept[other]))
    return min(found, key=lambda one: (isinstance(one.of, int), -one.similarity, str(one.of)), default=None)
