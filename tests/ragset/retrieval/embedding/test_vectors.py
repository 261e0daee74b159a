import numpy as np
import pytest

from ragset.errors import EmbeddingError
from ragset.retrieval.embedding.vectors import Vectors, check_vectors, normalised

IDS = ["d:0-1", "d:1-2", "d:2-3"]


def vectors(row: int | None = None, column: int = 0, value: float = 0.0) -> Vectors:
    made = np.ones((3, 4), dtype=np.float32)
    if row is not None:
        made[row, column] = value
    return made


def test_good_vectors_come_back_as_they_are() -> None:
    made = vectors()
    assert check_vectors(made, IDS, 4) is made


def test_nan_is_refused_with_the_chunks_id() -> None:
    with pytest.raises(EmbeddingError, match=r"chunk d:1-2: .*NaN"):
        check_vectors(vectors(1, 2, float("nan")), IDS, 4)


def test_infinity_is_refused_with_the_chunks_id() -> None:
    with pytest.raises(EmbeddingError, match=r"chunk d:2-3: .*infinite"):
        check_vectors(vectors(2, 0, float("-inf")), IDS, 4)


def test_an_all_zero_vector_is_refused_with_the_chunks_id() -> None:
    made = vectors()
    made[0] = 0
    with pytest.raises(EmbeddingError, match=r"chunk d:0-1: .*zero"):
        check_vectors(made, IDS, 4)


def test_a_wrong_size_is_refused_with_the_chunks_id() -> None:
    with pytest.raises(EmbeddingError, match=r"chunk d:0-1: .*4 numbers.*index has 8"):
        check_vectors(vectors(), IDS, 8)


def test_too_few_vectors_are_refused() -> None:
    with pytest.raises(EmbeddingError, match="3 chunks from d:0-1 on"):
        check_vectors(vectors()[:2], IDS, 4)


def test_rows_are_brought_to_length_one() -> None:
    # 3-4-5 triangle
    assert normalised(np.array([[3.0, 4.0]])).tolist() == [[pytest.approx(0.6), pytest.approx(0.8)]]


def test_rows_without_a_length_stay_for_the_check_to_find() -> None:
    made = normalised(np.array([[0.0, 0.0], [np.nan, 1.0]]))
    assert made[0].tolist() == [0.0, 0.0]
    assert np.isnan(made[1]).any()
