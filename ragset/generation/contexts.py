"""Contexts: a chunk with the chunks linked to it, of which a writer chooses those that a question joins."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from ragset.generation.links import ChunkTable, Link, Search, differ, links_of
from ragset.generation.shared_terms import SharedTerms, texts_of
from ragset.models import Candidate, Model, Reject
from ragset.settings import ContextSettings

STAGE = "expand"
SHOWN = 8
"""Chunks of a context at most."""

Rows = tuple[int, ...]


class Context(Model):
    """Rows of an index, the seed first and then its links, the strongest first."""

    rows: Rows
    kind: str
    """Of its strongest link."""
    strength: float
    """Of its strongest link, less for each stronger context whose seed is of the same document."""


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
    """Make a context for each seed that has enough links, those with the strongest links first; refuse the other seeds.

    A seed and a chunk linked to it are shown in one context alone, so a seed tried again gets its next links, or is refused.
    Those of the contexts made `before` count. Among seeds of equal strength the order is that of `seeds`. `terms` are those of
    all chunks of the table, found here where they are not given.
    """
    terms = terms or SharedTerms(texts_of(table, len(table.ids)))
    allowed = table.ends - table.starts >= min_chars
    cross = settings.spread == "cross-document"
    links = dict(
        zip(seeds, links_of(table, terms, search, seeds, allowed, 1 if settings.spread == "any" else 4), strict=True)
    )
    met = {frozenset((context[0], row)) for context in before for row in context[1:]}
    contexts: list[Context] = []
    rejects: list[Reject] = []
    taken = Counter[str]()
    for seed in sorted(seeds, key=lambda seed: -links[seed][0].strength if links[seed] else 0.0):
        wanted = _of_documents(table, seed, links[seed], settings)
        members = _members(table, [link for link in wanted if frozenset((seed, link.row)) not in met])
        own = table.doc_ids[seed]
        enough = len(members) + 1 >= settings.min_chunks
        if not enough or (cross and all(table.doc_ids[link.row] == own for link in members)):
            rejects.append(Reject(stage=STAGE, reason="too_few_linked", chunks=(table.ids[seed],)))
            continue
        met.update(frozenset((seed, link.row)) for link in members)
        strength = members[0].strength / (1 + taken[own]) ** 0.5
        taken[own] += 1
        rows = (seed, *(link.row for link in members))
        contexts.append(Context(rows=rows, kind=members[0].kind, strength=round(strength, 6)))
    contexts.sort(key=lambda context: -context.strength)
    return contexts, rejects


def candidates_of(table: ChunkTable, contexts: Sequence[Rows]) -> list[Candidate]:
    """A candidate for each context, with all texts read together."""
    rows = sorted({row for context in contexts for row in context})
    chunks = dict(zip(rows, table.chunks(rows), strict=True))
    return [Candidate(chunks=tuple(chunks[row] for row in context)) for context in contexts]


def _of_documents(table: ChunkTable, seed: int, links: Sequence[Link], settings: ContextSettings) -> list[Link]:
    """The links as the spread asks for: those of the own document alone, or those of others first."""
    own = table.doc_ids[seed]
    if settings.spread == "within-document":
        return [link for link in links if table.doc_ids[link.row] == own]
    if settings.spread == "cross-document":
        return sorted(links, key=lambda link: table.doc_ids[link.row] == own)
    return list(links)


def _members(table: ChunkTable, links: Sequence[Link]) -> list[Link]:
    """The first links whose chunks neither overlap nor repeat each other."""
    members: list[Link] = []
    for link in links:
        if len(members) == SHOWN - 1:
            break
        if all(differ(table, link.row, other.row) for other in members):
            members.append(link)
    return members


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
