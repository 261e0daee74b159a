"""Documents cut into chunks, each an exact span of its document.

Strategies choose places in a text, so `document.text[chunk.start:chunk.end]` is the chunk's text by construction. Embeddings come
in as a function; indexing is in `retrieval`.
"""

from ragset.chunking.packing import pack
from ragset.chunking.poor import drop_poor
from ragset.chunking.ruler import Ruler
from ragset.chunking.semantic import Embed
from ragset.chunking.strategies import STRATEGIES, Section, Strategy, strategy
from ragset.models import Chunk, Document
from ragset.settings import ChunkingSettings

__all__ = ["STRATEGIES", "Strategy", "drop_poor", "split", "strategy"]


def split(document: Document, settings: ChunkingSettings, embed: Embed | None = None) -> list[Chunk]:
    """The chunks of a document in the order of their starts, without white space at their ends.

    Together they hold every character that is not white space, and none is longer than the size.
    """
    text = document.text
    places = STRATEGIES[settings.strategy].find(text, settings, embed)
    ruler = Ruler(text, settings.measured_in)
    return [
        Chunk(
            doc_id=document.id,
            start=start,
            end=end,
            text=text[start:end],
            title=document.title,
            headings=section.headings,
        )
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
