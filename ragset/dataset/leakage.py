"""What stands on two sides of a split all the same: evidence, repeats, documents, and the queries most alike."""

from collections.abc import Mapping, Sequence

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
    """For each two sides what they share, sides in the order of their names.

    `side_of` is by golden id; `vectors` are of the queries, a row each; `repeats` are by index into `goldens`.
    """
    sides = [side_of[golden.id] for golden in goldens]
    spans = [[*golden.evidence, *(equivalents or {}).get(golden.id, ())] for golden in goldens]
    touching = overlapping(spans)
    repeated = {(repeat.of, repeat.index) for repeat in repeats if isinstance(repeat.of, int)}
    names = sorted(set(side_of.values()))
    found: list[Leakage] = []
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            rows = [[row for row, side in enumerate(sides) if side == name] for name in (one, other)]
            ours, theirs = ({span.doc_id for row in side for span in spans[row]} for side in rows)
            found.append(
                Leakage(
                    sides=(one, other),
                    evidence=_across(touching, sides, one, other),
                    chunks=_sharing_chunks(goldens, rows),
                    repeats=_across(repeated, sides, one, other),
                    documents=len(ours & theirs),
                    highest_cosine=_highest(vectors, rows),
                )
            )
    return tuple(found)


def _across(pairs: set[tuple[int, int]], sides: Sequence[str], one: str, other: str) -> int:
    return len({place for pair in pairs for place in pair if {sides[pair[0]], sides[pair[1]]} == {one, other}})


def _sharing_chunks(goldens: Sequence[Golden], rows: Sequence[Sequence[int]]) -> int:
    left, right = ({chunk for row in side for chunk in goldens[row].chunks} for side in rows)
    shared = left & right
    return sum(not shared.isdisjoint(goldens[row].chunks) for side in rows for row in side)


def _highest(vectors: Vectors | None, rows: Sequence[Sequence[int]]) -> float | None:
    if vectors is None or not all(rows):
        return None
    return round(float(highest(vectors[list(rows[0])], vectors[list(rows[1])]).max()), 4)
