import errno
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.dataset import check_output, read_dataset
from ragset.errors import InputError
from ragset.models import Reject
from tests.small_dataset import corpus_of, files_of, golden_of, reject_of, write_small

FILES = {"goldens.jsonl", "goldens.csv", "rejects.jsonl", "corpus.jsonl", "manifest.json", "report.html"}


def full_disk() -> Iterator[Reject]:
    yield reject_of()
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_dataset_is_read_as_it_was_written(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path)
    write_small(tmp_path / "out", corpus, [golden_of()], [reject_of()])
    dataset = read_dataset(tmp_path / "out")
    assert dataset.goldens == (golden_of(),)
    assert dataset.rejects == (reject_of(),)
    assert [*dataset.corpus] == [*corpus]
    assert set(files_of(tmp_path / "out")) == FILES


@settings(max_examples=40, deadline=None)
@given(texts=st.lists(st.tuples(st.text(), st.text()), max_size=4))
def test_any_text_survives_the_lines(tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]]) -> None:
    folder = tmp_path_factory.mktemp("lines")
    goldens = tuple(golden_of(query, answer) for query, answer in texts)
    rejects = tuple(reject_of(detail=detail) for _, detail in texts)
    write_small(folder / "out", corpus_of(folder), goldens, rejects)
    dataset = read_dataset(folder / "out")
    assert (dataset.goldens, dataset.rejects) == (goldens, rejects)


def test_the_same_dataset_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_small(tmp_path / name, corpus_of(tmp_path / f"corpus-{name}"), [golden_of()], [reject_of()])
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")


def test_a_new_dataset_takes_the_place_of_an_old_one(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path)
    write_small(tmp_path / "out", corpus, [golden_of()], [reject_of()])
    write_small(tmp_path / "out", corpus, [golden_of("What is steeped?")])
    dataset = read_dataset(tmp_path / "out")
    assert [golden.query for golden in dataset.goldens] == ["What is steeped?"]
    assert dataset.rejects == ()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["given.jsonl", "out"]


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


def test_a_corpus_that_is_gone_is_named_and_not_the_output(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path)
    golden = golden_of().model_copy(update={"evidence": ()})
    corpus.path.unlink()
    with pytest.raises(InputError, match=r"given\.jsonl: cannot be read"):
        write_small(tmp_path / "out", corpus, [golden])


def test_a_reader_meets_the_old_dataset_or_the_new_one(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path)
    versions = [([golden_of()], []), ([golden_of(), golden_of("What is steeped?")], [reject_of()] * 50)]
    write_small(tmp_path / "out", corpus, *versions[0])
    done = threading.Event()

    def write() -> None:
        for number in range(40):
            write_small(tmp_path / "out", corpus, *versions[number % 2])
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    seen: set[tuple[int, int, int]] = set()
    while not done.is_set():
        dataset = read_dataset(tmp_path / "out")
        seen.add((len(dataset.goldens), len(dataset.rejects), dataset.manifest.kept))
    writer.join()
    assert seen <= {(1, 0, 1), (2, 50, 2)}


def test_somebody_elses_folder_is_refused_and_kept(tmp_path: Path) -> None:
    mine = tmp_path / "out"
    mine.mkdir()
    (mine / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="out: holds something else than a dataset; name another output folder"):
        write_small(mine, corpus_of(tmp_path), [golden_of()])
    assert (mine / "thesis.tex").read_text() == "years of work"


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write_small(tmp_path / "out", corpus_of(tmp_path), [golden_of()])
    assert set(files_of(tmp_path / "out")) == FILES


def test_a_file_where_the_folder_should_be_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(InputError, match="out: is a file"):
        check_output(tmp_path / "out")
    with pytest.raises(InputError, match="out is a file"):
        check_output(tmp_path / "out" / "demo")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_place_that_cannot_be_written_is_refused_before_any_work(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(InputError, match="cannot be written"):
            check_output(tmp_path / "out")
    finally:
        tmp_path.chmod(0o700)


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
