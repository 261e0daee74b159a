"""Documents cut into chunks, each an exact span of its document.

A text is measured once; every strategy only chooses places in it, so `document.text[chunk.start:chunk.end]` is the
chunk's text by construction.
"""

from collections.abc import Iterator

from ragset.chunking.boundaries import by_recursion, by_sentence
from ragset.chunking.markdown import sections
from ragset.chunking.packing import Stretch, pack
from ragset.chunking.poor import drop_poor
from ragset.chunking.ruler import Ruler
from ragset.chunking.tokens import count_tokens
from ragset.embed import Embedder
from ragset.errors import InputError
from ragset.models import Chunk, Document
from ragset.settings import ChunkingSettings

__all__ = ["count_tokens", "drop_poor", "split"]

_FILL = 0.5
"""How full a chunk must be for a paragraph's end to be better than a sentence's further on."""


def split(document: Document, settings: ChunkingSettings, embedder: Embedder | None = None) -> list[Chunk]:
    """The chunks of a document in the order of their starts, without white space at their ends.

    Together they hold every character that is not white space, and none is longer than the size. `semantic` needs the
    embedder.

    Raises:
        InputError: `semantic` without an embedder.
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
        for start, end, headings in _stretches(document.text, settings, embedder)
    ]


def _stretches(
    text: str, settings: ChunkingSettings, embedder: Embedder | None
) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    ruler = Ruler(text, settings.measured_in)
    size, overlap = settings.size, settings.overlap
    match settings.strategy:
        case "markdown":
            levels = by_recursion(text)
            for section in sections(text):
                within = {"start": section.start, "end": section.end}
                for stretch in pack(text, ruler, levels, size=size, overlap=overlap, fill=_FILL, **within):
                    yield *stretch, section.headings
            return
        case "semantic":
            if embedder is None:
                raise InputError("chunking.strategy semantic: name the embedding that tells where the meaning turns")
            # Imported here: llama-index takes seconds.
            from ragset.chunking.semantic import topics

            levels = by_sentence(text, settings.language)
            stretches: Iterator[Stretch] = (
                stretch
                for start, end in topics(text, settings, embedder)
                for stretch in pack(text, ruler, levels, size=size, overlap=overlap, start=start, end=end)
            )
        case "sentence":
            stretches = pack(text, ruler, by_sentence(text, settings.language), size=size, overlap=overlap)
        case "recursive":
            stretches = pack(text, ruler, by_recursion(text), size=size, overlap=overlap, fill=_FILL)
        case "token" | "words":
            stretches = pack(text, ruler, (), size=size, overlap=overlap)
    for stretch in stretches:
        yield *stretch, ()
