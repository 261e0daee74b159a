from pathlib import Path

import numpy as np
import pytest

from ragset.errors import InputError, StoreError
from ragset.models import Chunk
from ragset.retrieval.bm25 import Statistics
from ragset.retrieval.index.files import Index, Meta, collection_name, open_index, write_meta
from ragset.retrieval.index.table import write_chunks
from ragset.retrieval.index.uses import let_go, mark_used


def chunks(count: int = 3) -> list[Chunk]:
    return [Chunk(doc_id="d", start=i * 10, end=i * 10 + 5, text=f"tea{i:02}") for i in range(count)]


def written(home: Path) -> Index:
    folder = home / "collections" / "c"
    folder.mkdir(parents=True)
    keys = write_chunks(folder / "partial", chunks())
    digest = keys.digest
    (folder / "partial").replace(folder / f"chunks-{digest}.parquet")
    np.save(folder / f"vectors-{digest}.npy", np.eye(3, dtype=np.float32))
    Statistics.of(chunk.text for chunk in chunks()).save(folder / f"bm25-{digest}.npz")
    meta = Meta(corpus="x", chunking="y", embedding="z", embedded_by="z", rows=3, dimensions=3, digest=digest)
    write_meta(folder, meta)
    return open_index(home, "c")


def test_an_index_opens_as_it_was_written(tmp_path: Path) -> None:
    index = written(tmp_path)
    assert index.ids == ["d:0-5", "d:10-15", "d:20-25"]
    assert index.doc_ids == ["d", "d", "d"]
    assert index.chars.tolist() == [5, 5, 5]
    assert index.rows["d:10-15"] == 1
    assert index.statistics.count == 3
    assert len(index) == 3


def test_vectors_are_mapped_and_not_loaded(tmp_path: Path) -> None:
    assert isinstance(written(tmp_path).vectors, np.memmap)


def test_chunks_are_read_in_the_order_asked_for(tmp_path: Path) -> None:
    index = written(tmp_path)
    assert [chunk.text for chunk in index.chunks([2, 0, 2])] == ["tea02", "tea00", "tea02"]
    assert index.chunks([1])[0] == chunks()[1]


def test_of_chunks_with_the_same_score_the_first_by_id_are_found_after_the_better_ones(tmp_path: Path) -> None:
    folder = tmp_path / "collections" / "c"
    folder.mkdir(parents=True)
    texts = ["tea"] * 12 + ["tea tea"]  # starts 0, 10 ... 120; by id "d:100-105" comes before "d:20-25"
    members = [Chunk(doc_id="d", start=10 * n, end=10 * n + 5, text=text) for n, text in enumerate(texts)]
    keys = write_chunks(folder / "chunks-x.parquet", members)
    Statistics.of(texts).save(folder / "bm25-x.npz")
    meta = Meta(corpus="x", chunking="y", embedding="z", embedded_by="z", rows=13, dimensions=1, digest="x")
    index = Index(**vars(keys), folder=folder, meta=meta, vectors=np.ones((13, 1), dtype=np.float32))
    weights = index.statistics.query_weights(["tea"])
    found, nothing = index.search_words([weights, {}], 4)
    assert [hit.id for hit in found] == ["d:120-125", "d:0-5", "d:10-15", "d:100-105"]
    assert found[0].score > found[1].score == found[3].score
    assert nothing == []
    assert len(index.search_words([weights], 99)[0]) == 13


def test_other_chunks_in_the_place_of_an_index_s_are_an_error_that_names_the_file(tmp_path: Path) -> None:
    index = written(tmp_path)
    write_chunks(index.chunk_file, [chunk.model_copy(update={"doc_id": "other"}) for chunk in chunks()])
    with pytest.raises(StoreError, match=r"chunks-.*\.parquet: was changed while a run read it; index"):
        index.chunks([1])[0]


def test_a_row_that_does_not_exist_is_an_index_error(tmp_path: Path) -> None:
    with pytest.raises(IndexError):
        written(tmp_path).chunks([3])[0]


def test_no_index_yet_says_to_index(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no index yet"):
        open_index(tmp_path, "c")


@pytest.mark.parametrize("kind", ["chunks", "vectors", "bm25"])
def test_a_missing_file_is_named(tmp_path: Path, kind: str) -> None:
    next(written(tmp_path).folder.glob(f"{kind}-*")).unlink()
    with pytest.raises(StoreError, match=rf"{kind}-\w+\.\w+ is missing"):
        open_index(tmp_path, "c")


@pytest.mark.parametrize("kind", ["chunks", "vectors", "meta"])
def test_a_damaged_file_says_to_index_again(tmp_path: Path, kind: str) -> None:
    next(written(tmp_path).folder.glob(f"{kind}*")).write_bytes(b"{}")
    with pytest.raises(StoreError, match="index the documents again"):
        open_index(tmp_path, "c")


def test_vectors_of_another_generation_are_refused(tmp_path: Path) -> None:
    index = written(tmp_path)
    np.save(next(index.folder.glob("vectors-*")), np.eye(4, dtype=np.float32))
    with pytest.raises(StoreError, match="do not belong together"):
        open_index(tmp_path, "c")


def test_a_new_generation_removes_the_files_of_the_old(tmp_path: Path) -> None:
    index = written(tmp_path)
    write_meta(index.folder, index.meta.model_copy(update={"digest": "0" * 16}))
    assert [path.name for path in index.folder.iterdir()] == ["meta.json"]


def test_an_earlier_generation_that_somebody_works_with_opens_as_it_was(tmp_path: Path) -> None:
    index = written(tmp_path)
    mark_used(index.folder, index.meta.digest)
    write_meta(index.folder, index.meta.model_copy(update={"digest": "0" * 16}), index.meta)
    assert open_index(tmp_path, "c", index.meta.digest).meta == index.meta
    with pytest.raises(StoreError, match=r"is missing"):
        open_index(tmp_path, "c")  # of the new one nothing was written here but its name
    let_go(index.folder, index.meta.digest)
    write_meta(index.folder, index.meta.model_copy(update={"digest": "1" * 16}))
    assert [path.name for path in index.folder.iterdir() if path.is_file()] == ["meta.json"]


def test_a_generation_that_is_not_kept_is_told(tmp_path: Path) -> None:
    written(tmp_path)
    with pytest.raises(StoreError, match=r"has other chunks now \(3\); index the documents again"):
        open_index(tmp_path, "c", "f" * 16)


def test_collection_names_are_legal_and_readable() -> None:
    name = collection_name("Brewing guide", "recursive-256-0-tokens", "org/model:7b")
    assert name.startswith("ragset_Brewing_guide_recursive_256_0_tokens_org_model_7b_")
    assert name.replace("_", "").isalnum()
    assert name.isascii()


def test_names_that_read_the_same_are_told_apart() -> None:
    assert collection_name("a-b", "c", "d") != collection_name("a_b", "c", "d")


def test_long_names_fit() -> None:
    assert len(collection_name("x" * 500, "y", "z")) <= 255
