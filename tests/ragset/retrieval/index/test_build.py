from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragset.errors import EmbeddingError, InputError, StoreError
from ragset.llm.journal import Journal
from ragset.models import Chunk
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.embedding.requests import Answer
from ragset.retrieval.embedding.stored import EmbeddingStore, StoredEmbedder
from ragset.retrieval.embedding.vectors import Vectors
from ragset.retrieval.index import Index, build_index
from ragset.retrieval.index.files import META
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import ChunkingSettings
from ragset.settings.lock import locked
from tests.ragset.retrieval.sparse_store import sparse_store

DIMENSIONS = 16


class Counting(OfflineEmbedder):
    """The offline embedding, with what it was asked for; may fail after some texts, or spoil one."""

    def __init__(self, *, fail_after: int | None = None, spoil: str | None = None) -> None:
        super().__init__(DIMENSIONS)
        self.seen: list[str] = []
        self.fail_after = fail_after
        self.spoil = spoil

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self.fail_after is not None and len(self.seen) + len(texts) > self.fail_after:
            raise RuntimeError("cut off")
        self.seen.extend(texts)
        vectors = super().embed(texts)
        if self.spoil in texts:
            vectors[list(texts).index(self.spoil)] = 0
        return vectors


def chunk(document: str, place: int, words: str = "green tea") -> Chunk:
    text = f"{words} of {document} at {place}"
    return Chunk(doc_id=document, start=place * 100, end=place * 100 + len(text), text=text, title=f"On {document}")


def corpus(documents: str = "abc", size: int = 4) -> list[Chunk]:
    return [chunk(document, place) for document in documents for place in range(size)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[VectorStore]:
    with sparse_store(tmp_path) as opened:
        yield opened


class Builder:
    """`build_index` with everything but the chunks filled in."""

    def __init__(self, home: Path, store: VectorStore) -> None:
        self.home = home
        self.store = store

    def __call__(self, chunks: Any, embedder: OfflineEmbedder | None = None, **options: Any) -> Index:
        return build_index(
            chunks,
            corpus="brewing",
            chunking=ChunkingSettings(),
            embedder=embedder or Counting(),
            home=self.home,
            store=self.store,
            **options,
        )


@pytest.fixture
def build(tmp_path: Path, store: VectorStore) -> Builder:
    return Builder(tmp_path, store)


def report(index: Index) -> dict[str, int]:
    return index.report.model_dump()


def test_every_chunk_is_in_the_files_and_in_the_collection(build: Builder, store: VectorStore) -> None:
    chunks = corpus()
    index = build(chunks)
    assert index.chunks(list(range(12))) == chunks
    assert store.count(index.collection) == 12
    assert store.existing(index.collection, index.ids) == set(index.ids)
    assert report(index) == {"added": 12, "kept": 0, "removed": 0}


def test_rows_are_in_order_whatever_order_the_chunks_came_in(build: Builder) -> None:
    chunks = corpus(size=12)  # place 11 sorts after place 2, as a number and not as text
    assert build(chunks[::-1]).ids == [item.id for item in chunks]


def test_chunks_that_come_one_at_a_time_come_in_the_order_of_their_documents(build: Builder) -> None:
    assert build(iter(corpus("ab"))).ids == [item.id for item in corpus("ab")]
    with pytest.raises(ValueError, match="document a comes after b"):
        build(iter(corpus("ba")))


def test_vectors_stand_row_for_row_with_the_ids(build: Builder) -> None:
    index = build(corpus()[::-1])
    expected = OfflineEmbedder(DIMENSIONS).embed([item.text for item in index.chunks(list(range(12)))])
    np.testing.assert_array_equal(index.vectors, expected)


def test_a_repeated_chunk_counts_once(build: Builder) -> None:
    assert len(build([*corpus(), *corpus()])) == 12


def test_indexing_again_embeds_nothing_and_changes_no_file(build: Builder) -> None:
    # META's time says when the index was used
    first = build(corpus())
    before = {path.name: path.stat().st_mtime_ns for path in first.folder.iterdir() if path.name != META}
    embedder = Counting()
    second = build(corpus(), embedder)
    assert embedder.seen == []
    assert report(second) == {"added": 0, "kept": 12, "removed": 0}
    assert {path.name: path.stat().st_mtime_ns for path in first.folder.iterdir() if path.name != META} == before


def test_a_new_document_is_embedded_and_the_others_are_kept(build: Builder, store: VectorStore) -> None:
    build(corpus("ac"))
    embedder = Counting()
    index = build(corpus("abc"), embedder)
    assert embedder.seen == [item.text for item in corpus("b")]
    assert report(index) == {"added": 4, "kept": 8, "removed": 0}
    assert store.existing(index.collection, index.ids) == set(index.ids)
    expected = OfflineEmbedder(DIMENSIONS).embed([item.text for item in corpus("abc")])
    np.testing.assert_array_equal(index.vectors, expected)


def test_what_left_the_corpus_leaves_the_files_and_the_collection(build: Builder, store: VectorStore) -> None:
    gone = build(corpus("abc")).ids[4:8]
    index = build(corpus("ac"))
    assert report(index) == {"added": 0, "kept": 8, "removed": 4}
    assert set(gone).isdisjoint(index.ids)
    assert store.count(index.collection) == 8
    assert store.existing(index.collection, gone) == set()


def test_a_changed_title_is_taken_over_without_embedding(build: Builder) -> None:
    build(corpus())
    renamed = [item.model_copy(update={"title": "New"}) if item.doc_id == "b" else item for item in corpus()]
    embedder = Counting()
    index = build(renamed, embedder)
    assert embedder.seen == []
    assert index.chunks([4])[0].title == "New"


def test_an_index_grown_bit_by_bit_is_the_one_built_at_once(build: Builder, store: VectorStore, tmp_path: Path) -> None:
    build(corpus("b"))
    build(corpus("ab"))
    grown = build(corpus("abc"))
    at_once = Builder(tmp_path / "other", store)(corpus("abc"))
    names = [
        "meta.json",
        grown.chunk_file.name,
        f"vectors-{grown.meta.digest}.npy",
        f"bm25-{grown.meta.digest}.npz",
    ]
    for name in names:
        assert (grown.folder / name).read_bytes() == (at_once.folder / name).read_bytes(), name


def test_only_the_current_generation_stays_on_disk(build: Builder) -> None:
    build(corpus("ab"))
    folder = build(corpus("abc")).folder
    kinds = sorted(path.name.partition("-")[0] for path in folder.iterdir())
    assert kinds == ["bm25", "chunks", "lock", "meta.json", "stored", "vectors"]


class Free(Counting):
    """The same, as a model whose vectors are kept: offline ones cost less than a look into the store."""

    model = "local:free"
    batch_size = 128

    def ask(self, texts: Sequence[str]) -> Answer:
        return Answer(self.embed(texts))


def test_an_interrupted_run_goes_on_where_it_stopped(build: Builder, tmp_path: Path) -> None:
    chunks = corpus("a", size=1_500)
    journal = Journal(tmp_path / "journal.sqlite")
    cut_off, again = Free(fail_after=1_024), Free()
    with pytest.raises(RuntimeError, match="cut off"):
        build(chunks, StoredEmbedder(cut_off, EmbeddingStore(journal, "free"), None))
    index = build(chunks, StoredEmbedder(again, EmbeddingStore(journal, "free"), None))
    assert sorted([*cut_off.seen, *again.seen]) == sorted(item.text for item in chunks)
    assert report(index) == {"added": 1_500, "kept": 0, "removed": 0}
    expected = OfflineEmbedder(DIMENSIONS).embed([item.text for item in index.chunks(range(1_500))])
    np.testing.assert_array_equal(index.vectors, expected)
    assert not (index.folder / "vectors.partial").exists()
    journal.close()


def test_progress_is_told_from_what_is_there_to_the_end(build: Builder) -> None:
    told: list[tuple[int, int]] = []
    build(corpus("a", size=600), progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 600), (512, 600), (600, 600)]


def test_a_vector_that_cannot_be_stored_names_its_chunk(build: Builder) -> None:
    spoilt = corpus()[5]
    with pytest.raises(EmbeddingError, match=f"chunk {spoilt.id}: its vector is all zero"):
        build(corpus(), Counting(spoil=spoilt.text))


def test_a_failed_run_leaves_the_index_before_it_as_it_was(build: Builder, store: VectorStore) -> None:
    before = build(corpus("a"))
    with pytest.raises(RuntimeError):
        build(corpus("abc"), Counting(fail_after=0))
    after = build(corpus("a"))
    assert report(after)["kept"] == 4
    assert after.meta == before.meta
    assert store.count(after.collection) == 4


def test_no_chunks_are_an_error_that_keeps_the_index(build: Builder) -> None:
    build(corpus())
    with pytest.raises(InputError, match="brewing: there are no chunks"):
        build([])
    assert report(build(corpus()))["kept"] == 12


def test_a_chunk_too_long_for_milvus_is_refused_before_anything_is_embedded(build: Builder) -> None:
    long = Chunk(doc_id="z", start=0, end=70_000, text="a" * 70_000)
    embedder = Counting()
    with pytest.raises(InputError, match=r"chunk z:0-70000 .*smaller chunk size"):
        build([*corpus(), long], embedder)
    assert embedder.seen == []


@pytest.mark.parametrize("kind", ["chunks", "vectors", "bm25"])
def test_damaged_files_are_made_again(build: Builder, kind: str) -> None:
    index = build(corpus())
    next(index.folder.glob(f"{kind}-*")).write_bytes(b"damaged") if kind != "bm25" else next(
        index.folder.glob("bm25-*")
    ).unlink()
    assert report(build(corpus())) == {"added": 12, "kept": 0, "removed": 0}


def test_a_second_run_on_the_same_index_is_refused(build: Builder) -> None:
    folder = build(corpus()).folder
    with locked(folder / "lock"), pytest.raises(StoreError, match="another run"):
        build(corpus())


def test_the_corpus_hash_is_kept_and_follows_the_corpus(build: Builder) -> None:
    assert build(corpus(), corpus_hash="one").meta.corpus_hash == "one"
    assert build(corpus(), corpus_hash="two").meta.corpus_hash == "two"
