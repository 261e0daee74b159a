"""Stretches between the sentences where the meaning turns, by llama-index's semantic splitter."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ragset.errors import InputError
from ragset.settings import ChunkingSettings
from ragset.text.sentences import sentences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Embed = Callable[[Sequence[str]], "NDArray[np.float32]"]  # texts to vectors, a row for each text

_LONGEST = 2_000
"""Characters of a sentence; a longer one is compared in parts, as no embedding model takes a text of any length."""


def topics(text: str, settings: ChunkingSettings, embed: Embed) -> list[tuple[int, int]]:
    """Half-open stretches that together are the whole text."""
    if not text.strip():
        return []
    # Imported here: llama-index takes seconds.
    from llama_index.core.node_parser import SemanticSplitterNodeParser
    from llama_index.core.schema import Document

    def split(whole: str) -> list[str]:
        places = [0, *sentences(whole, settings.language or "en"), len(whole)]
        stretches = ((part, end) for start, end in pairwise(places) for part in range(start, end, _LONGEST))
        return [whole[part : min(part + _LONGEST, end)] for part, end in stretches]

    parser = SemanticSplitterNodeParser.from_defaults(
        embed_model=adapted(embed),
        buffer_size=settings.buffer_size,
        breakpoint_percentile_threshold=settings.breakpoint_percentile,
        sentence_splitter=split,
        include_metadata=False,
        include_prev_next_rel=False,
    )
    found: list[tuple[int, int]] = []
    start = 0  # the sentences leave nothing out, so the texts of nodes follow one another in the document
    for node in parser.build_semantic_nodes_from_documents([Document(text=text)]):
        end = start + len(content := node.get_content())
        if text[start:end] != content:
            mend = "install the release in requirements.lock"
            raise InputError(f"chunking.strategy semantic: llama-index changed the text; {mend}")
        found.append((start, end))
        start = end
    return found


def adapted(embed: Embed) -> Any:
    """A model as llama-index wants one."""
    from llama_index.core.base.embeddings.base import BaseEmbedding

    class Adapted(BaseEmbedding):
        def get_text_embedding_batch(self, texts: list[str], *_: Any, **__: Any) -> list[Any]:
            # All at once, as `embed` makes its own batches; and rows of an array, a tenth of what lists take.
            return list(embed(texts))

        def _get_text_embedding(self, text: str) -> list[float]:
            return embed([text])[0].tolist()

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    return Adapted(model_name="ragset")
