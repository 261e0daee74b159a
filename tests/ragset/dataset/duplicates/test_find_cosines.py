import numpy as np
import pytest

from ragset.dataset.duplicates import find as cosines


def test_pairs_above_a_cosine_are_those_of_brute_force_whatever_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cosines, "_ROWS", 7)
    rows = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    wanted = [(i, j) for i in range(40) for j in range(i + 1, 40) if unit[i] @ unit[j] >= 0.8]
    assert sorted(cosines.pairs_above(rows, 0.8)) == wanted


def test_the_highest_cosine_is_that_of_the_nearest_two() -> None:
    one = np.array([[3.0, 4.0]], dtype=np.float32)
    # (3, 4) and (4, 3), both of length 5: 24 / 25
    other = np.array([[4.0, 3.0], [0.0, 1.0]], dtype=np.float32)
    assert cosines.highest(one, other) == pytest.approx(0.96)
