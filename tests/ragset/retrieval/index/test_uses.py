"""Runs that work with an index while others change it."""

import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ragset.retrieval.fusion import Hit
from ragset.retrieval.index import Index, build_index, open_index
from ragset.retrieval.index.uses import in_use, let_go, mark_used
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import ChunkingSettings
from ragset.text.words import tokenise
from tests.ragset.retrieval.index.test_build import Counting, corpus
from tests.ragset.retrieval.sparse_store import sparse_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[VectorStore]:
    with sparse_store(tmp_path) as opened:
        yield opened


def build(
    home: Path, store: VectorStore, documents: str, embedder: Counting | None = None, *, keep: bool = True
) -> Index:
    return build_index(
        corpus(documents),
        corpus="brewing",
        chunking=ChunkingSettings(),
        embedder=embedder or Counting(),
        home=home,
        store=store,
        keep=keep,
    )


def reopened(index: Index, home: Path) -> Index:
    """As a task of the run opens it."""
    found = open_index(home, index.folder.name, index.meta.digest)
    return replace(found, stored_as=index.stored_as)


def nearest(index: Index, store: VectorStore) -> list[list[Hit]]:
    return store.search_dense(index.collection, np.asarray(index.vectors), 3)


def by_words(index: Index, store: VectorStore) -> list[Hit]:
    return store.search_sparse(index.collection, [index.statistics.query_weights(tokenise("tea of a"))], 50)[0]


def check(index: Index, store: VectorStore) -> None:
    """Both kinds of search find chunks of this generation, all of them, and no others."""
    assert store.count(index.collection) == len(index)
    assert store.existing(index.collection, index.ids) == set(index.ids)
    assert [hits[0].score for hits in nearest(index, store)] == pytest.approx([1.0] * len(index), abs=1e-5)
    assert {hit.id for hit in by_words(index, store)} == set(index.ids)


def collections(store: VectorStore) -> list[str]:
    return sorted(store._connection.client.list_collections())  # pyright: ignore[reportPrivateUsage, reportOptionalMemberAccess]


@pytest.mark.parametrize("later", ["abc", "a", "cd", "xyz", "abcdefgh"])
def test_a_run_goes_on_with_its_chunks_whatever_is_indexed_meanwhile(
    tmp_path: Path, store: VectorStore, later: str
) -> None:
    mine = build(tmp_path, store, "ab")
    near, words, texts = nearest(mine, store), by_words(mine, store), [chunk.text for chunk in mine.chunks(range(8))]
    other = build(tmp_path, store, later)
    again = reopened(mine, tmp_path)
    assert (again.ids, [chunk.text for chunk in again.chunks(range(8))]) == (mine.ids, texts)
    assert nearest(again, store) == near
    assert by_words(again, store) == words
    check(other, store)
    assert other.collection != mine.collection


def test_what_nobody_works_with_is_changed_in_place_and_not_kept(tmp_path: Path, store: VectorStore) -> None:
    build(tmp_path, store, "ab", keep=False)
    index = build(tmp_path, store, "abc", keep=False)
    check(index, store)
    assert collections(store) == [index.folder.name]
    assert len(list(index.folder.glob("chunks-*"))) == 1


def test_when_all_have_ended_one_collection_and_one_generation_are_left(tmp_path: Path, store: VectorStore) -> None:
    made = [build(tmp_path, store, documents) for documents in ("ab", "abc", "bcd")]
    folder = made[0].folder
    assert len(collections(store)) == len(list(folder.glob("vectors-*"))) == 3
    for index in made:
        check(reopened(index, tmp_path), store)
        let_go(folder, index.meta.digest)
    last = build(tmp_path, store, "bcde", keep=False)
    check(last, store)
    assert collections(store) == [last.collection] == [folder.name]
    assert {path.name for path in folder.iterdir() if path.is_file()} == {
        "lock",
        "meta.json",
        f"stored-{store.digest}.json",
        *(
            f"{kind}-{last.meta.digest}.{end}"
            for kind, end in (("chunks", "parquet"), ("vectors", "npy"), ("bm25", "npz"))
        ),
    }
    assert list((folder / "uses").iterdir()) == []


def test_what_an_ended_run_kept_goes_with_the_next_even_if_that_changes_nothing(
    tmp_path: Path, store: VectorStore
) -> None:
    ended = build(tmp_path, store, "ab")
    build(tmp_path, store, "abc", keep=False)
    let_go(ended.folder, ended.meta.digest)
    index = build(tmp_path, store, "abc", keep=False)
    assert index.report.kept == len(index)
    assert len(list(index.folder.glob("chunks-*"))) == len(collections(store)) == 1
    check(index, store)


def test_runs_on_the_same_chunks_share_files_and_collection(tmp_path: Path, store: VectorStore) -> None:
    first = build(tmp_path, store, "ab")
    build(tmp_path, store, "abc")
    second = build(tmp_path, store, "abc")
    assert second.stored_as
    assert len(collections(store)) == 2
    assert build(tmp_path, store, "ab").collection == first.collection
    assert len(collections(store)) == 2
    check(second, store)


def test_what_a_killed_process_kept_is_free(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from ragset.retrieval.index.uses import mark_used\n"
        f"mark_used(Path({str(tmp_path)!r}), 'abc'); print('kept', flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "kept\n"
        assert in_use(tmp_path) == {"abc"}
        process.kill()
        process.wait()
    assert in_use(tmp_path) == set()
    assert list((tmp_path / "uses").iterdir()) == []


def test_keeping_twice_is_keeping_once(tmp_path: Path) -> None:
    assert in_use(tmp_path) == set()
    for _ in range(2):
        mark_used(tmp_path, "abc")
    let_go(tmp_path, "abc")
    let_go(tmp_path, "abc")
    assert in_use(tmp_path) == set()


@pytest.mark.parametrize("seed", range(2))
def test_in_whatever_order_runs_come_and_go_each_finds_its_own(tmp_path: Path, store: VectorStore, seed: int) -> None:
    luck = random.Random(seed)
    going: dict[str, Index] = {}
    for _ in range(12):
        if going and luck.random() < 0.4:
            ended = going.pop(luck.choice(sorted(going)))
            let_go(ended.folder, ended.meta.digest)
        documents = "".join(sorted(luck.sample("abcde", luck.randint(1, 3))))
        going[documents] = build(tmp_path, store, documents)
        for index in going.values():
            check(reopened(index, tmp_path), store)
    assert len(collections(store)) == len(going)
