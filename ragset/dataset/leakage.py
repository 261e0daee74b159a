"""What two sides of a split share: evidence, repeats, documents, and the most similar queries."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from ragset.dataset.duplicates.cosines import highest
from ragset.dataset.duplicates.find import Repeat, overlapping
from ragset.dataset.manifest import Leakage
from ragset.models import Golden, Span
from ragset.retrieval.embedding.vectors import Vectors


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

    def measured(one: str, other: str) -> Leakage:
        def across(pairs: set[tuple[int, int]]) -> int:
            return len({row for pair in pairs if {sides[row] for row in pair} == {one, other} for row in pair})

        left, right = ([row for row, side in enumerate(sides) if side == name] for name in (one, other))
        documents = ({span.doc_id for row in rows for span in spans[row]} for rows in (left, right))
        chunks = ({chunk for row in rows for chunk in goldens[row].chunks} for rows in (left, right))
        shared = set[str].intersection(*chunks)
        compared = None if vectors is None or not left or not right else highest(vectors[left], vectors[right])
        return Leakage(
            sides=(one, other),
            evidence=across(touching),
            chunks=sum(not shared.isdisjoint(goldens[row].chunks) for row in (*left, *right)),
            repeats=across(repeated),
            documents=len(set[str].intersection(*documents)),
            highest_cosine=None if compared is None else round(compared, 4),
        )

    return tuple(measured(*pair) for pair in combinations(sorted(set(side_of.values())), 2))
