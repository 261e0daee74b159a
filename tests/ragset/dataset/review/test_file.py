import multiprocessing
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset import swap
from ragset.dataset.review.file import REVIEWS, ReviewFile, read_reviews
from ragset.dataset.review.records import Edit, Review
from ragset.dataset.write import write_dataset
from ragset.errors import InputError
from ragset.models import Span
from tests.small_dataset import corpus_of, golden_of, manifest_of, write_small


def review(item: str = "g-1", reviewer: str = "Ada", **said: object) -> Review:
    return Review.of(reviewer, item, "golden", "golden@1", **{"verdict": "good", **said})


def test_what_was_appended_is_read_in_its_order(tmp_path: Path) -> None:
    edit = Edit(query="How hot? 🍵\n\u2028", evidence=(Span(doc_id="d", start=0, end=4),))
    first, second = review(edit=edit, note="naïve"), review("g-2", "Béla", verdict="bad", reasons=("trivial",))
    assert ReviewFile(tmp_path).append(first, second) == 2
    assert read_reviews(tmp_path).lines == (first, second)


def test_no_file_is_no_reviews(tmp_path: Path) -> None:
    assert read_reviews(tmp_path) == ((), ())


def test_a_review_that_is_sent_again_stands_once(tmp_path: Path) -> None:
    file, sent = ReviewFile(tmp_path), review()
    file.append(sent, sent)
    assert file.append(sent) == 0
    assert ReviewFile(tmp_path).append(sent) == 0
    assert read_reviews(tmp_path).lines == (sent,)


def test_reading_again_reads_what_another_process_added(tmp_path: Path) -> None:
    one, other = ReviewFile(tmp_path), ReviewFile(tmp_path)
    sent = [review(f"g-{number}") for number in range(4)]
    one.append(sent[0])
    assert other.read().lines == (sent[0],)
    other.append(sent[1])
    one.append(sent[2], sent[3])
    assert one.read() == other.read() == read_reviews(tmp_path)
    assert one.read().lines == tuple(sent)


@given(cut=st.integers(0, 400), more=st.booleans())
def test_a_file_cut_anywhere_loses_at_most_the_line_that_was_cut(
    tmp_path_factory: pytest.TempPathFactory, cut: int, more: bool
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    whole, broken, later = review("g-1"), review("g-2", note="Тест 🍵" * 5), review("g-3")
    file = ReviewFile(folder)
    file.append(whole, broken)
    content = file.path.read_bytes()
    first, second = content.splitlines(keepends=True)
    cut = min(cut, len(second))
    file.path.write_bytes(first + second[:cut])
    if more:
        assert ReviewFile(folder).append(later) == 1
    read = read_reviews(folder)
    kept = (whole, broken) if cut >= len(second) - 1 else (whole,)
    assert read.lines == (*kept, later) if more else kept
    assert read.torn == ((2,) if 0 < cut < len(second) - 1 else ())
    assert bool(read.notice) == bool(read.torn)


def test_a_line_that_is_no_review_names_file_line_and_field(tmp_path: Path) -> None:
    ReviewFile(tmp_path).append(review())
    with (tmp_path / REVIEWS).open("a") as file:
        file.write('{"id": "12345678"}\n')
    with pytest.raises(InputError, match=r"reviews\.jsonl: line 2 .*reviewer.*mend the line"):
        read_reviews(tmp_path)


def test_a_missing_folder_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        ReviewFile(tmp_path / "none").append(review())


def _append(folder: Path, name: str) -> None:
    file = ReviewFile(folder)
    for number in range(20):
        file.append(review(f"g-{number}", name))


def test_processes_and_threads_lose_none_of_each_others_lines(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    workers = [
        *(context.Process(target=_append, args=(tmp_path, f"process {n}")) for n in range(2)),
        *(threading.Thread(target=_append, args=(tmp_path, f"thread {n}")) for n in range(2)),
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    read = read_reviews(tmp_path)
    assert not read.torn
    assert len({(line.reviewer, line.item) for line in read.lines}) == len(read.lines) == 80


def test_a_dataset_that_is_written_again_keeps_its_reviews_also_those_sent_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, golden, folder = corpus_of(tmp_path), golden_of(), tmp_path / "teas"
    write_small(folder, corpus, [golden])
    file, before, meanwhile, after = ReviewFile(folder), review(), review("g-2"), review("g-3")
    file.append(before)
    exchange = swap.exchange

    def send_and_exchange(new: Path, target: Path) -> None:
        file.append(meanwhile)
        exchange(new, target)

    monkeypatch.setattr(swap, "exchange", send_and_exchange)
    write_dataset(folder, goldens=[golden], rejects=(), corpus=corpus, manifest=manifest_of(corpus), report="new")
    file.append(after)
    assert (folder / "report.html").read_text() == "new"
    assert file.read().lines == read_reviews(folder).lines == (before, meanwhile, after)
