"""One of several kinds, by weight, the same for the same case whatever the order of cases."""

import hashlib
from collections.abc import Mapping


def choose(weights: Mapping[str, float], *case: object) -> str:
    """The kind that a hash of `case` draws, in proportion to the weights; some weight is above 0."""
    kinds = sorted(kind for kind, weight in weights.items() if weight > 0)
    digest = hashlib.sha256("\n".join(map(str, case)).encode()).digest()
    point = int.from_bytes(digest[:8], "big") / 2**64 * sum(weights[kind] for kind in kinds)
    for kind in kinds:
        point -= weights[kind]
        if point < 0:
            return kind
    return kinds[-1]
