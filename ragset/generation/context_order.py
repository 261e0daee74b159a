"""The order in which contexts are drawn: by the strength of their links, and by what contexts like them gave before."""

from collections import Counter
from collections.abc import Collection, Sequence

from ragset.generation.contexts import Context

_PRIOR = 8
"""As many contexts of a kind count as much as the share of all kinds."""
_DRAFTED = 0.3
"""What a query counts that was drafted and not kept, where a kept one counts 1."""


class Yields:
    """What the contexts of each kind gave so far in a run; the same replies give the same order."""

    def __init__(self) -> None:
        self._tried = Counter[str]()
        self._gave: dict[str, float] = {}

    def learn(self, drawn: Sequence[tuple[str, str]], undrafted: Collection[str], kept: Collection[str]) -> None:
        """Add what became of contexts, each given as the id of its seed and its kind."""
        for seed, kind in drawn:
            self._tried[kind] += 1
            gave = 1.0 if seed in kept else 0.0 if seed in undrafted else _DRAFTED
            self._gave[kind] = self._gave.get(kind, 0.0) + gave

    def rate(self, kind: str) -> float:
        """What a context of that kind gives, smoothed towards all kinds; 1 before anything is known."""
        tried = self._tried.total()
        overall = (sum(self._gave.values()) + 1) / (tried + 1)
        return (self._gave.get(kind, 0.0) + _PRIOR * overall) / (self._tried[kind] + _PRIOR)

    def best(self, waiting: Sequence[Context], size: int) -> list[int]:
        """The places of the contexts to draw next, in that order."""
        worth = [context.strength * self.rate(context.kind) for context in waiting]
        return sorted(range(len(waiting)), key=lambda place: (-worth[place], place))[:size]
