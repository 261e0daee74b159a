import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragset.dataset import read_dataset, write_dataset
from ragset.errors import InputError
from ragset.models import Reject
from tests.small_dataset import corpus_of, files_of, golden_of, manifest_of, reject_of, write_small

FILES = {"goldens.jsonl", "goldens.csv", "rejects.jsonl", "corpus.jsonl", "manifest.json", "report.html"}


def full_disk() -> Iterator[Reject]:
    yield reject_of()
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_leaves_the_old_dataset_and_nothing_beside_it(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path)
    write_small(tmp_path / "out", corpus, [golden_of()])
    before = files_of(tmp_path / "out")
    with pytest.raises(InputError, match=r"out: cannot be written \(No space left on device\); make room"):
        write_small(tmp_path / "out", corpus, [golden_of("Another?")], full_disk())
    assert files_of(tmp_path / "out") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["given.jsonl", "out"]


def test_a_write_that_is_interrupted_leaves_no_dataset(tmp_path: Path) -> None:
    def interrupted() -> Iterator[Reject]:
        raise KeyboardInterrupt
        yield reject_of()

    with pytest.raises(KeyboardInterrupt):
        write_small(tmp_path / "out", corpus_of(tmp_path), [golden_of()], interrupted())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["given.jsonl"]


def test_a_corpus_whose_file_is_gone_is_written_all_the_same(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path)
    corpus.path.unlink()
    write_small(tmp_path / "out", corpus, [golden_of()])
    assert read_dataset(tmp_path / "out").corpus.ids == corpus.ids


def test_folders_on_the_way_are_made(tmp_path: Path) -> None:
    write_small(tmp_path / "a" / "b" / "out", corpus_of(tmp_path), [golden_of()])
    assert len(read_dataset(tmp_path / "a" / "b" / "out").goldens) == 1


def test_what_a_link_points_to_is_replaced_and_not_the_link(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path)
    write_small(tmp_path / "real", corpus, [golden_of()])
    (tmp_path / "latest").symlink_to("real")
    write_small(tmp_path / "latest", corpus, [golden_of("What is steeped?")])
    assert (tmp_path / "latest").is_symlink()
    assert read_dataset(tmp_path / "real").goldens[0].query == "What is steeped?"


def test_others_may_read_a_dataset_as_far_as_the_umask_lets_them(tmp_path: Path) -> None:
    mask = os.umask(0o022)
    try:
        write_small(tmp_path / "out", corpus_of(tmp_path), [golden_of()])
    finally:
        os.umask(mask)
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o755


def test_further_files_are_part_of_the_same_stroke(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path)
    rest: dict[str, Any] = {"goldens": [golden_of()], "corpus": corpus, "manifest": manifest_of(corpus), "report": ""}
    write_dataset(tmp_path / "out", rejects=[], more={"CHANGES.md": "# ü\n"}, **rest)
    before = files_of(tmp_path / "out")
    assert set(before) == {*FILES, "CHANGES.md"}
    with pytest.raises(InputError, match="cannot be written"):
        write_dataset(tmp_path / "out", rejects=full_disk(), more={"CHANGES.md": "other"}, **rest)
    assert files_of(tmp_path / "out") == before
