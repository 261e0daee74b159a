import numpy as np
from numpy.typing import NDArray

from ragset.generation.sampling import MOST_TOPICS, topics
from ragset.retrieval.embedding.vectors import Vectors, normalised


def clusters(count: int, size: int, *, noise: float = 0.02) -> tuple[Vectors, NDArray[np.int64]]:
    """`count` far-apart directions, `size` vectors around each, mixed up; with the direction of each."""
    rng = np.random.default_rng(5)
    truth = rng.permutation(np.repeat(np.arange(count), size))
    return normalised(np.eye(count)[truth] + rng.normal(0, noise, (len(truth), count))), truth


def rows(vectors: Vectors) -> NDArray[np.int64]:
    return np.arange(len(vectors), dtype=np.int64)


def test_chunks_of_one_clear_cluster_share_a_topic() -> None:
    # 9 vectors in 3 clusters of 3: sqrt(9) = 3 topics
    vectors, truth = clusters(3, 3)
    labels = topics(vectors, rows(vectors), seed=0)
    for cluster in range(3):
        assert len(set(labels[truth == cluster].tolist())) == 1
    assert len(set(labels.tolist())) == 3


def test_there_are_about_as_many_topics_as_the_square_root_of_chunks() -> None:
    vectors = normalised(np.random.default_rng(0).normal(size=(400, 16)))
    assert len(set(topics(vectors, rows(vectors), seed=0).tolist())) == 20


def test_there_is_a_limit_to_topics() -> None:
    vectors = normalised(np.random.default_rng(0).normal(size=(20_000, 4)))
    assert len(set(topics(vectors, rows(vectors), seed=0).tolist())) <= MOST_TOPICS


def test_the_same_seed_gives_the_same_topics() -> None:
    vectors = normalised(np.random.default_rng(0).normal(size=(500, 16)))
    assert np.array_equal(topics(vectors, rows(vectors), seed=3), topics(vectors, rows(vectors), seed=3))


def test_equal_chunks_are_one_topic() -> None:
    vectors = normalised(np.ones((50, 4)))
    assert set(topics(vectors, rows(vectors), seed=0).tolist()) == {0}


def test_only_the_rows_named_are_looked_at() -> None:
    vectors, truth = clusters(3, 6)
    chosen = np.flatnonzero(truth != 2).astype(np.int64)
    vectors[truth == 2] = np.nan
    assert len(topics(vectors, chosen, seed=0)) == 12


def test_no_rows_have_no_topics() -> None:
    assert len(topics(np.empty((0, 4), dtype=np.float32), np.empty(0, dtype=np.int64), seed=0)) == 0
