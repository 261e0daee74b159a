"""How hard a golden is, by points for what is known of it, and a choice of goldens that has the hardness wanted.

What nobody measured gives no points. The points and bounds are ours: plain, and open to argument.

    rank of the evidence in the round trip      1: -1    2-3: 0    4-10: +1    further down or not found: +2
    the reader knew the answer from memory      yes: -3  no: 0
    share of the query in one run of the text   0.6 and more: -1   under 0.2: +1
    content words that the evidence lacks       none: -1   a half and more: +1
    chunks that the query needs                 2: +1    3 and more: +2
    documents                                   2 and more: +1
    evolutions gone through                     what each says in `ragset.generation.evolutions`, at most +2
    unanswerable                                +2

Sum under 0: easy; 0 to under 2: medium; 2 and more: hard.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Literal

from ragset.dataset.labels import noted
from ragset.generation.evolutions import EVOLUTIONS
from ragset.models import Golden, Model

Level = Literal["easy", "medium", "hard"]

METADATA = "hardness"
LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")


class Hardness(Model):
    """A level, and what it was made of: each reason with its points, as in "round trip: rank 1 (-1)"."""

    level: Level
    points: float
    reasons: tuple[str, ...]


def hardness_of(golden: Golden) -> Hardness:
    """How hard a golden is, by the table above.

    Reads its lineage and, in its metadata, `round_trip` ({"rank": int or None}), `closed_book` ({"known": bool}) and
    `overlap` (`ragset.text.overlap.Overlap`).
    """
    known = [(said, points) for said, points in _points(golden) if points]
    total = sum(points for _, points in known)
    level: Level = "easy" if total < 0 else "medium" if total < 2 else "hard"
    return Hardness(level=level, points=total, reasons=tuple(f"{said} ({points:+g})" for said, points in known))


def level_of(golden: Golden) -> Level:
    """The level in its metadata; worked out where it has none."""
    label = noted(golden, METADATA).get("level")
    return label if label in LEVELS else hardness_of(golden).level


def choose_mix(
    candidates: Sequence[Golden], wanted: int, shares: Mapping[str, float], there: Sequence[Golden] = ()
) -> list[Golden]:
    """`wanted` candidates that with what is `there` come near to these shares; where a level lacks, the best others."""
    left = quotas(wanted, shares, there)
    fitting, others = list[Golden](), list[Golden]()
    for golden in sorted(candidates, key=lambda golden: (-fmean(golden.scores.values() or [0]), golden.id)):
        level = level_of(golden)
        (fitting if left[level] > 0 else others).append(golden)
        left[level] -= 1
    return [*fitting, *others][:wanted]


def quotas(wanted: int, shares: Mapping[str, float], there: Sequence[Golden] = ()) -> dict[Level, int]:
    """How many of each level, `wanted` in all, make these shares with what is `there` (by Sainte-Laguë's method)."""
    held = Counter(map(level_of, there))
    taken: dict[Level, int] = dict.fromkeys(LEVELS, 0)

    def behind(level: Level) -> tuple[float, int]:
        return shares.get(level, 0.0) / (2 * (held[level] + taken[level]) + 1), -taken[level]

    for _ in range(wanted):
        taken[max(LEVELS, key=behind)] += 1
    return taken


def _points(golden: Golden) -> Iterator[tuple[str, float]]:
    round_trip, overlap = noted(golden, "round_trip"), noted(golden, "overlap")
    if "rank" in round_trip:
        rank = round_trip["rank"]
        points = 2 if rank is None else (-1, 0, 1, 2)[bisect_left((1, 3, 10), rank)]
        yield f"round trip: {'not found' if rank is None else f'rank {rank}'}", points
    if noted(golden, "closed_book").get("known") is True:
        yield "known without the passage", -3
    if "share" in overlap:
        share = float(overlap["share"])
        yield f"{share:.0%} of it in one run of the text", -1 if share >= 0.6 else int(share < 0.2)
    if "covered" in overlap:
        lacking = 1 - float(overlap["covered"])
        yield f"{lacking:.0%} of its words not in the evidence", -1 if lacking == 0 else int(lacking >= 0.5)
    if golden.kind == "unanswerable":
        yield "unanswerable", 2
    else:
        chunks, documents = len(golden.chunks), len({span.doc_id for span in golden.evidence})
        yield f"{chunks} chunks", min(chunks - 1, 2) if chunks else 0
        yield f"{documents} documents", int(documents > 1)
    # A step without a query changed none.
    kinds = [step.kind for step in golden.lineage if step.stage == "evolve" and step.query is not None]
    points = sum(EVOLUTIONS[kind].hardness if kind in EVOLUTIONS else 1.0 for kind in kinds)
    yield f"evolved: {', '.join(kinds)}", min(points, 2)
