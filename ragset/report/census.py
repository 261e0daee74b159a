"""How many goldens need several chunks, how many of those several documents, and of what shape they are."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ragset.models import Golden

MULTI_CHUNK = "multi-chunk"


class Census(NamedTuple):
    """Counts of goldens."""

    multi: int
    """Multi-chunk ones."""
    single: int
    """All others."""
    cross: int
    """Of the multi-chunk ones, those that are cross-document."""
    shapes: tuple[tuple[str, int], ...]
    """Of the multi-chunk ones that have a shape, the most frequent first."""

    @property
    def cross_share(self) -> float:
        """Of the multi-chunk ones, from 0 to 1; 0 where there are none."""
        return self.cross / self.multi if self.multi else 0.0


def shape_of(golden: Golden) -> str:
    """`comparison`, `bridge`, `aggregation` or `open`; empty for a single-chunk golden, whatever it was split from."""
    shape = golden.metadata.get("shape")
    return shape if golden.kind == MULTI_CHUNK and isinstance(shape, str) else ""


def take_census(goldens: Iterable[Golden]) -> Census:
    """The counts of a test set."""
    multi = single = cross = 0
    shapes: Counter[str] = Counter()
    for golden in goldens:
        if golden.kind != MULTI_CHUNK:
            single += 1
            continue
        multi += 1
        cross += golden.cross_document
        if shape := shape_of(golden):
            shapes[shape] += 1
    return Census(multi, single, cross, tuple(sorted(shapes.items(), key=lambda item: (-item[1], item[0]))))
