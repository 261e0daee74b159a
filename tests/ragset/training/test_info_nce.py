from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.retrieval.embedding import normalised
from ragset.training.info_nce import QuerySet, batches, epochs, loss_and_gradient


def at(*places: int) -> np.ndarray:
    return np.array(places, dtype=np.intp)


@given(st.integers(0, 10_000))
def test_the_gradient_is_that_of_finite_differences(seed: int) -> None:
    rng = np.random.default_rng(seed)
    queries, passages = (2 * normalised(rng.normal(size=(size, 4))).astype(np.float64) for size in (3, 5))
    target, masked = rng.integers(5, size=3), rng.random((3, 5)) < 0.3
    masked[np.arange(3), target] = False
    _, gradient = loss_and_gradient(queries, passages, target, masked)
    for place in np.ndindex(queries.shape):
        step = np.zeros_like(queries)
        step[place] = 1e-5
        higher, lower = (loss_and_gradient(queries + sign * step, passages, target, masked)[0] for sign in (1, -1))
        assert gradient[place] == pytest.approx((higher - lower) / 2e-5, rel=1e-4, abs=1e-5)


def test_the_loss_is_that_of_a_softmax_with_scale_20() -> None:
    # Cosines 0.1 and 0: the loss is -ln(e^2 / (e^2 + 1)) = 0.1269.
    passages = np.array([[0.1, 0.0], [0.0, 0.1]])
    loss, _ = loss_and_gradient(np.array([[3.0, 0.0]]), passages, at(0), np.zeros((1, 2), bool))
    assert loss == pytest.approx(0.1269, abs=1e-4)


def test_a_masked_passage_is_no_wrong_answer() -> None:
    # What is left is the positive alone.
    passages = np.eye(2)
    loss, gradient = loss_and_gradient(np.array([[1.0, 1.0]]), passages, at(0), np.array([[False, True]]))
    assert loss == 0
    assert gradient == pytest.approx(np.zeros((1, 2)))


def test_each_query_is_compared_with_the_passages_of_its_batch_but_not_with_other_answers() -> None:
    queries = QuerySet(
        goldens=("a", "b"),
        vectors=np.eye(2, dtype=np.float32),
        positives=(at(3), at(5)),
        negatives=(at(7), at()),
        masked=(at(3, 5), at(5)),
    )
    (batch,) = batches(queries, np.random.default_rng(0))
    assert batch.passages.tolist() == [3, 5, 7]
    by_golden = {int(golden): place for place, golden in enumerate(batch.queries)}
    assert batch.passages[batch.target[by_golden[0]]] == 3
    assert batch.masked[by_golden[0]].tolist() == [False, True, False]
    assert batch.masked[by_golden[1]].tolist() == [False, False, False]


def test_the_same_seed_gives_the_same_matrix() -> None:
    rng = np.random.default_rng(0)
    passages = normalised(rng.normal(size=(20, 6)))
    places = tuple(at(place) for place in range(20))
    queries = QuerySet(tuple(map(str, range(20))), passages, places, (at(),) * 20, places)
    first, again, other = (next(islice(epochs(queries, passages, seed), 2, None)) for seed in (1, 1, 2))
    assert (first == again).all()
    assert not (first == other).all()
