import numpy as np
import pytest

from ragset.errors import InputError
from ragset.models import Chunk
from ragset.retrieval.milvus.store import MilvusStore, messages
from ragset.retrieval.vector_store import Row


def chunk(start: int, text: str) -> Chunk:
    return Chunk(doc_id="d", start=start, end=start + len(text), text=text)


def row(start: int, text: str) -> Row:
    return Row(chunk(start, text), np.ones(4, dtype=np.float32), {1: 1.0})


def test_a_message_has_at_most_a_thousand_rows() -> None:
    assert [len(batch) for batch in messages(row(i, "tea") for i in range(2_001))] == [1_000, 1_000, 1]


def test_a_message_of_long_texts_has_fewer_rows() -> None:
    # 3 bytes a character: 32 MB / 196.6 kB = 162
    batches = [len(batch) for batch in messages(row(i, "a" * 65_535) for i in range(200))]
    assert batches == [161, 39]


def test_no_rows_make_no_message() -> None:
    assert list(messages([])) == []


def test_a_text_of_exactly_the_limit_fits() -> None:
    assert MilvusStore.check_size(chunk(0, "a" * 65_535)).text.startswith("a")


def test_length_counts_in_bytes_as_on_a_server() -> None:
    with pytest.raises(InputError, match=r"chunk d:0-40000 has 80,000 bytes.*smaller chunk size"):
        MilvusStore.check_size(chunk(0, "é" * 40_000))


def test_a_huge_title_is_cut_in_what_milvus_filters_by() -> None:
    long = chunk(0, "tea").model_copy(update={"title": "t" * 100_000, "headings": ("h" * 100_000,) * 100})
    meta = next(messages([Row(long, np.ones(4), {1: 1.0})]))[0]["meta"]
    assert len(str(meta)) < 16_000
