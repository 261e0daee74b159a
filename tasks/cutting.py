"""The documents of a corpus cut into chunks, in the process of the run or by its workers."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ragset.chunking.cuts import Cuts, chunks_at, cut
from ragset.documents.corpus import Corpus, Line, read_lines
from ragset.models import Chunk, Reject
from ragset.retrieval.embedding import Embedder
from ragset.retrieval.embedding.stored import Bill, StoredEmbedder
from ragset.settings import ChunkingSettings, EmbeddingSettings
from tasks.documents import CorpusFile
from tasks.run.caching import made_by
from tasks.run.models import Account, embedding
from tasks.run.progress import progress
from tasks.run.threads import in_thread
from tasks.workers.ahead import by_size, in_order
from tasks.workers.cluster import has_workers

_SLAB, _SLAB_TO_EMBED = 2_000_000, 100_000
"""Bytes of documents that are cut together; fewer where their sentences are embedded."""


class CutSlab(NamedTuple):
    """Where documents are cut."""

    lines: list[bytes]  # as `ragset.chunking.cuts.cut` makes them
    refused: list[Reject]
    sentences: Bill  # what embedding them cost


class Cutting:
    """One cutting of a corpus, and what came of it beside the chunks."""

    def __init__(
        self,
        corpus: CorpusFile,
        chunking: ChunkingSettings,
        embedded_by: EmbeddingSettings,
        embedder: Embedder,
        account: Account,
    ) -> None:
        self.refused: list[Reject] = []
        self.sentences = Bill()
        self._corpus, self._chunking, self._embedder = corpus, chunking, embedder
        self._sent = corpus.model_copy(update={"failures": ()}), chunking, embedded_by, account

    def chunks(self, folder: Path) -> Iterator[Chunk]:
        """The chunks of all documents in order; a file in the folder keeps where documents were cut."""
        corpus, shown = self._corpus.open(), progress()
        embeds = self._chunking.embeds  # cut anew each time: not all that decides is known
        path = folder / ("cuts-once.txt" if embeds else "cuts.txt")
        cuts = Cuts(path, self._chunking, made_by())
        shown.begin("chunks", len(corpus))

        def cut_all(ids: list[str]) -> Iterator[bytes]:
            shown.done = len(corpus) - len(ids)
            for slab in self._slabs(corpus, ids):
                self.refused += slab.refused
                self.sentences = Bill.total((self.sentences, slab.sentences))
                shown.done += len(slab.lines)
                yield from slab.lines

        if embeds:
            path.unlink(missing_ok=True)  # of a killed run
        try:
            cuts.update(corpus.ids, cut_all)
            for document, line in zip(corpus, cuts.lines(), strict=True):
                yield from chunks_at(document, line)
        finally:
            if embeds:
                path.unlink(missing_ok=True)

    def _slabs(self, corpus: Corpus, ids: list[str]) -> Iterator[CutSlab]:
        least = _SLAB_TO_EMBED if self._chunking.embeds else _SLAB
        slabs = by_size(map(corpus.line, ids), lambda line: line.size, least)
        if has_workers():
            return in_order(cut_slab, ((slab, *self._sent) for slab in slabs))
        return (cut_lines(corpus.path, slab, self._chunking, self._embedder) for slab in slabs)


async def cut_slab(
    slab: list[Line], corpus: CorpusFile, chunking: ChunkingSettings, embedded_by: EmbeddingSettings, account: Account
) -> CutSlab:
    """`cut_lines` in a worker."""
    path = await in_thread(corpus.path_here)
    if not chunking.embeds:
        return await in_thread(cut_lines, path, slab, chunking, None)
    async with embedding(embedded_by, account) as embedder:
        return await in_thread(cut_lines, path, slab, chunking, embedder)


def cut_lines(path: Path, lines: Iterable[Line], chunking: ChunkingSettings, embedder: Embedder | None) -> CutSlab:
    """Where the documents in these lines of a corpus file are cut."""
    paid = embedder if isinstance(embedder, StoredEmbedder) and not embedder.free else None
    before = paid.used if paid else Bill()
    found = [cut(document, chunking, embedder.embed if embedder else None) for document in read_lines(path, lines)]
    after = paid.used if paid else Bill()
    refused = [reject for _, rejects in found for reject in rejects]
    return CutSlab([line for line, _ in found], refused, Bill(after.calls - before.calls, after.tokens - before.tokens))
