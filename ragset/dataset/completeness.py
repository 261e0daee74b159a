"""How complete the labels of pooled queries are likely to be: at which ranks their relevant passages were found, and by whom."""

from collections import Counter
from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Any, NamedTuple

from pydantic import ValidationError

from ragset.models import Golden, Model

METADATA = "judged"
RELEVANT = 2
"""The grade from which a passage is relevant: it holds an answer."""
_LATE = 0.8
"""Of the depth of the pool: relevant passages that first come below it say that the pool should be deeper."""


class Judged(Model):
    """A passage that the critic graded for a query."""

    passage: str  # `doc_id:start-end`
    grade: int  # 0 to 3, by the criteria of UMBRELA
    reason: str = ""
    ranks: Mapping[str, int]  # its rank, from 1, by the name of each ranking that found it

    @property
    def depth(self) -> int:
        """Its best rank."""
        return min(self.ranks.values())


class DepthRow(NamedTuple):
    """What a pool of that depth would have found."""

    depth: int
    passages: float  # share of the relevant passages
    queries: float  # share of the queries with relevant passages, of which all were found


class Completeness(NamedTuple):
    """Over all queries whose passages were graded."""

    queries: int
    answered: int  # queries with a relevant passage
    asked: int  # how often the queries were asked
    asked_answered: int  # and those with a relevant passage
    judged: int
    relevant: int
    depth: int  # the deepest rank that was graded
    rows: tuple[DepthRow, ...]
    late: float  # share of the queries with relevant passages whose last one came in the last fifth of the pool
    alone: tuple[tuple[str, int], ...]  # by ranking the relevant passages that it alone found
    at_most: float | None
    """Upper bound of the share of all relevant passages that is labelled; None without two rankings that share one."""

    @property
    def plain(self) -> dict[str, Any]:
        """For scripts."""
        return {**self._asdict(), "rows": [row._asdict() for row in self.rows], "alone": dict(self.alone)}

    @property
    def advice(self) -> str:
        """What to do about a pool that is too shallow; empty where it is deep enough."""
        if self.late < 0.1:
            return ""
        return f"The last relevant passage came late for {self.late:.0%} of the queries: grade a deeper pool (--pool)."


def completeness_of(goldens: Iterable[Golden]) -> Completeness | None:
    """By the graded passages in the metadata of the goldens; None where there are none.

    The upper bound is Chapman's estimate of a population from two samples (1951), of the two rankings with most relevant
    passages. It takes them to be independent; searches agree more than that, so it counts too few that both have missed.
    """
    pooled = [(found, weight_of(golden)) for golden in goldens if (found := judged_of(golden))]
    if not pooled:
        return None
    graded = [one for found, _ in pooled for one in found]
    relevant = [([one for one in found if one.grade >= RELEVANT], weight) for found, weight in pooled]
    having = [(found, weight) for found, weight in relevant if found]
    passages = [one for found, _ in having for one in found]
    depth = max(one.depth for one in graded)
    last = [max(one.depth for one in found) for found, _ in having]
    alone = Counter(next(iter(one.ranks)) for one in passages if len(one.ranks) == 1)
    depths = sorted({at for at in (1, 2, 3, 5, 10, 20, 50, 100) if at < depth} | {depth}) if passages else ()
    return Completeness(
        queries=len(pooled),
        answered=len(having),
        asked=sum(weight for _, weight in pooled),
        asked_answered=sum(weight for _, weight in having),
        judged=len(graded),
        relevant=len(passages),
        depth=depth,
        rows=tuple(
            DepthRow(at, fmean(one.depth <= at for one in passages), fmean(one <= at for one in last)) for at in depths
        ),
        late=fmean(one > _LATE * depth for one in last) if last and depth > 1 else 0.0,
        alone=tuple((name, alone[name]) for name in sorted({name for one in graded for name in one.ranks})),
        at_most=_at_most(passages),
    )


def judged_of(golden: Golden) -> tuple[Judged, ...]:
    """The graded passages in its metadata; none where the golden was not pooled."""
    try:
        return tuple(map(Judged.model_validate, golden.metadata.get(METADATA, ())))
    except (ValidationError, TypeError):
        return ()


def weight_of(golden: Golden) -> int:
    """How often its query was asked; 1 where nobody knows."""
    weight = golden.metadata.get("weight")
    return weight if isinstance(weight, int) and weight > 0 else 1


def _at_most(passages: list[Judged]) -> float | None:
    found = Counter(name for one in passages for name in one.ranks)
    if len(found) < 2:
        return None
    first, second = (name for name, _ in found.most_common(2))
    both = sum(first in one.ranks and second in one.ranks for one in passages)
    if not both:
        return None
    of_two = sum(first in one.ranks or second in one.ranks for one in passages)
    estimate = (found[first] + 1) * (found[second] + 1) / (both + 1) - 1
    missed = max(0.0, estimate - of_two)
    return len(passages) / (len(passages) + missed)
