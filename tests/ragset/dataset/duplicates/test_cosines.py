import numpy as np
import pytest

from ragset.dataset.duplicates import cosines


def test_pairs_above_a_cosine_are_those_of_brute_force_whatever_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cosines, "_ROWS", 7)
    monkeypatch.setattr(cosines, "_COLUMNS", 11)
    rows = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    wanted = {(i, j) for i in range(40) for j in range(i + 1, 40) if j >= 15 and unit[i] @ unit[j] >= 0.8}
    found = list(cosines.pairs_above(rows, 0.8, first=15))
    assert {(i, j) for i, j, _ in found} == wanted
    assert len(found) == len(wanted)


def test_the_highest_cosine_is_minus_one_where_there_is_nothing() -> None:
    one = np.array([[3.0, 4.0]], dtype=np.float32)
    # (3, 4) and (4, 3), both of length 5: 24 / 25
    other = np.array([[4.0, 3.0], [0.0, 1.0]], dtype=np.float32)
    assert cosines.highest(one, other).tolist() == pytest.approx([0.96])
    assert cosines.highest(one, other[:0]).tolist() == [-1.0]
