"""Where documents were cut, kept in a file: a document that was cut before is not cut again."""

import json
from contextlib import suppress
from pathlib import Path

from ragset.chunking import split
from ragset.models import Chunk, Document
from ragset.settings import ChunkingSettings


class Cuts:
    """The places of chunks by document, as one strategy that embeds nothing cuts them."""

    def __init__(self, path: Path, settings: ChunkingSettings, code: str) -> None:
        """`code` is a digest of what cuts; what another one has cut is cut again."""
        self._path, self._settings = path, settings
        self._head = f"{settings.model_dump_json()} {code}\n".encode()
        self._known: dict[str, bytes] = {}
        self._lines: dict[str, bytes] = {}
        with suppress(FileNotFoundError), path.open("rb") as file:
            if file.readline() == self._head:
                self._known = {line.partition(b" ")[0].decode(): line for line in file}

    def split(self, document: Document) -> list[Chunk]:
        """As `ragset.chunking.split`."""
        line = self._known.get(document.id)
        if line is None:
            chunks = split(document, self._settings)
            places = [(chunk.start, chunk.end, chunk.headings) for chunk in chunks]
            line = f"{document.id} {json.dumps(places)}\n".encode()
        else:
            chunks = [
                Chunk(
                    doc_id=document.id,
                    start=start,
                    end=end,
                    text=document.text[start:end],
                    title=document.title,
                    headings=tuple(headings),
                )
                for start, end, headings in json.loads(line.partition(b" ")[2])
            ]
        self._lines[document.id] = line
        return chunks

    def write(self) -> None:
        """Keep the places of the documents that were cut."""
        if self._lines.keys() != self._known.keys():
            partial = self._path.with_suffix(".partial")
            with partial.open("wb") as file:
                file.writelines([self._head, *self._lines.values()])
            partial.replace(self._path)
