"""Chunks that another program cut, read from files and from collections of Milvus."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragset.errors import InputError, StoreError
from ragset.retrieval.embedding.given import given_embedder
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.existing import ExistingChunk, read_existing
from ragset.settings import Environment, ExistingChunks
from ragset.settings.lock import locked
from tests.ragset.retrieval.collections import LANG_CHAIN, LLAMA_INDEX, write_lang_chain, write_llama_index

CHUNKS = [("Green tea turns bitter.", "tea.txt", 0), ("Steep it for two minutes.", "tea.txt", 24)]
VECTORS = OfflineEmbedder().embed([text for text, _, _ in CHUNKS])


def read(tmp_path: Path, token: str = "", **settings: Any) -> list[ExistingChunk]:
    env = Environment(_env_file=None, ragset_home=tmp_path / "home", ragset_chunks_token=token)  # type: ignore
    return read_existing(ExistingChunks.model_validate(settings), env)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def lines(path: Path, *records: Any) -> str:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


def test_a_file_has_a_chunk_for_each_line(tmp_path: Path) -> None:
    file = lines(
        tmp_path / "chunks.jsonl",
        {"id": 7, "text": "Green tea.", "document": "tea.txt", "start": 3, "end": 13, "metadata": {"page": 1}},
        {"id": "b", "text": "Steep it."},
    )
    assert read(tmp_path, file=file) == [
        ExistingChunk("7", "Green tea.", "tea.txt", 3, 13),
        ExistingChunk("b", "Steep it."),
    ]


def test_a_parquet_file_is_read_with_fields_that_are_named(tmp_path: Path) -> None:
    import pandas as pd

    rows = [{"key": "a", "body": "Green tea.", "metadata": {"from": "tea.txt"}, "numbers": [0.5, 1.0]}]
    pd.DataFrame(rows).to_parquet(tmp_path / "chunks.parquet")
    fields = {"id": "key", "text": "body", "document": "metadata.from", "vector": "numbers"}
    (chunk,) = read(tmp_path, file=str(tmp_path / "chunks.parquet"), fields=fields)
    assert chunk[:3] == ("a", "Green tea.", "tea.txt")
    assert chunk.vector is not None
    assert chunk.vector.tolist() == [0.5, 1.0]


@pytest.mark.parametrize(
    ("records", "said"),
    [
        (
            [{"id": "a", "txt": "x"}],
            r"line 1: has no field 'text'; name the field in fields\.text \(there are id, txt\)",
        ),
        ([{"text": "x"}], r"line 1: has no field 'id'"),
        ([{"id": "a", "text": 1}], r"line 1: field 'text' is no text"),
        ([{"id": "a", "text": "x"}, {"id": "a", "text": "y"}], "chunk 'a' is there twice"),
        ([["a"]], "line 1 is no object"),
        ([], "there is no chunk"),
    ],
)
def test_what_cannot_be_read_is_named_with_the_mend(tmp_path: Path, records: list[Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(tmp_path, file=lines(tmp_path / "chunks.jsonl", *records))


def test_a_collection_of_llama_index_is_read_as_it_stands_and_left_as_it_was(tmp_path: Path) -> None:
    ids = write_llama_index(tmp_path / "rag.db", CHUNKS, VECTORS)
    before = files_of(tmp_path / "rag.db")
    of = {"milvus": str(tmp_path / "rag.db"), "collection": LLAMA_INDEX}
    found = sorted(read(tmp_path, **of), key=lambda chunk: chunk.id)
    texts = [(text, f"/data/{file}", start, start + len(text)) for text, file, start in CHUNKS]
    assert found == [ExistingChunk(id_, *fields) for id_, fields in zip(ids, texts, strict=True)]
    with_vectors = sorted(read(tmp_path, **of, fields={"vector": "embedding"}), key=lambda chunk: chunk.id)
    np.testing.assert_allclose(np.stack([chunk.vector for chunk in with_vectors if chunk.vector is not None]), VECTORS)
    assert files_of(tmp_path / "rag.db") == before
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("in_one_field", [False, True])
def test_a_collection_of_lang_chain_is_read_as_it_stands(tmp_path: Path, in_one_field: bool) -> None:
    write_lang_chain(tmp_path / "rag.db", CHUNKS, VECTORS, in_one_field=in_one_field)
    found = read(tmp_path, milvus=str(tmp_path / "rag.db"), collection=LANG_CHAIN)
    assert {chunk[1:5] for chunk in found} == {(text, file, at, at + len(text)) for text, file, at in CHUNKS}
    assert len({chunk.id for chunk in found}) == 2


def test_more_rows_than_one_request_brings_all_come(tmp_path: Path) -> None:
    vectors = np.ones((2_500, 4), dtype=np.float32)
    ids = write_llama_index(tmp_path / "rag.db", [(f"Tea {n}.", "tea.txt", 0) for n in range(2_500)], vectors)
    found = read(tmp_path, milvus=str(tmp_path / "rag.db"), collection=LLAMA_INDEX)
    assert sorted(chunk.id for chunk in found) == ids


def test_a_collection_that_is_not_there_or_held_is_named(tmp_path: Path) -> None:
    of = {"milvus": str(tmp_path / "rag.db"), "collection": "other"}
    with pytest.raises(InputError, match=r"rag\.db: there is no such Milvus Lite file"):
        read(tmp_path, **of)
    assert not (tmp_path / "rag.db").exists()
    write_llama_index(tmp_path / "rag.db", CHUNKS, VECTORS)
    with pytest.raises(InputError, match=f"has no collection other; it has {LLAMA_INDEX}"):
        read(tmp_path, **of)
    with pytest.raises(InputError, match="has no field nothing: id, doc_id, text, embedding"):
        read(tmp_path, **{**of, "collection": LLAMA_INDEX}, fields={"vector": "nothing"})
    with locked(tmp_path / "rag.db" / "LOCK"), pytest.raises(StoreError, match="another process holds this"):
        read(tmp_path, **of)
    (tmp_path / "old.db").write_bytes(b"SQLite format 3")
    with pytest.raises(InputError, match="of version 2 it is a single file"):
        read(tmp_path, milvus=str(tmp_path / "old.db"), collection="other")


def test_vectors_are_taken_if_the_embedding_made_them(tmp_path: Path) -> None:
    embedder, texts = OfflineEmbedder(), [text for text, _, _ in CHUNKS]
    asked = given_embedder(embedder, list(zip(texts, 3 * VECTORS, strict=True)))
    np.testing.assert_allclose(asked.embed([texts[1], "Coffee is made hotter.", texts[0]])[[2, 0]], VECTORS, atol=1e-6)
    assert (asked.name, asked.identity == embedder.identity) == (embedder.name, False)
    assert given_embedder(embedder, []) is embedder
    with pytest.raises(
        InputError, match=r"offline-512 did not make the vectors \(mean cosine -1\.00\); name the model"
    ):
        given_embedder(embedder, list(zip(texts, -VECTORS, strict=True)))
    with pytest.raises(InputError, match="vectors have 7 numbers, and offline-512 gives 512"):
        given_embedder(embedder, list(zip(texts, VECTORS[:, :7] + 1, strict=True)))
    with pytest.raises(InputError, match="a vector is zero"):
        given_embedder(embedder, list(zip(texts, 0 * VECTORS, strict=True)))


@pytest.mark.parametrize(
    "settings",
    [{}, {"file": "a.jsonl", "collection": "b"}, {"milvus": "a.db"}, {"collection": "b"}, {"file": "a.csv"}],
)
def test_settings_name_a_file_or_a_collection(settings: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"give a file of chunks, or milvus and collection|is no file of chunks"):
        ExistingChunks.model_validate(settings)
