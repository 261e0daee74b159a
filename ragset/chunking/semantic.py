"""Stretches between the sentences where the meaning turns, by llama-index's semantic splitter."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from ragset.chunking.boundaries import sentences
from ragset.embed import Embedder
from ragset.errors import InputError
from ragset.settings import ChunkingSettings


def topics(text: str, settings: ChunkingSettings, embedder: Embedder) -> Iterator[tuple[int, int]]:
    """Half-open stretches that together are the whole text.

    The splitter is given sentences that leave nothing out, so the texts it returns follow one another in the document
    and their places are sums of lengths; its own offsets are not used.
    """
    from llama_index.core.node_parser import SemanticSplitterNodeParser
    from llama_index.core.schema import Document

    def split(whole: str) -> list[str]:
        places = [0, *sentences(whole, settings.language), len(whole)]
        return [whole[start:end] for start, end in pairwise(places)]

    parser = SemanticSplitterNodeParser.from_defaults(
        embed_model=_adapted(embedder),
        buffer_size=settings.buffer_size,
        breakpoint_percentile_threshold=settings.breakpoint_percentile,
        sentence_splitter=split,
        include_metadata=False,
        include_prev_next_rel=False,
    )
    start = 0
    for node in parser.build_semantic_nodes_from_documents([Document(text=text)]):
        content = node.get_content()
        if text[start : start + len(content)] != content:
            raise InputError(
                "the semantic splitter changed the text; report it, and choose another strategy until then"
            )
        yield start, start + len(content)
        start += len(content)


def _adapted(embedder: Embedder) -> Any:
    """Our embedder as llama-index wants one."""
    from llama_index.core.base.embeddings.base import BaseEmbedding

    class Adapted(BaseEmbedding):
        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return embedder.embed(texts).tolist()

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    return Adapted(model_name=embedder.name, embed_batch_size=128)
