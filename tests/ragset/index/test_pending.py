from pathlib import Path

import numpy as np

from ragset.index.pending import Pending


def test_batches_come_back_first_to_last(tmp_path: Path) -> None:
    pending = Pending(tmp_path / "pending")
    for number in range(12):
        pending.add([f"d:{number}-9"], np.full((1, 2), number, dtype=np.float32))
    again = list(Pending(tmp_path / "pending").batches())
    assert [ids for ids, _ in again] == [[f"d:{number}-9"] for number in range(12)]
    assert [vectors[0, 0] for _, vectors in again] == list(range(12))


def test_nothing_there_is_nothing(tmp_path: Path) -> None:
    assert list(Pending(tmp_path / "pending").batches()) == []


def test_a_batch_cut_off_while_it_was_written_is_passed_over(tmp_path: Path) -> None:
    pending = Pending(tmp_path)
    pending.add(["a"], np.ones((1, 2), dtype=np.float32))
    pending.add(["b"], np.ones((1, 2), dtype=np.float32))
    (tmp_path / "000001.npz").write_bytes((tmp_path / "000001.npz").read_bytes()[:50])
    assert [ids for ids, _ in pending.batches()] == [["a"]]


def test_batches_of_another_size_are_passed_over(tmp_path: Path) -> None:
    pending = Pending(tmp_path)
    pending.add(["a"], np.ones((1, 2), dtype=np.float32))
    pending.add(["b"], np.ones((1, 3), dtype=np.float32))
    assert [ids for ids, _ in pending.batches()] == [["a"]]
    assert [ids for ids, _ in pending.batches(3)] == [["b"]]


def test_cleared_batches_are_gone(tmp_path: Path) -> None:
    pending = Pending(tmp_path / "pending")
    pending.add(["a"], np.ones((1, 2), dtype=np.float32))
    pending.clear()
    assert list(pending.batches()) == []
