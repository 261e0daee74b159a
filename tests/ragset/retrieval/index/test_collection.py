import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from ragset.retrieval.index import Index, build_index, open_index
from ragset.retrieval.index.collection import ignore_progress, write_collection
from ragset.retrieval.stores import open_store
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import ChunkingSettings, Environment
from ragset.text.words import tokenise
from tests.ragset.retrieval.index.test_build import Counting, chunk, corpus
from tests.ragset.retrieval.sparse_store import sparse_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[VectorStore]:
    with sparse_store(tmp_path) as made:
        yield made


def build(home: Path, store: VectorStore, documents: str = "abc", words: str = "green tea") -> Index:
    chunks = [
        chunk(document, place, words if document == documents[-1] else "green tea")
        for document in documents
        for place in range(4)
    ]
    return build_index(
        chunks, corpus="brewing", chunking=ChunkingSettings(), embedder=Counting(), home=home, store=store
    )


def best(index: Index, store: VectorStore, words: str) -> list[tuple[str, float]]:
    found = store.search_sparse(index.collection, [index.statistics.query_weights(tokenise(words))], 20)[0]
    return [(hit.id, round(hit.score, 5)) for hit in found]


def test_a_deleted_database_is_filled_again_from_the_files(tmp_path: Path) -> None:
    with sparse_store(tmp_path) as store:
        index = build(tmp_path, store)
    shutil.rmtree(tmp_path / "milvus.db")
    with sparse_store(tmp_path) as store:
        opened_again = open_index(tmp_path, index.collection)
        write_collection(store, opened_again, opened_again)
        assert store.count(index.collection) == 12


def test_an_intact_collection_is_not_written_again_by_the_next_process(tmp_path: Path) -> None:
    with sparse_store(tmp_path) as store:
        mark = next(build(tmp_path, store).folder.glob("stored-*.json"))
    before = mark.stat().st_mtime_ns
    with sparse_store(tmp_path) as store:
        index = build(tmp_path, store)
        assert len(store.search_dense(index.collection, np.asarray(index.vectors), 1)) == 12
    assert mark.stat().st_mtime_ns == before


def test_a_document_more_is_added_by_the_next_process(tmp_path: Path) -> None:
    with sparse_store(tmp_path) as store:
        build(tmp_path, store, "ab")
    with sparse_store(tmp_path) as store:
        index = build(tmp_path, store, "abc")
        assert store.existing(index.collection, index.ids) == set(index.ids)


def test_a_damaged_collection_is_written_again(tmp_path: Path) -> None:
    with sparse_store(tmp_path) as store:
        index = build(tmp_path, store)
    for path in (tmp_path / "milvus.db").rglob("*.parquet"):
        path.write_bytes(b"damaged")
    with sparse_store(tmp_path) as store:
        write_collection(store, index, index)
        assert store.existing(index.collection, index.ids) == set(index.ids)
        assert store.count(index.collection) == 12


def test_lost_rows_are_noticed_and_the_collection_is_written_again(tmp_path: Path, store: VectorStore) -> None:
    index = build(tmp_path, store)
    store.delete(index.collection, index.ids[3:5])
    write_collection(store, index, index)
    assert store.existing(index.collection, index.ids) == set(index.ids)


def test_foreign_rows_in_the_place_of_ours_are_noticed(tmp_path: Path, store: VectorStore) -> None:
    index = build(tmp_path, store)
    other = build(tmp_path / "other", store, "xyz")  # the same collection, as seen from another home
    assert other.collection == index.collection
    write_collection(store, index, index)
    assert store.existing(index.collection, index.ids) == set(index.ids)
    assert store.count(index.collection) == 12


def test_a_run_killed_while_writing_leaves_no_mark_and_all_is_written_again(tmp_path: Path, store: VectorStore) -> None:
    index = build(tmp_path, store)
    next(index.folder.glob("stored-*.json")).unlink()
    store.upsert(index.collection, [])
    store.delete(index.collection, index.ids[:6])
    write_collection(store, index, index)
    assert store.count(index.collection) == 12


def test_searching_by_words_finds_what_the_files_say_after_every_change(tmp_path: Path, store: VectorStore) -> None:
    build(tmp_path, store, "ab")
    grown = build(tmp_path, store, "abc")
    fresh = build_index(
        corpus("abc"),
        corpus="other",
        chunking=ChunkingSettings(),
        embedder=Counting(),
        home=tmp_path,
        store=store,
    )
    assert best(grown, store, "tea of c") == best(fresh, store, "tea of c")


def test_a_moved_typical_length_rewrites_the_weights_of_all_chunks(tmp_path: Path, store: VectorStore) -> None:
    # 6 words a chunk; with the third document of 16 words each (16 + 6 + 6) / 3 = 9.3
    build(tmp_path, store, "ab")
    long = "green tea and a dozen more words that make the chunk quite long"
    grown = build(tmp_path, store, "abc", long)
    assert grown.statistics.typical_length == pytest.approx(9.7, abs=0.5)
    chunks = [chunk(d, p, long if d == "c" else "green tea") for d in "abc" for p in range(4)]
    fresh = build_index(
        chunks, corpus="other", chunking=ChunkingSettings(), embedder=Counting(), home=tmp_path, store=store
    )
    assert best(grown, store, "tea of a") == best(fresh, store, "tea of a")


def test_dense_search_in_milvus_agrees_with_brute_force_over_the_files(tmp_path: Path, store: VectorStore) -> None:
    index = build(tmp_path, store)
    vectors = np.asarray(index.vectors)
    found = store.search_dense(index.collection, vectors, 3)
    scores = vectors @ vectors.T
    for row, hits in enumerate(found):
        expected = np.sort(scores[row])[::-1][:3]
        np.testing.assert_allclose([hit.score for hit in hits], expected, atol=1e-5)


def test_another_milvus_is_filled_from_the_same_files(tmp_path: Path, store: VectorStore) -> None:
    index = build(tmp_path, store)
    uri = str(tmp_path / "second.db")
    with open_store(Environment(_env_file=None, ragset_home=tmp_path, milvus_uri=uri)) as second:  # type: ignore[call-arg]
        write_collection(second, index, index)
        assert second.count(index.collection) == store.count(index.collection) == 12


def test_filling_tells_how_far_it_is_in_steps_of_at_most_a_thousand_rows(tmp_path: Path, store: VectorStore) -> None:
    chunks = [chunk("a", place, "green tea") for place in range(2_500)]
    told: list[tuple[int, int]] = []
    settings, embedder = ChunkingSettings(), Counting()
    build_index(
        chunks,
        corpus="brewing",
        chunking=settings,
        embedder=embedder,
        home=tmp_path,
        store=store,
        filled=lambda done, total: told.append((done, total)),
    )
    assert told == [(0, 2_500), (1_000, 2_500), (2_000, 2_500), (2_500, 2_500)]


def test_a_collection_whose_filling_was_interrupted_is_filled_by_the_next_run(
    tmp_path: Path, store: VectorStore
) -> None:
    def stop(done: int, _total: int) -> None:
        if done == 1_000:
            raise KeyboardInterrupt

    def index(filled: Callable[[int, int], None] = ignore_progress) -> Index:
        chunks = [chunk("a", place, "green tea") for place in range(2_500)]
        return build_index(
            chunks,
            corpus="brewing",
            chunking=ChunkingSettings(),
            embedder=embedder,
            home=tmp_path,
            store=store,
            filled=filled,
        )

    embedder = Counting()
    with pytest.raises(KeyboardInterrupt):
        index(stop)
    embedded = list(embedder.seen)
    whole = index()
    assert store.count(whole.collection) == 2_500
    assert embedder.seen == embedded  # none again
