"""Retrieval over a real collection in Milvus Lite, against the same done with numpy."""

from pathlib import Path

import numpy as np
import pytest

from ragset.models import Chunk
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.fusion import Hit, reciprocal_rank_fusion, weighted_sum
from ragset.retrieval.index import Index, build_index
from ragset.retrieval.search import retrieve
from ragset.retrieval.stores import open_store
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import ChunkingSettings, Environment, RetrievalSettings
from ragset.text.words import tokenise
from tests.ragset.retrieval.sparse_store import sparse_store

TEXTS = [
    "The water clock of Athens ran for six minutes.",
    "An incense clock burns evenly and smells of sandalwood.",
    "The sundial shows the local time of its meridian.",
    "A pendulum of one metre beats seconds.",
    "Water freezes in the clock when the winter is hard.",
]
QUERIES = ["water clock of Athens", "what smells of sandalwood", "xylophone"]


@pytest.fixture(params=["BM25 in memory", "BM25 in the store"])
def built(request: pytest.FixtureRequest, tmp_path: Path):  # noqa: ANN201
    chunks = [
        Chunk(doc_id="d", start=100 * place, end=100 * place + len(text), text=text) for place, text in enumerate(TEXTS)
    ]
    env = Environment(_env_file=None, ragset_home=tmp_path, milvus_uri=None)  # type: ignore[call-arg]
    with sparse_store(tmp_path) if "store" in request.param else open_store(env) as store:
        index = build_index(
            chunks, corpus="c", chunking=ChunkingSettings(), embedder=OfflineEmbedder(), home=tmp_path, store=store
        )
        yield index, store


def ask(built: tuple[Index, VectorStore], **fields: object) -> list[list[Hit]]:
    index, store = built
    vectors = OfflineEmbedder().embed(QUERIES)
    return retrieve(index, store, QUERIES, vectors, RetrievalSettings.model_validate(fields), 3)


def test_dense_is_cosine_and_bm25_only_what_shares_a_word(built: tuple[Index, VectorStore]) -> None:
    index, store = built
    vectors = OfflineEmbedder().embed(QUERIES)
    exact = np.argsort(-(vectors @ np.asarray(index.vectors).T), axis=1)[:, :3]
    found = ask(built, mode="dense")
    assert [[index.rows[hit.id] for hit in hits] for hits in found] == exact.tolist()
    bm25 = retrieve(index, store, QUERIES, None, RetrievalSettings(mode="bm25"), 3)
    assert index.rows[bm25[0][0].id] == 0
    assert index.rows[bm25[1][0].id] == 1
    assert bm25[2] == []


def test_hybrid_fuses_both(built: tuple[Index, VectorStore]) -> None:
    dense, sparse = ask(built, mode="dense"), ask(built, mode="bm25")
    assert ask(built, mode="hybrid") == [reciprocal_rank_fusion(pair, 3) for pair in zip(dense, sparse, strict=True)]
    weighted = ask(built, mode="hybrid", fusion="weights", dense_weight=0.25)
    assert weighted == [weighted_sum(pair, (0.25, 0.75), 3) for pair in zip(dense, sparse, strict=True)]


def test_vectors_have_to_be_those_of_the_queries(built: tuple[Index, VectorStore]) -> None:
    index, store = built
    with pytest.raises(ValueError, match="3 queries, and 0 vectors"):
        retrieve(index, store, QUERIES, None, RetrievalSettings(mode="dense"), 3)
    assert tokenise(QUERIES[2]) == ["xylophone"]


def test_a_weighted_sum_scales_each_ranking_for_itself() -> None:
    # dense: a 1, b 0.5, c 0; sparse: c 1, a 0. At 0.25 and 0.75: c 0.75, a 0.25, b 0.125.
    dense = [Hit("a", 0.9), Hit("b", 0.7), Hit("c", 0.5)]
    sparse = [Hit("c", 12.0), Hit("a", 2.0)]
    found = weighted_sum((dense, sparse), (0.25, 0.75), 9)
    assert [hit.id for hit in found] == ["c", "a", "b"]
    assert [hit.score for hit in found] == pytest.approx([0.75, 0.25, 0.125])
    assert weighted_sum(([Hit("a", 3.0)], []), (0.5, 0.5), 9) == [Hit("a", 0.5)]
    assert weighted_sum(([], []), (0.5, 0.5), 9) == []
