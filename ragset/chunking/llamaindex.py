"""Chunks as a node parser of LlamaIndex makes them: nodes found again in the document, each as an exact span."""

import inspect
from collections.abc import Iterable
from typing import Any

from ragset.chunking.packing import Stretch
from ragset.chunking.semantic import Embed, adapted
from ragset.errors import InputError
from ragset.models import Document, Reject
from ragset.settings import LLAMAINDEX, ChunkingSettings
from ragset.settings.llamaindex import find_class, make, said

MISALIGNED = "misaligned"


def nodes_of(document: Document, settings: ChunkingSettings, embed: Embed | None) -> tuple[list[Stretch], list[Reject]]:
    """The nodes that the parser makes of the document, of nodes within nodes the innermost, as LlamaIndex indexes them.

    By their starts, each once; and rejects of those whose text the document does not have there.

    The parser is given the text without metadata, which would take room in its chunks.

    Raises:
        InputError: there is no such parser, or it fails.
    """
    # Imported here: llama-index takes seconds.
    from llama_index.core.schema import Document as Whole
    from llama_index.core.schema import NodeRelationship

    what, text = f"chunking.strategy {settings.strategy}", document.text
    parser = _parser(what, settings, embed)
    try:
        nodes = parser.get_nodes_from_documents([Whole(text=text)])
    except (Exception, SystemExit) as error:  # of code that is not ours
        raise InputError(f"{what}: fails on {document.sources[0]} ({said(error)})") from error
    pieces = [node.get_content() for node in nodes if NodeRelationship.CHILD not in node.relationships]
    found: set[Stretch] = set()
    rejects: list[Reject] = []
    for number, place in enumerate(align(text, pieces), start=1):
        if isinstance(place, tuple):
            found.add(place)
        elif place:
            rejects.append(
                Reject(stage="chunk", reason=MISALIGNED, detail=f"node {number} of {document.sources[0]}: {place}")
            )
    return sorted(found), rejects


def _parser(what: str, settings: ChunkingSettings, embed: Embed | None) -> Any:
    of = find_class(what, "node_parser", settings.strategy.removeprefix(LLAMAINDEX))
    if not hasattr(of, "get_nodes_from_documents"):
        raise InputError(f"{what}: {of.__name__} is no node parser; it has no get_nodes_from_documents")
    fields = getattr(of, "model_fields", {})
    if "llm" in fields:
        raise InputError(f"{what}: it asks a language model, which no budget here would count; choose another parser")
    maker = getattr(of, "from_defaults", of)  # which parsers of several sizes need
    arguments: dict[str, Any] = dict(settings.arguments)
    if "embed_model" in fields and "embed_model" in inspect.signature(maker).parameters:
        if embed is None:
            raise InputError(f"{what}: name the embedding that it compares sentences by")
        arguments.setdefault("embed_model", adapted(embed))
    return make(what, maker, arguments)


def align(text: str, pieces: Iterable[str]) -> list[Stretch | str]:
    """Where the pieces stand in the text, in order; of one that does not stand there the reason, empty of a blank one.

    White space at either end does not count. Each piece ends after the one before it. It begins where that ends, else as
    late in it as possible, as chunks may overlap, else at the next place behind it, as a parser may leave text out.
    """
    places: list[Stretch | str] = []
    start, end = -1, 0
    for piece in pieces:
        bare = piece.strip()
        if not bare:
            places.append("")
            continue
        after = end + len(text[end:]) - len(text[end:].lstrip())
        least = max(start + 1, end - len(bare) + 1)
        place = text.rfind(bare, least, after + len(bare))
        if place < 0:
            place = text.find(bare, after)
        if place < 0:
            there = "before the node that precedes it" if bare in text else "nowhere in the document, word for word"
            places.append(f"its text stands {there}")
            continue
        start, end = place, place + len(bare)
        places.append((start, end))
    return places
