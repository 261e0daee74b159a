"""Contexts: chunks linked to one another, of which a writer chooses those that a question joins."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from ragset.generation.links import ChunkTable, Link, Search, differ, links_of
from ragset.generation.shared_terms import SharedTerms, texts_of
from ragset.models import Candidate, Model, Reject
from ragset.settings import ContextSettings

STAGE = "expand"
SHOWN = 8
"""Chunks of a context at most."""

Rows = tuple[int, ...]
Pair = frozenset[int]


class Context(Model):
    """Rows of an index: a seed, the chunk that it is linked to, and those that are linked to them, in the order of growth."""

    rows: Rows
    kind: str
    """Of the link of the first two."""
    strength: float
    """Of the link of the first two, less for each stronger context whose seed is of the same document."""


def expand(
    table: ChunkTable,
    search: Search,
    seeds: Sequence[int],
    settings: ContextSettings,
    *,
    min_chars: int,
    before: Iterable[Rows] = (),
    terms: SharedTerms | None = None,
) -> tuple[list[Context], list[Reject]]:
    """Make at most as many contexts as seeds, of them and the chunks linked to them, the strongest first; refuse seeds without links.

    A context begins with the strongest link of a seed to a chunk that no context has shown with it, those made `before`
    included, and grows by the chunk whose such links to its chunks have the largest sum. `terms` are those of all chunks of the
    table, found here where they are not given.
    """
    terms = terms or SharedTerms(texts_of(table, len(table.ids)))
    allowed = table.ends - table.starts >= min_chars
    wider = 1 if settings.spread == "any" else 4
    links: dict[Pair, tuple[int, Link]] = {}
    for seed, found in zip(seeds, links_of(table, terms, search, seeds, allowed, wider), strict=True):
        for link in found:
            if _wanted(table, seed, link.row, settings):
                links.setdefault(frozenset((seed, link.row)), (seed, link))
    shown = {frozenset(pair) for rows in before for pair in combinations(rows, 2)}
    linked = _by_row(links)
    rejects = [
        Reject(stage=STAGE, reason="too_few_linked", chunks=(table.ids[seed],)) for seed in seeds if seed not in linked
    ]
    contexts: list[Context] = []
    taken = Counter[str]()
    for seed, link in sorted(links.values(), key=lambda one: (-one[1].strength, one[0], one[1].row)):
        if len(contexts) == len(seeds):
            break
        if frozenset((seed, link.row)) in shown:
            continue
        rows = _grown(table, seed, link.row, linked, shown)
        if len(rows) < settings.min_chunks:
            continue
        shown.update(map(frozenset, combinations(rows, 2)))
        own = table.doc_ids[seed]
        contexts.append(Context(rows=rows, kind=link.kind, strength=round(link.strength / (1 + taken[own]) ** 0.5, 6)))
        taken[own] += 1
    contexts.sort(key=lambda context: -context.strength)
    return contexts, rejects


def candidates_of(table: ChunkTable, contexts: Sequence[Rows]) -> list[Candidate]:
    """A candidate for each context, with all texts read together."""
    rows = sorted({row for context in contexts for row in context})
    chunks = dict(zip(rows, table.chunks(rows), strict=True))
    return [
        Candidate(chunks=tuple(chunks[row] for row in context), origin=origin_of(table, context))
        for context in contexts
    ]


def origin_of(table: ChunkTable, context: Rows) -> str:
    """What no other context of a run has: its first two chunks by id."""
    return " ".join(table.ids[row] for row in context[:2])


def _wanted(table: ChunkTable, row: int, other: int, settings: ContextSettings) -> bool:
    same = table.doc_ids[row] == table.doc_ids[other]
    return settings.spread == "any" or same == (settings.spread == "within-document")


def _by_row(links: Mapping[Pair, tuple[int, Link]]) -> dict[int, dict[int, float]]:
    """The strengths of each chunk's links, by the chunk at the other end."""
    linked: dict[int, dict[int, float]] = {}
    for seed, link in links.values():
        linked.setdefault(seed, {})[link.row] = link.strength
        linked.setdefault(link.row, {})[seed] = link.strength
    return linked


def _grown(
    table: ChunkTable, seed: int, other: int, linked: Mapping[int, Mapping[int, float]], shown: Collection[Pair]
) -> Rows:
    """The two, and chunks that neither overlap nor repeat one another, each the one most strongly linked to those before it."""
    rows: list[int] = []
    gains = {seed: math.inf, other: float(SHOWN)}  # no sum of links is larger
    while gains and len(rows) < SHOWN:
        new = min(gains, key=lambda row: (-gains[row], row))
        del gains[new]
        if not all(differ(table, new, row) for row in rows):
            continue
        rows.append(new)
        for row, strength in linked[new].items():
            if row not in rows and frozenset((new, row)) not in shown:
                gains[row] = gains.get(row, 0.0) + strength
    return tuple(rows)


_PRIOR = 8
"""As many contexts of a kind count as much as the share of all kinds."""
LATEST, _LEAST = 48, 1 / 12
"""Of so many contexts or more, the share that gives goldens below which others are hardly worth their calls, 20 and more a golden."""


class Yields:
    """What the contexts of each kind gave so far in a run; the same replies give the same order."""

    def __init__(self) -> None:
        self._tried = Counter[str]()
        self._gave = Counter[str]()
        self._draws: list[tuple[int, int]] = []  # contexts tried, and goldens that came of them

    def learn(self, drawn: Mapping[str, str], finished: Iterable[str]) -> None:
        """Add what became of contexts: the kind of each by its origin, and the origins of the goldens that came of them."""
        gave = [drawn[origin] for origin in finished]
        self._tried.update(drawn.values())
        self._gave.update(gave)
        self._draws.append((len(drawn), len(gave)))

    @property
    def dry(self) -> bool:
        """Whether hardly any of the latest contexts gave a golden; stronger ones come first, so later ones will not either."""
        tried = gave = 0
        for contexts, goldens in reversed(self._draws):
            tried, gave = tried + contexts, gave + goldens
            if tried >= LATEST:
                return gave < _LEAST * tried
        return False

    def rate(self, kind: str) -> float:
        """Goldens of a context of that kind, smoothed towards all kinds; 1 before anything is known."""
        overall = (self._gave.total() + 1) / (self._tried.total() + 1)
        return (self._gave[kind] + _PRIOR * overall) / (self._tried[kind] + _PRIOR)

    def best(self, waiting: Sequence[Context], size: int) -> list[int]:
        """The places of the contexts to draw next, in that order."""
        worth = [context.strength * self.rate(context.kind) for context in waiting]
        return sorted(range(len(waiting)), key=lambda place: (-worth[place], place))[:size]
