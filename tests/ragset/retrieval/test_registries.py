"""A vector store and an embedding of somebody else's, added through the public registries."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from ragset.errors import InputError
from ragset.models import Chunk
from ragset.retrieval.embedding import Vectors, connect_embedder, embeddings, normalised
from ragset.retrieval.fusion import Hit
from ragset.retrieval.index import build_index
from ragset.retrieval.search import retrieve
from ragset.retrieval.stores import StoreKind, open_store, stores
from ragset.retrieval.vector_store import Row, VectorStore
from ragset.settings import ChunkingSettings, EmbeddingSettings, Environment, RetrievalSettings

TEXTS = ["green tea and milk", "black coffee", "water of the well"]
CHUNKS = [Chunk(doc_id="d", start=100 * n, end=100 * n + len(text), text=text) for n, text in enumerate(TEXTS)]


class MemoryStore:
    """Collections in a dictionary."""

    digest = "memory"
    takes_sparse = True

    def __init__(self) -> None:
        self.collections: dict[str, dict[str, Row]] = {}

    def close(self) -> None:
        pass

    def check_size(self, chunk: Chunk) -> Chunk:
        return chunk

    def has(self, collection: str) -> bool:
        return collection in self.collections

    def create(self, collection: str, dimensions: int) -> None:
        self.collections[collection] = {}

    def drop(self, collection: str) -> None:
        self.collections.pop(collection, None)

    def load(self, collection: str) -> None:
        pass

    def count(self, collection: str) -> int:
        return len(self.collections[collection])

    def upsert(
        self, collection: str, rows: Iterable[Row], progress: Callable[[int], None] = lambda _written: None
    ) -> None:
        self.collections[collection] |= {row.chunk.id: row for row in rows}
        progress(self.count(collection))

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        for key in ids:
            self.collections[collection].pop(key, None)

    def existing(self, collection: str, ids: Sequence[str]) -> set[str]:
        return self.collections[collection].keys() & set(ids)

    def search_dense(self, collection: str, vectors: Vectors, limit: int) -> list[list[Hit]]:
        rows = self.collections[collection].values()
        return [best([Hit(row.chunk.id, float(row.dense @ vector)) for row in rows], limit) for vector in vectors]

    def search_sparse(self, collection: str, weights: Sequence[Mapping[int, float]], limit: int) -> list[list[Hit]]:
        rows = self.collections[collection].values()
        scored = ([Hit(row.chunk.id, product(query, row.bm25)) for row in rows] for query in weights)
        return [best([hit for hit in hits if hit.score > 0], limit) for hits in scored]


def best(hits: list[Hit], limit: int) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]


def product(one: Mapping[int, float], other: Mapping[int, float]) -> float:
    return sum(weight * other.get(term, 0.0) for term, weight in one.items())


class LetterEmbedder:
    """How often each letter occurs."""

    name = identity = "letters"

    def embed(self, texts: Sequence[str]) -> Vectors:
        letters = "abcdefghijklmnopqrstuvwxyz"
        return normalised(np.array([[text.count(letter) for letter in letters] for text in texts], dtype=np.float32))


def environment(home: Path, uri: str | None) -> Environment:
    return Environment(_env_file=None, ragset_home=home, milvus_uri=uri)  # type: ignore[call-arg]


def test_an_added_store_and_an_added_embedding_index_and_find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory: VectorStore = MemoryStore()
    monkeypatch.setitem(stores, "memory", StoreKind(lambda _env: memory))
    monkeypatch.setitem(embeddings, "letters", lambda _settings, _env, _limit, _queries: LetterEmbedder())
    env = environment(tmp_path, "memory://")
    embedder = connect_embedder(EmbeddingSettings(model="letters"), env)
    with open_store(env) as store:
        settings = ChunkingSettings()
        for chunks in (CHUNKS[:2], CHUNKS):  # the second time one chunk is added
            index = build_index(chunks, corpus="c", chunking=settings, embedder=embedder, home=tmp_path, store=store)
        queries = ["tea with milk", "well water"]
        found = retrieve(index, store, queries, embedder.embed(queries), RetrievalSettings(mode="hybrid"), 1)
    assert index.report.added == 1
    assert [hits[0].id for hits in found] == [CHUNKS[0].id, CHUNKS[2].id]


def test_an_address_of_no_known_store_names_those_there_are(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match=r"MILVUS_URI: chroma:// .*http://"),
        open_store(environment(tmp_path, "chroma://x")),
    ):
        pass


def test_a_model_with_a_colon_that_no_embedding_has_is_one_of_the_endpoint(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        connect_embedder(
            EmbeddingSettings(model="llama3:8b"), Environment(_env_file=None, openai_api_key=None, openai_base_url=None)
        )  # type: ignore[call-arg]
