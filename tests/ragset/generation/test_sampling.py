from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ragset.generation.sampling import not_taken, sample_order
from ragset.retrieval.embedding.vectors import normalised
from ragset.settings import SamplingSettings


def draw(
    doc_ids: list[str],
    *,
    chars: list[int] | None = None,
    truth: NDArray[np.int64] | None = None,
    seed: int = 0,
    method: str = "diverse",
) -> list[int]:
    """The order for chunks whose embeddings stand around the axis that `truth` names, else anywhere."""
    rng = np.random.default_rng(11)
    points = (
        rng.normal(size=(len(doc_ids), 8))
        if truth is None
        else np.eye(8)[truth] + rng.normal(0, 0.02, (len(doc_ids), 8))
    )
    sampling = SamplingSettings.model_validate({"method": method})
    lengths = np.array(chars if chars is not None else [500] * len(doc_ids), dtype=np.int64)
    return sample_order(doc_ids, lengths, normalised(points), sampling, seed).tolist()


corpora = st.lists(st.sampled_from("abcdefg"), max_size=60)


@given(corpora, st.integers(0, 5), st.sampled_from(["diverse", "random"]), st.data())
def test_every_eligible_row_is_drawn_once(doc_ids: list[str], seed: int, method: str, data: st.DataObject) -> None:
    chars = data.draw(st.lists(st.sampled_from([199, 200, 900]), min_size=len(doc_ids), max_size=len(doc_ids)))
    order = draw(doc_ids, chars=chars, seed=seed, method=method)
    assert sorted(order) == [row for row, length in enumerate(chars) if length >= 200]


@given(corpora, st.integers(0, 5), st.sampled_from(["diverse", "random"]))
def test_the_same_seed_gives_the_same_order(doc_ids: list[str], seed: int, method: str) -> None:
    assert draw(doc_ids, seed=seed, method=method) == draw(doc_ids, seed=seed, method=method)


@given(corpora, st.integers(0, 5))
def test_every_document_comes_once_before_any_comes_twice(doc_ids: list[str], seed: int) -> None:
    documents = len(set(doc_ids))
    assert len({doc_ids[row] for row in draw(doc_ids, seed=seed)[:documents]}) == documents


@given(corpora, st.integers(0, 5))
def test_documents_keep_abreast_for_their_weights(doc_ids: list[str], seed: int) -> None:
    # Sainte-Laguë: the last chunk of one, (n_a - 0.5) / w_a, came no later than the next of another would,
    # (n_b + 0.5) / w_b, unless everyone's first chunk was due or the other has none left.
    weight = {document: size**0.5 for document, size in Counter(doc_ids).items()}
    drawn: Counter[str] = Counter()
    for row in draw(doc_ids, seed=seed):
        drawn[doc_ids[row]] += 1
        if len(drawn) < len(weight):
            continue
        open_ones = [d for d in weight if drawn[d] < weight[d] ** 2 - 1e-9]
        next_due = min(((drawn[d] + 0.5) / weight[d] for d in open_ones), default=float("inf"))
        assert all((drawn[d] - 0.5) / weight[d] <= next_due + 1e-9 for d in weight if drawn[d] > 1)


def test_shares_of_documents_lie_between_equal_and_proportional() -> None:
    # 100 and 4 chunks have weights 10 and 2. The small document's turns after its first have the keys 1.5/2,
    # 2.5/2 and 3.5/2. Of the large one's, (j + 0.5)/10, six are below the first of these (the seventh equals it,
    # and the seed decides), eleven below the second and sixteen below the third. Two first draws stand before.
    order = draw(["big"] * 100 + ["small"] * 4)
    places = [place for place, row in enumerate(order) if row >= 100][1:]
    assert places in ([8, 14, 20], [9, 15, 21])


def test_a_topic_of_a_few_chunks_is_in_the_first_draws_of_a_long_document() -> None:
    # 400 chunks around 4 axes, of which one has 8 chunks; 20 topics
    truth = np.repeat([0, 1, 2, 3], [200, 150, 42, 8])
    order = draw(["d"] * 400, truth=truth)
    assert set(truth[order[:20]].tolist()) == {0, 1, 2, 3}


def test_when_documents_are_many_the_first_draws_spread_over_topics() -> None:
    # 300 documents of one chunk, 280 of them around one axis, 10 around each of two others; 17 topics.
    # A uniform draw of 17 would leave both others out in one of three cases.
    truth = np.repeat([0, 1, 2], [280, 10, 10])
    order = draw([f"d{i}" for i in range(300)], truth=truth)
    assert set(truth[order[:17]].tolist()) == {0, 1, 2}


def test_no_topic_floods_the_first_draws() -> None:
    truth = np.repeat([0, 1, 2, 3], [100, 100, 100, 100])
    counts = Counter(truth[draw(["d"] * 400, truth=truth)[:40]].tolist())
    assert max(counts.values()) <= 2 * min(counts.values())


def test_random_is_not_in_the_order_of_rows() -> None:
    assert draw(["a"] * 50, method="random") != list(range(50))


@pytest.mark.parametrize("method", ["diverse", "random"])
def test_another_seed_gives_another_order(method: str) -> None:
    doc_ids = ["a", "b", "c"] * 20
    assert draw(doc_ids, seed=1, method=method) != draw(doc_ids, seed=2, method=method)


@pytest.mark.parametrize("method", ["diverse", "random"])
def test_nothing_eligible_is_an_empty_order(method: str) -> None:
    assert draw(["a", "b"], chars=[1, 199], method=method) == []


class Counted(tuple[int, ...]):
    """Rows that count how often they are gone through."""

    passes = 0

    def __iter__(self) -> Iterator[int]:
        self.passes += 1
        return super().__iter__()


def test_rows_that_are_taken_are_left_out_in_one_pass_over_them() -> None:
    taken = Counted((3, 1, 9))
    assert not_taken([4, 3, 2, 1, 0], taken) == [4, 2, 0]
    assert taken.passes == 1
