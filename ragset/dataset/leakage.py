"""What two sides of a split share: evidence, repeats, documents, and the most similar queries."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from ragset.dataset.duplicates.cosines import highest
from ragset.dataset.duplicates.find import Repeat, overlapping
from ragset.models import Golden, Model, Span
from ragset.retrieval.embedding.vectors import Vectors


class Leakage(Model):
    """What two sides share; numbers of goldens are of those on either side that share it."""

    sides: tuple[str, str]
    evidence: int
    """Goldens whose evidence, or a passage as good, overlaps that of one on the other side."""
    chunks: int
    """Goldens drawn from a chunk that one on the other side was drawn from too."""
    repeats: int
    """Goldens that repeat one on the other side, in any way."""
    documents: int
    """Documents with evidence on both sides: some are to be expected, unless it was split by document."""
    highest_cosine: float | None
    """Of a query of one side and a query of the other; None without vectors or where a side is empty."""


def measure_leakage(
    goldens: Sequence[Golden],
    side_of: Mapping[str, str],
    vectors: Vectors | None = None,
    *,
    repeats: Sequence[Repeat] = (),
    equivalents: Mapping[str, Sequence[Span]] | None = None,
) -> tuple[Leakage, ...]:
    """What each two sides share, in the order of their names.

    `side_of` is by golden id; `vectors` are of the queries, a row each; `repeats` are by index into `goldens`.
    """
    sides = [side_of[golden.id] for golden in goldens]
    spans = [[*golden.evidence, *(equivalents or {}).get(golden.id, ())] for golden in goldens]
    touching = overlapping(spans)
    repeated = {(repeat.of, repeat.index) for repeat in repeats if isinstance(repeat.of, int)}
    found: list[Leakage] = []
    for one, other in combinations(sorted(set(side_of.values())), 2):

        def across(pairs: set[tuple[int, int]], names: tuple[str, str] = (one, other)) -> int:
            both = set(names)
            return len({place for pair in pairs for place in pair if {sides[pair[0]], sides[pair[1]]} == both})

        rows = [[row for row, side in enumerate(sides) if side == name] for name in (one, other)]
        ours, theirs = ({span.doc_id for row in side for span in spans[row]} for side in rows)
        left, right = ({chunk for row in side for chunk in goldens[row].chunks} for side in rows)
        shared = left & right
        cosine = None
        if vectors is not None and all(rows):
            cosine = round(highest(vectors[rows[0]], vectors[rows[1]]), 4)
        found.append(
            Leakage(
                sides=(one, other),
                evidence=across(touching),
                chunks=sum(not shared.isdisjoint(goldens[row].chunks) for side in rows for row in side),
                repeats=across(repeated),
                documents=len(ours & theirs),
                highest_cosine=cosine,
            )
        )
    return tuple(found)
