"""Train, validation and test: no evidence, duplicate or equivalent passage stands on two sides.

Goldens that belong together are one component, and a component goes to one side whole. Sizes are the shares wanted, in
whole goldens by largest remainder, as near as components allow: one larger than a side makes that side too large, and
`Sides` says so.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from ragset.dataset.duplicates.find import Repeat
from ragset.models import Golden, Model, Span

By = Literal["document", "evidence"]

NOWHERE: Mapping[str, str] = {}
_HALF = 0.5
SHARES: Mapping[str, float] = {"train": 0.6, "validation": 0.2, "test": 0.2}


class Side(Model):
    """What one side was to have and has."""

    wanted: float
    """Goldens; seldom a whole number."""
    goldens: int
    components: int
    documents: int
    kinds: dict[str, int]


class Sides(NamedTuple):
    """A split of goldens."""

    of: dict[str, str]
    """The side of each golden, by id."""
    sides: dict[str, Side]
    largest: int
    """Goldens of the largest component."""
    held: bool = False
    """Whether some had a side already."""

    @property
    def notice(self) -> str | None:
        """Where the sizes are not what was wanted, and why, in a sentence."""
        off = [
            f"{name} has {side.goldens} instead of {side.wanted:.1f}".removesuffix(".0")
            for name, side in self.sides.items()
            if abs(side.goldens - side.wanted) >= 1 or (side.wanted and not side.goldens)
        ]
        if not off:
            return None
        if self.largest > 1:
            why = f"goldens that hang together stay together, and {self.largest} do in the largest group"
        elif self.held:
            why = "goldens that had a side keep it"
        else:
            why = "there are too few goldens for these shares"
        return f"{', '.join(off)}: {why}"


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

    `repeats` are by index into `goldens`. `equivalents` are other passages that answer a golden, by its id; they count as
    its evidence. A golden that has a side already (`held`, by id) keeps it, and draws what belongs to it there. The
    largest components are placed first, each on a side that has room for it, there where it keeps kinds and documents
    nearest to the shares, too; where none has, on the side that it makes the least too large. A side with share 0 stays
    empty.

    Raises:
        ValueError: a share under 0, or none above 0.
    """
    if min(shares.values(), default=0) < 0 or not sum(shares.values()):
        raise ValueError("shares: each is 0 or more, and one of them above 0")
    groups = components(goldens, by=by, repeats=repeats, equivalents=equivalents)
    total = sum(shares.values())
    parts = {name: share / total for name, share in shares.items() if share > 0}

    def draw(group: Sequence[Golden]) -> tuple[int, str]:
        ids = "\n".join(sorted(golden.id for golden in group))
        return -len(group), hashlib.sha256(f"{seed}\n{ids}".encode()).hexdigest()

    targets = _targets(len(goldens), parts)
    whole = Counter(label for golden in goldens for label in _labels(golden))
    full: dict[str, Counter[str]] = {name: Counter() for name in parts}
    placed: dict[str, str] = {}
    counted: Counter[str] = Counter()
    for group in sorted(groups, key=lambda group: (not any(golden.id in held for golden in group), *draw(group))):
        adds = Counter(label for golden in group for label in _labels(golden))

        def cost(name: str, adds: Counter[str] = adds) -> tuple[float, float, float, str]:
            over = max(0, full[name][""] + adds[""] - targets[name])
            fullness, mixed = _strain(full[name], adds, whole, parts[name])
            if over:
                # Of those without room an empty one comes first.
                fullness = full[name][""] / (len(goldens) * parts[name])
            return over, fullness, mixed, name

        drawn = Counter(held[golden.id] for golden in group if held.get(golden.id) in parts)
        name = drawn.most_common(1)[0][0] if drawn else min(parts, key=cost)
        full[name] += adds
        counted[name] += 1
        placed.update({golden.id: name for golden in group})
        placed.update({golden.id: held[golden.id] for golden in group if held.get(golden.id) in parts})
    sides = {name: _side(name, goldens, placed, len(goldens) * shares[name] / total, counted[name]) for name in shares}
    of = {golden.id: placed[golden.id] for golden in goldens}
    return Sides(of, sides, max(map(len, groups), default=0), held=not held.keys().isdisjoint(of))


def components(
    goldens: Sequence[Golden],
    *,
    by: By = "evidence",
    repeats: Sequence[Repeat] = (),
    equivalents: Mapping[str, Sequence[Span]] | None = None,
) -> list[list[Golden]]:
    """The goldens that must not be parted, each in one group.

    By `evidence` those are joined whose evidence or equivalents overlap or that were drawn from one chunk; by `document`
    those with evidence, equivalents or chunks in one document. Repeats and goldens of one id are joined in either case.
    """
    roots = list(range(len(goldens)))

    def root(place: int) -> int:
        while roots[place] != place:
            roots[place] = roots[roots[place]]
            place = roots[place]
        return place

    def join(one: int, other: int) -> None:
        roots[root(one)] = root(other)

    first: dict[str, int] = {}
    spans = [_places(golden, equivalents or {}) for golden in goldens]
    for place, golden in enumerate(goldens):
        chunks = [f"chunk {chunk}" for chunk in golden.chunks]
        documents = [f"document {document}" for document in _documents(golden, spans[place])]
        for key in (f"golden {golden.id}", *(documents if by == "document" else chunks)):
            join(place, first.setdefault(key, place))
    for repeat in repeats:
        if isinstance(repeat.of, int):
            join(repeat.index, repeat.of)
    if by == "evidence":
        for one, other in _neighbours(spans):
            join(one, other)
    found: dict[int, list[Golden]] = defaultdict(list)
    for place, golden in enumerate(goldens):
        found[root(place)].append(golden)
    return list(found.values())


def _neighbours(spans: Sequence[Sequence[Span]]) -> Iterator[tuple[int, int]]:
    """Pairs that share a character of a document; where several do, as few pairs as connect them."""
    ordered = sorted((span.doc_id, span.start, span.end, place) for place, ours in enumerate(spans) for span in ours)
    document, furthest, last = "", 0, 0
    for doc_id, start, end, place in ordered:
        if doc_id == document and start < furthest:
            yield last, place
        if doc_id != document or end > furthest:
            document, furthest, last = doc_id, end, place


def _places(golden: Golden, equivalents: Mapping[str, Sequence[Span]]) -> list[Span]:
    return [*golden.evidence, *equivalents.get(golden.id, ())]


def _documents(golden: Golden, spans: Sequence[Span]) -> list[str]:
    """Of its evidence, its equivalents and its chunks, whose ids are `doc_id:start-end`."""
    return sorted({span.doc_id for span in spans} | {chunk.rpartition(":")[0] for chunk in golden.chunks})


def _targets(goldens: int, parts: Mapping[str, float]) -> dict[str, int]:
    """Whole goldens for each side: by largest remainder, and one for a side of half a golden where another has too many."""
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


def _labels(golden: Golden) -> list[str]:
    """What is to be spread evenly."""
    documents = sorted({span.doc_id for span in golden.evidence})
    return ["", f"kind {golden.kind}", *(f"document {document}" for document in documents)]


def _strain(held: Counter[str], adds: Counter[str], whole: Counter[str], part: float) -> tuple[float, float]:
    """How full the side would be, 1 being its share; then the same of kinds and documents, weighted by their numbers.

    Fullness is in steps of a twentieth of a share and of one golden, so that the mix decides between sides that are
    about equally full.
    """
    room = whole[""] * part
    fullness = (held[""] + adds[""]) / room
    step = max(0.05, 1 / room)
    mixed = sum(adds[label] * (held[label] + adds[label]) / (whole[label] * part) for label in adds if label)
    return round(fullness / step) * step, mixed


def _side(name: str, goldens: Sequence[Golden], placed: Mapping[str, str], wanted: float, components: int) -> Side:
    ours = [golden for golden in goldens if placed[golden.id] == name]
    return Side(
        wanted=round(wanted, 4),
        goldens=len(ours),
        components=components,
        documents=len({span.doc_id for golden in ours for span in golden.evidence}),
        kinds=dict(sorted(Counter(golden.kind for golden in ours).items())),
    )
