import numpy as np
import pytest
from scipy.linalg import expm

from ragset.retrieval.embedding import Vectors, normalised
from ragset.training.adapter import TrainedAdapter, Validation, best_rows, train_adapter
from ragset.training.info_nce import QuerySet

SIZE, PASSAGES, VALIDATION = 16, 500, 100


def planted(
    seed: int, queries: int = 300, *, shuffled: bool = False
) -> tuple[TrainedAdapter, Vectors, Vectors, list[int]]:
    """Passages, and queries that are passages after a rotation, with some noise."""
    rng = np.random.default_rng(seed)
    turn = expm(0.6 * _skew(rng))
    passages = normalised(rng.normal(size=(PASSAGES, SIZE)))
    answers = rng.integers(PASSAGES, size=queries + 2 * VALIDATION)
    vectors = normalised(passages[answers] @ turn + 0.15 * rng.normal(size=(len(answers), SIZE)))
    labels = answers[:queries]
    if shuffled:
        labels = rng.permutation(labels)
    places = tuple(labels[:, None].astype(np.intp))
    none = (np.empty(0, np.intp),) * queries
    train = QuerySet(tuple(map(str, range(queries))), vectors[:queries], places, none, places)
    validating, testing = vectors[queries:-VALIDATION], vectors[-VALIDATION:]
    relevant = [[{int(row): 1}] for row in answers[queries:-VALIDATION]]
    trained = train_adapter(train, Validation(validating, relevant), passages, seed)
    return trained, passages, testing, answers[-VALIDATION:].tolist()


def _skew(rng: np.random.Generator) -> np.ndarray:
    half = rng.normal(size=(SIZE, SIZE)) / SIZE**0.5
    return half - half.T


def found_first(queries: Vectors, passages: Vectors, answers: list[int]) -> float:
    pairs = zip(best_rows(queries, passages, 1), answers, strict=True)
    return float(np.mean([rows[0] == answer for rows, answer in pairs]))


@pytest.mark.parametrize("seed", range(2))
def test_a_planted_rotation_is_learnt(seed: int) -> None:
    trained, passages, queries, answers = planted(seed)
    assert trained.matrix is not None
    before = found_first(queries, passages, answers)
    after = found_first(normalised(queries @ trained.matrix.T), passages, answers)
    assert after > before + 0.1


@pytest.mark.parametrize("seed", range(3))
def test_an_adapter_trained_on_shuffled_labels_is_refused(seed: int) -> None:
    trained, *_ = planted(seed, shuffled=True)
    assert trained.matrix is None
    assert not trained.stop.kept


def test_the_best_rows_are_those_of_a_full_sort() -> None:
    rng = np.random.default_rng(0)
    queries, passages = normalised(rng.normal(size=(70, 5))), normalised(rng.normal(size=(30, 5)))
    expected = np.argsort(-(queries @ passages.T), axis=1)[:, :4].tolist()
    assert list(best_rows(queries, passages, 4)) == expected


def test_there_may_be_fewer_passages_than_are_asked_for() -> None:
    assert [sorted(rows) for rows in best_rows(np.eye(3, dtype=np.float32), np.eye(3, dtype=np.float32), 10)] == [
        [0, 1, 2]
    ] * 3
