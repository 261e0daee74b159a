"""Every query that two chunks answer together by one of the patterns, with the sentences of each that answer it."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from ragset.generation.offline.bridges import bridged, owned
from ragset.generation.offline.contrasts import contrasted, measured
from ragset.generation.offline.deeds import repeated
from ragset.generation.offline.joined import Joined, Part
from ragset.generation.offline.language import guess_language
from ragset.generation.offline.order import ordered
from ragset.generation.offline.things import led_over
from ragset.generation.offline.ties import shared
from ragset.text.rules.passage_references import leans

_PATTERNS = (bridged, owned, ordered, repeated, measured, contrasted, led_over, shared)


@lru_cache(maxsize=256)
def joined(chunks: tuple[str, ...]) -> tuple[Joined, ...]:
    """In the order of the chunks, with the chunks that each draws from; also what one chunk answers alone.

    What two chunks give does not depend on the others, so that without one of them it is not found.
    """
    spoken = [place for place, chunk in enumerate(chunks) if guess_language(chunk) == "en"]
    found: dict[tuple[str, tuple[int, ...]], Joined] = {}
    for first, second in product(spoken, spoken):
        for one in _of_pair(chunks[first], chunks[second]):
            parts = (Part(first, one.parts[0].sentences), Part(second, one.parts[1].sentences))
            placed = one._replace(parts=parts)
            found.setdefault((placed.query, placed.needs), placed)
    return tuple(found.values())


@lru_cache(maxsize=256)
def _of_pair(first: str, second: str) -> tuple[Joined, ...]:
    return tuple(one for one in _matches(first, second) if leans(one.query) is None)


def _matches(first: str, second: str) -> Iterator[Joined]:
    for pattern in _PATTERNS:
        yield from pattern(first, second)
