"""What holds of Milvus Lite holds of a Milvus server, and what a server without sparse vectors cannot do is done in memory."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ragset.models import Chunk
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.index import Index, build_index
from ragset.retrieval.milvus.store import MilvusStore
from ragset.retrieval.search import retrieve
from ragset.retrieval.stores import open_store
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import ChunkingSettings, RetrievalSettings
from tests.engines.milvus.conftest import environment
from tests.ragset.retrieval.milvus.test_store import (  # the same laws, with the `store` of this folder
    filled,
    test_all_rows_written_are_counted,
    test_creating_a_collection_again_empties_it,
    test_deleted_rows_are_gone_from_counts_and_searches,
    test_each_query_of_a_large_batch_has_its_own_hits,
    test_equal_scores_stand_in_the_order_of_ids,
    test_existing_ids_are_told_from_unknown_ones,
    test_the_nearest_by_cosine_comes_first,
    test_writing_a_row_again_replaces_it,
)

__all__ = [
    "filled",
    "test_all_rows_written_are_counted",
    "test_creating_a_collection_again_empties_it",
    "test_deleted_rows_are_gone_from_counts_and_searches",
    "test_each_query_of_a_large_batch_has_its_own_hits",
    "test_equal_scores_stand_in_the_order_of_ids",
    "test_existing_ids_are_told_from_unknown_ones",
    "test_the_nearest_by_cosine_comes_first",
    "test_writing_a_row_again_replaces_it",
]

pytestmark = pytest.mark.engines

QUERIES = ["water clock of town 7", "what the keeper of the sundial earns", "xylophone"]


def chunks(documents: range, words: str = "") -> list[Chunk]:
    subjects = ("water clock", "sundial", "bell")
    texts = {
        f"{document:016x}": [
            f"The {subjects[part % 3]} of town {document} runs {part + 3} hours; its keeper earns {document * part} crowns{words}."
            for part in range(12)
        ]
        for document in documents
    }
    return [
        Chunk(doc_id=doc_id, start=200 * place, end=200 * place + len(text), text=text)
        for doc_id, parts in texts.items()
        for place, text in enumerate(parts)
    ]


def build(store: VectorStore, home: Path, some: list[Chunk]) -> Index:
    return build_index(
        some, corpus="towns", chunking=ChunkingSettings(), embedder=OfflineEmbedder(), home=home, store=store
    )


@pytest.mark.parametrize("mode", ["dense", "bm25"])
def test_a_server_and_milvus_lite_score_alike(store: MilvusStore, tmp_path: Path, mode: str) -> None:
    settings = RetrievalSettings.model_validate({"mode": mode})
    vectors = OfflineEmbedder().embed(QUERIES)

    def scores(one: VectorStore, home: Path) -> Iterator[dict[str, float]]:
        index = build(one, home, chunks(range(20)))
        for hits in retrieve(index, one, QUERIES, vectors, settings, len(index)):
            yield dict(hits)

    assert not store.takes_sparse
    with open_store(environment(tmp_path / "lite", None)) as lite:
        pairs = zip(scores(store, tmp_path / "server"), scores(lite, tmp_path / "lite"), strict=True)
        for ours, theirs in pairs:
            assert ours == pytest.approx(theirs, abs=1e-4)


def test_an_index_that_changes_is_changed_in_place(store: MilvusStore, tmp_path: Path) -> None:
    build(store, tmp_path, chunks(range(20)))
    told: list[int] = []
    after = [*chunks(range(1, 19)), *chunks(range(19, 21), words=" and a house")]
    index = build_index(
        after, corpus="towns", chunking=ChunkingSettings(), embedder=OfflineEmbedder(), home=tmp_path, store=store,
        filled=lambda _done, total: told.append(total),
    )  # fmt: skip
    assert set(told) == {24}  # the chunks of two documents
    assert store.count(index.collection) == 240
    nearest = store.search_dense(index.collection, np.asarray(index.vectors), 1)
    assert [hits[0].id for hits in nearest] == index.ids
