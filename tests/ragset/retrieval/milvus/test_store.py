import subprocess
import sys
import textwrap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from ragset.errors import InputError, StoreError
from ragset.models import Chunk
from ragset.retrieval.bm25 import Statistics
from ragset.retrieval.embedding.vectors import Vectors, normalised
from ragset.retrieval.fusion import reciprocal_rank_fusion
from ragset.retrieval.milvus.store import MilvusStore, open_milvus
from ragset.retrieval.stores import open_store
from ragset.retrieval.vector_store import Row
from ragset.settings import Environment
from ragset.text.words import tokenise
from tests.ragset.retrieval.sparse_store import sparse_store

TEXTS = ["green tea", "black tea and milk", "coffee", "water"]
IDS = ["d0:0-9", "d1:0-18", "d2:0-6", "d3:0-5"]
STATISTICS = Statistics.of(TEXTS)
AXES = np.eye(4, dtype=np.float32)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MilvusStore]:
    home = tmp_path_factory.mktemp("home")
    with sparse_store(home) as opened:
        yield opened


def rows(vectors: Vectors = AXES) -> list[Row]:
    return [
        Row(
            Chunk(doc_id=f"d{i}", start=0, end=len(text), text=text, title=f"Title {i}"),
            vectors[i],
            STATISTICS.document_weights(tokenise(text)),
        )
        for i, text in enumerate(TEXTS)
    ]


@pytest.fixture
def filled(store: MilvusStore) -> Iterator[str]:
    store.create("filled", 4)
    store.upsert("filled", rows())
    store.load("filled")
    yield "filled"
    store.drop("filled")


def test_all_rows_written_are_counted(store: MilvusStore, filled: str) -> None:
    assert store.count(filled) == 4


def test_writing_a_row_again_replaces_it(store: MilvusStore, filled: str) -> None:
    store.upsert(filled, rows()[:2])
    assert store.count(filled) == 4


def test_deleted_rows_are_gone_from_counts_and_searches(store: MilvusStore, filled: str) -> None:
    store.delete(filled, [IDS[0], "unknown"])
    assert store.count(filled) == 3
    assert IDS[0] not in [hit.id for hit in store.search_dense(filled, AXES[:1], 4)[0]]


def test_existing_ids_are_told_from_unknown_ones(store: MilvusStore, filled: str) -> None:
    assert store.existing(filled, [IDS[2], "unknown"]) == {IDS[2]}


def test_the_nearest_by_cosine_comes_first(store: MilvusStore, filled: str) -> None:
    # (3, 4, 0, 0) / 5: cosines 0.6 and 0.8
    query = np.array([[3, 4, 0, 0]], dtype=np.float32)
    found = store.search_dense(filled, query, 2)[0]
    assert [(hit.id, round(hit.score, 5)) for hit in found] == [(IDS[1], 0.8), (IDS[0], 0.6)]


def test_equal_scores_stand_in_the_order_of_ids(store: MilvusStore, filled: str) -> None:
    found = store.search_dense(filled, np.ones((1, 4), dtype=np.float32), 4)[0]
    assert [hit.id for hit in found] == IDS


def test_each_query_of_a_large_batch_has_its_own_hits(store: MilvusStore, filled: str) -> None:
    queries = np.tile(AXES, (300, 1))  # 1,200 queries: two requests
    found = store.search_dense(filled, queries, 1)
    assert [hits[0].id for hits in found] == IDS * 300


def test_sparse_scores_are_the_bm25_of_the_statistics(store: MilvusStore, filled: str) -> None:
    query = STATISTICS.query_weights(["tea", "milk"])
    expected = {
        key: score
        for key, text in zip(IDS, TEXTS, strict=True)
        if (score := sum(query.get(t, 0) * w for t, w in STATISTICS.document_weights(tokenise(text)).items()))
    }
    found = dict(store.search_sparse(filled, [query], 4)[0])
    assert found == pytest.approx(expected, rel=1e-5)


def test_a_query_without_known_words_finds_nothing_beside_others_that_do(store: MilvusStore, filled: str) -> None:
    found = store.search_sparse(filled, [{}, STATISTICS.query_weights(["coffee"]), {}], 4)
    assert [[hit.id for hit in hits] for hits in found] == [[], [IDS[2]], []]


def test_hybrid_agrees_with_the_fusion_of_milvus(store: MilvusStore, filled: str) -> None:
    from pymilvus import AnnSearchRequest, RRFRanker

    query, weights = normalised(np.array([[1.0, 2.0, 3.0, 0.5]])), STATISTICS.query_weights(["milk", "tea"])
    ours = reciprocal_rank_fusion(
        (store.search_dense(filled, query, 4)[0], store.search_sparse(filled, [weights], 4)[0]), 4
    )
    theirs = store._connection.client.hybrid_search(  # pyright: ignore[reportPrivateUsage]
        filled,
        [
            AnnSearchRequest([query[0]], "dense", {"metric_type": "COSINE"}, limit=4),
            AnnSearchRequest([weights], "bm25", {"metric_type": "IP"}, limit=4),
        ],
        RRFRanker(60),
        limit=4,
    )[0]
    assert dict(ours) == pytest.approx({hit["id"]: hit["distance"] for hit in theirs}, rel=1e-5)
    assert [hit.id for hit in ours][:2] == [hit["id"] for hit in theirs][:2]


@pytest.mark.parametrize("limit", [0, 16_385])
def test_more_hits_than_a_server_gives_are_refused(store: MilvusStore, filled: str, limit: int) -> None:
    with pytest.raises(InputError, match="top-k"):
        store.search_dense(filled, AXES, limit)


def test_creating_a_collection_again_empties_it(store: MilvusStore, filled: str) -> None:
    store.create(filled, 2)
    store.load(filled)
    assert store.count(filled) == 0


def test_a_text_without_words_is_stored_and_never_found_by_words(store: MilvusStore, filled: str) -> None:
    symbols = Chunk(doc_id="d9", start=0, end=3, text="***")
    store.upsert(filled, [Row(symbols, AXES[0], STATISTICS.document_weights([]))])
    assert store.count(filled) == 5
    assert len(store.search_sparse(filled, [STATISTICS.query_weights(["coffee"])], 5)[0]) == 1


def test_vectors_of_another_size_are_a_clear_error(store: MilvusStore, filled: str) -> None:
    with pytest.raises(StoreError, match="search collection filled"):
        store.search_dense(filled, np.ones((1, 3), dtype=np.float32), 1)


def test_an_unknown_collection_is_a_clear_error(store: MilvusStore) -> None:
    with pytest.raises(StoreError, match="count collection nothing"):
        store.count("nothing")


def test_an_error_is_raised_and_not_logged_as_well(tmp_path: Path) -> None:
    program = f"""
        from pathlib import Path
        from ragset.errors import StoreError
        from ragset.settings import Environment
        from ragset.retrieval.stores import open_store
        home = Path({str(tmp_path)!r})
        with open_store(Environment(_env_file=None, ragset_home=home, milvus_uri=None)) as store:
            try:
                store.count("nothing")
            except StoreError as error:
                print(error)
    """
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("Milvus could not count collection nothing")
    assert run.stderr == ""


def test_what_was_written_is_there_after_opening_again(tmp_path: Path) -> None:
    env = Environment(_env_file=None, ragset_home=tmp_path, milvus_uri=None)  # type: ignore[call-arg]
    with open_store(env) as store:
        store.create("kept", 4)
        store.upsert("kept", rows())
    with open_store(env) as store:
        store.load("kept")
        assert store.has("kept")
        assert store.search_dense("kept", AXES[2:3], 1)[0][0].id == IDS[2]


def test_those_who_open_a_collection_together_can_all_search_it(tmp_path: Path) -> None:
    env = Environment(_env_file=None, ragset_home=tmp_path, milvus_uri=None)  # type: ignore[call-arg]
    with open_store(env) as store:
        store.create("shared", 4)
        store.upsert("shared", rows())

    def nearest(place: int) -> str:
        with open_store(env) as store:
            store.load("shared")
            return store.search_dense("shared", AXES[place : place + 1], 1)[0][0].id

    with open_store(env), ThreadPoolExecutor(8) as pool:
        assert list(pool.map(nearest, [0, 1, 2, 3] * 4)) == IDS * 4


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = open_milvus(Environment(_env_file=None, ragset_home=tmp_path, milvus_uri=None))  # type: ignore[call-arg]
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.count("x")
