import pytest

from ragset.generation.offline.deeds import repeated


@pytest.mark.parametrize(
    ("first", "second", "query"),
    [
        (
            "Britain changed its calendar in 1752.",
            "Britain adopted the time of Greenwich in 1880.",
            "What did Britain do in 1752 and in 1880?",
        ),
        (
            "Harvard College was founded in 1636.",
            "Harvard College ended its early admissions in 2007.",
            "What happened to Harvard College in 1636 and in 2007?",
        ),
        (
            "John Harrison built a clock of wood in 1713.",
            "Harrison received the last of the money in 1773.",
            "What did John Harrison do in 1713 and in 1773?",
        ),
    ],
)
def test_what_one_did_at_two_times_is_one_question(first: str, second: str, query: str) -> None:
    (found,) = repeated(first, second)
    assert found.query == query
    assert found.answer == f"{first} {second}"
    assert found.shape == "aggregation"


def test_the_earlier_comes_first() -> None:
    late, early = "Britain adopted the time of Greenwich in 1880.", "Britain changed its calendar in 1752."
    assert list(repeated(late, early)) == []


def test_to_die_is_no_deed() -> None:
    assert list(repeated("Britain changed its calendar in 1752.", "Britain died in 1880.")) == []


def test_what_was_not_done_is_no_deed() -> None:
    assert list(repeated("Britain did not change its calendar in 1700.", "Britain adopted it in 1752.")) == []
