"""Documents cut into chunks, each an exact span of its document.

A text is measured once; every strategy only chooses places in it, so `document.text[chunk.start:chunk.end]` is the
chunk's text by construction.
"""

from collections.abc import Iterator

from ragset.chunking.boundaries import Boundaries, by_recursion, by_sentence
from ragset.chunking.markdown import Section, outline
from ragset.chunking.packing import Stretch, pack
from ragset.chunking.poor import drop_poor
from ragset.chunking.ruler import Ruler
from ragset.chunking.semantic import Embed, topics
from ragset.errors import InputError
from ragset.models import Chunk, Document
from ragset.settings import ChunkingSettings
from ragset.text.tokens import count_tokens

__all__ = ["count_tokens", "drop_poor", "split"]

_FILL = 0.5
"""How full a chunk must be for a paragraph's end to be better than a sentence's further on."""


def split(document: Document, settings: ChunkingSettings, embed: Embed | None = None) -> list[Chunk]:
    """The chunks of a document in the order of their starts, without white space at their ends.

    Together they hold every character that is not white space, and none is longer than the size. `semantic` needs the
    embedding.

    Raises:
        InputError: `semantic` without an embedding.
    """
    return [
        Chunk(
            doc_id=document.id,
            start=start,
            end=end,
            text=document.text[start:end],
            title=document.title,
            headings=headings,
        )
        for start, end, headings in _stretches(document.text, settings, embed)
    ]


def _stretches(
    text: str, settings: ChunkingSettings, embed: Embed | None
) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    parts = [Section(0, len(text), ())]
    levels: tuple[Boundaries, ...] = ()
    blocks: list[Stretch] = []
    fill = 0.0
    match settings.strategy:
        case "recursive":
            levels, fill = by_recursion(text), _FILL
        case "markdown":
            levels, fill = by_recursion(text), _FILL
            parts, blocks = outline(text)
        case "sentence":
            levels = by_sentence(text, settings.language or "en")
        case "semantic":
            if embed is None:
                raise InputError("chunking.strategy semantic: name the embedding that tells where the meaning turns")
            levels = by_sentence(text, settings.language or "en")
            parts = [Section(start, end, ()) for start, end in topics(text, settings, embed)]
        case "token" | "words":
            pass
    ruler = Ruler(text, settings.measured_in)
    for part in parts:
        for stretch in pack(
            text,
            ruler,
            levels,
            size=settings.size,
            overlap=settings.overlap,
            start=part.start,
            end=part.end,
            fill=fill,
            blocks=blocks,
        ):
            yield *stretch, part.headings
