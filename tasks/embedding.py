"""New chunks of an index embedded, and their words counted, by the workers of a run."""

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from typing import NamedTuple

from ragset.retrieval.embedding import Embedder
from ragset.retrieval.index.groups import NOTHING, Group, Prepared, parse_prepared, prepare_groups, write_prepared
from ragset.retrieval.index.shared import NewChunks
from ragset.settings import EmbeddingSettings, Environment
from tasks.run.models import Account, embedding
from tasks.run.threads import in_thread
from tasks.workers.ahead import by_size, in_order
from tasks.workers.parts import opened_part, write_part

_SLAB = 4_096  # chunks that a worker embeds together
_A_GROUP = 64  # chunks that take as long to embed as it takes to read a row group


class PreparedSlab(NamedTuple):
    """What became of a few row groups."""

    part: str
    groups: int  # in it


def prepare_on_workers(
    chunks: NewChunks, groups: Iterable[Group], embedded_by: EmbeddingSettings, account: Account
) -> Generator[Prepared]:
    """As `ragset.retrieval.index.groups.prepare_groups`, by the workers of the run; what they make comes in parts of a file."""
    chunks.share()
    begun: deque[Group] = deque()

    def with_new() -> Iterator[Group]:
        for group in groups:
            begun.append(group)
            if group.new:
                yield group

    slabs = by_size(with_new(), lambda group: len(group.new) + _A_GROUP, _SLAB)
    with closing(in_order(embed_slab, ((chunks, slab, embedded_by, account) for slab in slabs))) as done:
        for part, number in done:
            with opened_part(part) as file:
                for prepared in parse_prepared(file, number):
                    while not begun.popleft().new:
                        yield NOTHING
                    yield prepared
        for _ in begun:
            yield NOTHING


async def embed_slab(
    chunks: NewChunks, groups: list[Group], embedded_by: EmbeddingSettings, account: Account
) -> PreparedSlab:
    """`ragset.retrieval.index.groups.prepare_groups` in a worker."""
    async with embedding(embedded_by, account) as embedder:
        return await in_thread(_embed_slab, chunks, groups, embedder)


def _embed_slab(chunks: NewChunks, groups: list[Group], embedder: Embedder) -> PreparedSlab:
    prepared = prepare_groups(chunks, groups, embedder, Environment().ragset_home)
    return PreparedSlab(write_part(lambda file: write_prepared(file, prepared)), len(groups))
