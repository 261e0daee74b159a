"""Where documents were cut, kept in a file: a document that was cut before is not cut again."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from ragset.chunking import chunk_at, split_and_refuse
from ragset.chunking.semantic import Embed
from ragset.models import Chunk, Document, Reject
from ragset.settings import ChunkingSettings


def cut(document: Document, settings: ChunkingSettings, embed: Embed | None = None) -> tuple[bytes, list[Reject]]:
    """A line with the places of the document's chunks, and what `split_and_refuse` refuses."""
    chunks, refused = split_and_refuse(document, settings, embed)
    places = [(chunk.start, chunk.end, chunk.headings) for chunk in chunks]
    return f"{document.id} {json.dumps(places)}\n".encode(), refused


def chunks_at(document: Document, line: bytes) -> list[Chunk]:
    """The chunks of a document whose places are in the line."""
    return [chunk_at(document, start, end, tuple(of)) for start, end, of in json.loads(line.partition(b" ")[2])]


class Cuts:
    """A file with a line for each document, as `cut` makes it, in the order of their ids; one line is in memory at a time."""

    def __init__(self, path: Path, settings: ChunkingSettings, code: str) -> None:
        """`code` is a digest of what cuts; what another one has cut is cut again."""
        self._path = path
        self._head = f"{settings.model_dump_json()} {code}\n".encode()

    def update(self, ids: Iterable[str], cut_all: Callable[[list[str]], Iterator[bytes]]) -> None:
        """Make it a file of these documents, whose `ids` ascend; `cut_all` gives the lines of those that are new, in order."""
        ids = list(ids)
        kept = self._of(ids, self.lines())
        missing = [key for key, line in zip(ids, kept, strict=True) if line is None]
        fresh = cut_all(missing) if missing else iter(())
        partial = self._path.with_suffix(".partial")
        with partial.open("wb") as file:
            file.write(self._head)
            for line in self._of(ids, self.lines()):
                file.write(next(fresh) if line is None else line)
        partial.replace(self._path)

    def lines(self) -> Iterator[bytes]:
        """Of all documents in order; none where the file was made otherwise."""
        with suppress(FileNotFoundError), self._path.open("rb") as file:
            if file.readline() == self._head:
                yield from file

    @staticmethod
    def _of(ids: Iterable[str], lines: Iterator[bytes]) -> Iterator[bytes | None]:
        """The line of each id, or None; both ascend."""
        line = next(lines, None)
        for key in ids:
            while line is not None and line.partition(b" ")[0].decode() < key:
                line = next(lines, None)
            yield line if line is not None and line.partition(b" ")[0].decode() == key else None
