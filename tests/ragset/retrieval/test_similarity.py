import numpy as np
import pytest

from ragset.retrieval.similarity import calibrate, least_similarity


def directions(*degrees: float) -> np.ndarray:
    angles = np.radians(np.array(degrees, dtype=np.float32))
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_the_least_similarity_is_what_95_per_cent_of_pairs_stay_under() -> None:
    # All 190 pairs of 20 directions 4° apart: 19 pairs at cos 4°, 18 at cos 8°, … The 95th percentile lies at
    # position 0.95 × 189 = 179.55 from below, within the 19 nearest pairs.
    assert least_similarity(directions(*range(0, 80, 4))) == pytest.approx(np.cos(np.radians(4)), abs=1e-3)


def test_many_chunks_are_measured_on_a_fixed_sample() -> None:
    vectors = np.random.default_rng(1).normal(size=(3_000, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    exact = vectors @ vectors.T
    whole = np.percentile(exact[np.triu_indices(3_000, 1)], 95)
    assert least_similarity(vectors) == pytest.approx(whole, abs=0.01)
    assert least_similarity(vectors) == least_similarity(vectors)


def test_a_calibration_counts_every_pair_and_every_nearest_neighbour() -> None:
    found = calibrate(directions(0, 10, 20, 90))
    assert sum(found.pairs.counts) == 6
    assert sum(found.nearest.counts) == 4
    assert found.chunks == 4
    # the one at 90° has no neighbour nearer than 70°
    assert found.with_neighbour == 0.75
    assert found.min_similarity == pytest.approx(np.cos(np.radians(10)), abs=1e-3)


@pytest.mark.parametrize("count", [0, 1])
def test_without_a_pair_there_is_nothing_to_measure(count: int) -> None:
    found = calibrate(directions(*range(count)))
    assert (found.min_similarity, found.with_neighbour, sum(found.pairs.counts)) == (0.0, 0.0, 0)
