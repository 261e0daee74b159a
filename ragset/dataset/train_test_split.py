"""Train, validation and test, and what two sides share. Goldens that share evidence or repeat each other stay together."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from ragset.dataset.duplicates.find import Repeat, highest, overlapping
from ragset.dataset.manifest import Leakage, Side
from ragset.models import Golden, Span
from ragset.retrieval.embedding.vectors import Vectors

By = Literal["document", "evidence"]

NOWHERE: Mapping[str, str] = {}
_HALF = 0.5
SHARES: Mapping[str, float] = {"train": 0.6, "validation": 0.2, "test": 0.2}


class Sides(NamedTuple):
    """A split of goldens."""

    of: dict[str, str]  # the side of each golden, by id
    sides: dict[str, Side]
    largest: int  # goldens of the largest component
    held: bool = False  # whether some had a side already

    @property
    def notice(self) -> str | None:
        """Which sizes are not as wanted, and why; None where all are."""
        off = [
            f"{name} has {side.goldens} instead of {side.wanted:.1f}".removesuffix(".0")
            for name, side in self.sides.items()
            if abs(side.goldens - side.wanted) >= 1 or (side.wanted and not side.goldens)
        ]
        together = f"goldens that hang together stay together, and {self.largest} do in the largest group"
        alone = "goldens that had a side keep it" if self.held else "there are too few goldens for these shares"
        return f"{', '.join(off)}: {together if self.largest > 1 else alone}" if off else None


def split_goldens(
    goldens: Sequence[Golden],
    shares: Mapping[str, float] = SHARES,
    *,
    by: By = "evidence",
    repeats: Sequence[Repeat] = (),
    equivalents: Mapping[str, Sequence[Span]] | None = None,
    seed: int = 0,
    held: Mapping[str, str] = NOWHERE,
) -> Sides:
    """A side for each golden, the same for the same goldens and seed whatever their order.

    `repeats` are by index into `goldens`; `equivalents`, by golden id, count as evidence. A golden in `held` (side by id) keeps
    its side and draws its component there. The largest components are placed first, each on a side with room where it keeps
    kinds and documents nearest to the shares, else on the least overfull. The last ones go to sides that lack any. A side with
    share 0 stays empty.
    """
    if min(shares.values(), default=0) < 0 or not sum(shares.values()):
        raise ValueError("shares: each is 0 or more, and one of them above 0")
    groups = components(goldens, by=by, repeats=repeats, equivalents=equivalents)
    total = sum(shares.values())
    parts = {name: share / total for name, share in shares.items() if share > 0}

    def draw(group: Sequence[Golden]) -> tuple[bool, int, str]:
        ids = "\n".join(sorted(golden.id for golden in group))
        free = all(golden.id not in held for golden in group)
        return free, -len(group), hashlib.sha256(f"{seed}\n{ids}".encode()).hexdigest()

    targets = _targets(len(goldens), parts)
    whole = _labels(goldens)
    full: dict[str, Counter[str]] = {name: Counter() for name in parts}
    placed: dict[str, str] = {}
    counted: Counter[str] = Counter()
    for left, group in zip(range(len(groups), 0, -1), sorted(groups, key=draw), strict=True):
        adds = _labels(group)
        drawn = Counter(held[golden.id] for golden in group if held.get(golden.id) in parts)
        empty = [name for name, target in targets.items() if target and name not in placed.values()]
        costs = {
            name: _cost(full[name], adds, whole, parts[name], targets[name])
            for name in (empty if left <= len(empty) else parts)
        }
        name = drawn.most_common(1)[0][0] if drawn else min(costs, key=lambda name: (*costs[name], name))
        full[name] += adds
        counted[name] += 1
        placed |= {golden.id: own if (own := held.get(golden.id)) in parts else name for golden in group}
    of = {golden.id: placed[golden.id] for golden in goldens}
    sides: dict[str, Side] = {}
    for name, share in shares.items():
        ours = [golden for golden in goldens if of[golden.id] == name]
        sides[name] = Side(
            wanted=round(len(goldens) * share / total, 4),
            goldens=len(ours),
            components=counted[name],
            documents=len({span.doc_id for golden in ours for span in golden.proof}),
            kinds=dict(sorted(Counter(golden.kind for golden in ours).items())),
        )
    return Sides(of, sides, max(map(len, groups), default=0), held=not held.keys().isdisjoint(of))


def components(
    goldens: Sequence[Golden],
    *,
    by: By = "evidence",
    repeats: Sequence[Repeat] = (),
    equivalents: Mapping[str, Sequence[Span]] | None = None,
) -> list[list[Golden]]:
    """The groups of goldens that must not be parted: repeats, equal ids, and what the goldens share.

    By `evidence` that is overlapping evidence (that of earlier turns too) or equivalents, or a chunk; by `document` a document of
    any of them.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    spans = [[*golden.proof, *(equivalents or {}).get(golden.id, ())] for golden in goldens]
    numbers: dict[str, int] = {}
    edges = [(repeat.index, repeat.of) for repeat in repeats if isinstance(repeat.of, int)]
    for place, golden in enumerate(goldens):
        # A chunk's id is `doc_id:start-end`.
        documents = {span.doc_id for span in spans[place]} | {chunk.rpartition(":")[0] for chunk in golden.chunks}
        shared = documents if by == "document" else golden.chunks
        keys = [f"golden {golden.id}", *shared]
        edges += [(place, len(goldens) + numbers.setdefault(key, len(numbers))) for key in keys]
    if by == "evidence":
        edges += overlapping(spans)
    size = len(goldens) + len(numbers)
    ends = list(zip(*edges, strict=True)) or [(), ()]
    _, labels = connected_components(coo_array(([True] * len(edges), ends), shape=(size, size)), directed=False)
    found: dict[int, list[Golden]] = defaultdict(list)
    for golden, label in zip(goldens, labels.tolist(), strict=False):
        found[label].append(golden)
    return list(found.values())


def _targets(goldens: int, parts: Mapping[str, float]) -> dict[str, int]:
    """Whole goldens for each side by largest remainder; a side of at least half a golden gets one that another can spare."""
    wanted = {name: goldens * part for name, part in parts.items()}
    # Rounded, so that a third and two thirds of 3 are whole.
    targets = {name: int(round(share, 9)) for name, share in wanted.items()}
    for name in sorted(parts, key=lambda name: targets[name] - wanted[name])[: goldens - sum(targets.values())]:
        targets[name] += 1
    for name in parts:
        giver = max(parts, key=lambda name: targets[name] - wanted[name] if targets[name] > 1 else -1.0)
        if not targets[name] and wanted[name] >= _HALF and 1 < targets[giver] > wanted[giver]:
            targets[name] += 1
            targets[giver] -= 1
    return targets


def _labels(goldens: Iterable[Golden]) -> Counter[str]:
    """What is to be spread evenly: goldens (""), their kinds and documents."""
    found: Counter[str] = Counter()
    for golden in goldens:
        found.update(["", f"kind {golden.kind}", *sorted({f"document {span.doc_id}" for span in golden.proof})])
    return found


def _cost(
    held: Counter[str], adds: Counter[str], whole: Counter[str], part: float, target: int
) -> tuple[float, float, float]:
    """By how much a side would be too large, how full it would be, and the same of kinds and documents by their numbers.

    Fullness is in steps of a twentieth of the side's share and of one golden, so that the mix decides between nearly equal ones.
    """
    room = whole[""] * part
    mixed = sum(adds[label] * (held[label] + adds[label]) / (whole[label] * part) for label in adds if label)
    over = held[""] + adds[""] - target
    if over > 0:
        return over, held[""] / room, mixed
    step = max(0.05, 1 / room)
    return 0, round((held[""] + adds[""]) / room / step) * step, mixed


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
    spans = [[*golden.proof, *(equivalents or {}).get(golden.id, ())] for golden in goldens]
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
