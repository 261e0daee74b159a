"""Documents cut into chunks, each an exact span of its document: `document.text[chunk.start:chunk.end]` is its text."""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import islice
from unicodedata import east_asian_width

from ragset.chunking.packing import pack
from ragset.chunking.ruler import Ruler
from ragset.chunking.semantic import Embed
from ragset.chunking.strategies import STRATEGIES, Section, strategy
from ragset.errors import InputError
from ragset.models import Chunk, Document, Reject
from ragset.settings import LLAMAINDEX, ChunkingSettings

__all__ = ["STRATEGIES", "chunk_at", "drop_poor", "split", "split_and_refuse", "strategy", "without_poor"]

_LEAST_LETTERS = 20  # letters and digits; a page number or a lone heading has fewer
_WIDE = 3  # for how many of them a Chinese character, kana or Hangul syllable counts


def split(document: Document, settings: ChunkingSettings, embed: Embed | None = None) -> list[Chunk]:
    """The chunks of a document by their starts.

    Those of our strategies are none longer than the size, and together hold all but white space. Those of a parser of
    LlamaIndex are as it makes them; `split_and_refuse` says which of its nodes are no part of the document.
    """
    return split_and_refuse(document, settings, embed)[0]


def split_and_refuse(
    document: Document, settings: ChunkingSettings, embed: Embed | None = None
) -> tuple[list[Chunk], list[Reject]]:
    """As `split`, and the nodes of a parser of LlamaIndex whose text the document does not have."""
    if settings.existing:
        raise InputError(
            f"chunking.existing: chunks of {settings.existing.name} are there already; nothing is cut here"
        )
    if settings.strategy.startswith(LLAMAINDEX):
        from ragset.chunking.llamaindex import nodes_of

        stretches, rejects = nodes_of(document, settings, embed)
        return [chunk_at(document, *stretch) for stretch in stretches], rejects
    text = document.text
    places = STRATEGIES[settings.strategy].find(text, settings, embed)
    ruler = Ruler(text, settings.measured_in)
    chunks = [
        chunk_at(document, start, end, section.headings)
        for section in places.sections or (Section(0, len(text), ()),)
        for start, end in pack(
            text,
            ruler,
            places.levels,
            size=settings.size,
            overlap=settings.overlap,
            start=section.start,
            end=section.end,
            fill=places.fill,
            blocks=places.blocks,
        )
    ]
    return chunks, []


def chunk_at(document: Document, start: int, end: int, headings: tuple[str, ...] = ()) -> Chunk:
    """The chunk of a document from `start` up to `end`."""
    text = document.text[start:end]
    return Chunk(doc_id=document.id, start=start, end=end, text=text, title=document.title, headings=headings)


def drop_poor(chunks: Iterable[Chunk]) -> tuple[list[Chunk], list[Reject]]:
    """The chunks without those that say next to nothing, or what an earlier one says word for word."""
    rejects: list[Reject] = []
    return list(without_poor(chunks, rejects)), rejects


def without_poor(chunks: Iterable[Chunk], rejects: list[Reject]) -> Iterator[Chunk]:
    """As `drop_poor`, one chunk at a time; those that are dropped are added to `rejects`."""
    seen: dict[bytes, str] = {}
    for chunk in chunks:
        key = hashlib.blake2b(" ".join(chunk.text.split()).encode(), digest_size=16).digest()
        if _says_nothing(chunk.text):
            reason, detail = "near_empty", f"{len(chunk.text)} characters"
        elif key in seen:
            reason, detail = "repeated", f"the same text as {seen[key]}"
        else:
            seen[key] = chunk.id
            yield chunk
            continue
        rejects.append(Reject(stage="chunk", reason=reason, detail=detail, chunks=(chunk.id,)))


def _says_nothing(text: str) -> bool:
    worth = (_WIDE if east_asian_width(character) in "WF" else 1 for character in text if character.isalnum())
    return sum(islice(worth, _LEAST_LETTERS)) < _LEAST_LETTERS  # so many letters of any kind are enough
