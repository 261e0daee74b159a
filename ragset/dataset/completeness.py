"""How complete the labels of pooled queries are likely to be: at which ranks their relevant passages were found, and by whom."""

from collections import Counter
from collections.abc import Iterable, Mapping
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

    passage: str
    """`doc_id:start-end`."""
    grade: int
    """0 to 3, by the criteria of UMBRELA."""
    reason: str = ""
    ranks: Mapping[str, int]
    """Its rank, from 1, by the name of each ranking that found it."""

    @property
    def depth(self) -> int:
        """Its best rank."""
        return min(self.ranks.values())


class DepthRow(NamedTuple):
    """What a pool of that depth would have found."""

    depth: int
    passages: float
    """Share of the relevant passages."""
    queries: float
    """Share of the queries with relevant passages, of which all were found."""


class Completeness(NamedTuple):
    """Over all queries whose passages were graded."""

    queries: int
    answered: int
    """Queries with a relevant passage."""
    asked: int
    """How often the queries were asked, and those with a relevant passage."""
    asked_answered: int
    judged: int
    relevant: int
    depth: int
    """The deepest rank that was graded."""
    rows: tuple[DepthRow, ...]
    late: float
    """Share of the queries with relevant passages whose last one came in the last fifth of the pool."""
    alone: tuple[tuple[str, int], ...]
    """By ranking the relevant passages that it alone found."""
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
    graded, weights = [found for found, _ in pooled], [weight for _, weight in pooled]
    relevant = [[one for one in found if one.grade >= RELEVANT] for found in graded]
    having = [found for found in relevant if found]
    passages = [one for found in having for one in found]
    depth = max(one.depth for found in graded for one in found)
    last = [max(one.depth for one in found) for found in having]
    alone = Counter(next(iter(one.ranks)) for one in passages if len(one.ranks) == 1)
    names = sorted({name for found in graded for one in found for name in one.ranks})
    return Completeness(
        queries=len(graded),
        answered=len(having),
        asked=sum(weights),
        asked_answered=sum(weight for weight, found in zip(weights, relevant, strict=True) if found),
        judged=sum(map(len, graded)),
        relevant=len(passages),
        depth=depth,
        rows=tuple(
            DepthRow(
                at,
                sum(one.depth <= at for one in passages) / len(passages),
                sum(one <= at for one in last) / len(last),
            )
            for at in sorted({at for at in (1, 2, 3, 5, 10, 20, 50, 100) if at < depth} | {depth})
            if passages
        ),
        late=sum(one > _LATE * depth for one in last) / len(last) if last and depth > 1 else 0.0,
        alone=tuple((name, alone[name]) for name in names),
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
