"""Searches in a real collection in Milvus Lite."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from ragset.models import Chunk
from ragset.retrieval.embedding import Vectors
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.index import build_index
from ragset.retrieval.search import IndexSearch, Mode
from ragset.retrieval.stores import open_store
from ragset.settings import ChunkingSettings, Environment

TEXTS = [
    "The water clock of Athens ran for six minutes.",
    "An incense clock burns evenly and smells of sandalwood.",
    "The sundial shows the local time of its meridian.",
    "Water freezes in the clock when the winter is hard.",
]
CHUNKS = [
    Chunk(doc_id="d", start=100 * place, end=100 * place + len(text), text=text) for place, text in enumerate(TEXTS)
]
QUERIES = ["water clock of Athens", "what smells of sandalwood", "xylophone"]
WATER, INCENSE, SUNDIAL, FROST = (chunk.id for chunk in CHUNKS)


@pytest.fixture
def in_milvus(tmp_path: Path) -> Iterator[IndexSearch]:
    env = Environment(_env_file=None, ragset_home=tmp_path, milvus_uri=None)  # type: ignore[call-arg]
    with open_store(env) as store:
        index = build_index(
            CHUNKS, corpus="c", chunking=ChunkingSettings(), embedder=OfflineEmbedder(), home=tmp_path, store=store
        )
        yield IndexSearch(index, store, OfflineEmbedder().embed)


def test_words_find_what_shares_some(in_milvus: IndexSearch) -> None:
    first, second, third = in_milvus.ranked(QUERIES, "bm25", 2)
    # "water" and "clock" are in both, "Athens" in the first alone
    assert first == [WATER, FROST]
    assert second[0] == INCENSE
    assert third == []


@pytest.mark.parametrize("mode", ["bm25", "dense", "hybrid"])
def test_no_queries_find_nothing(in_milvus: IndexSearch, mode: Mode) -> None:
    assert in_milvus.ranked([], mode, 3) == []


def test_chunks_come_in_the_order_asked_for(in_milvus: IndexSearch) -> None:
    assert in_milvus.chunks([SUNDIAL, WATER]) == [CHUNKS[2], CHUNKS[0]]


def test_words_alone_embed_no_query(tmp_path: Path) -> None:
    def embed(texts: Sequence[str]) -> Vectors:
        raise AssertionError(texts)

    env = Environment(_env_file=None, ragset_home=tmp_path, milvus_uri=None)  # type: ignore[call-arg]
    with open_store(env) as store:
        index = build_index(
            CHUNKS, corpus="c", chunking=ChunkingSettings(), embedder=OfflineEmbedder(), home=tmp_path, store=store
        )
        assert IndexSearch(index, store, embed).ranked(QUERIES[:1], "bm25", 1) == [[WATER]]
