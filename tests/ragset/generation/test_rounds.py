from hypothesis import given
from hypothesis import strategies as st

from ragset.generation.rounds import next_round


def test_the_first_wave_asks_for_no_more_than_is_wanted() -> None:
    assert next_round(wanted=40, kept=0, tried=0, left=500) == 40


def test_a_later_wave_is_sized_by_the_share_kept() -> None:
    # 30 of 40 passed: 10 are missing at 3/4, so 14, and a surplus of sqrt(10) / 4 on top
    assert next_round(wanted=40, kept=30, tried=40, left=500) == 15


def test_all_takes_everything_that_is_left() -> None:
    assert next_round(wanted=None, kept=3, tried=10, left=90) == 90


def test_there_is_no_wave_when_all_are_there_or_nothing_is_left() -> None:
    assert next_round(wanted=5, kept=5, tried=9, left=100) == 0
    assert next_round(wanted=5, kept=1, tried=9, left=0) == 0


def test_a_corpus_where_nothing_passes_is_not_taken_at_one_stroke() -> None:
    # the share counts as at least 1 in 50: 10 / 0.02 = 500, and sqrt(10) * 0.98 rounds it up to 504
    assert next_round(wanted=10, kept=0, tried=200, left=100_000) == 504
    # and no wave is more than four times what was tried before it
    assert next_round(wanted=10, kept=0, tried=10, left=100_000) == 40


@given(st.integers(1, 500), st.integers(0, 500), st.integers(0, 5000), st.integers(1, 10_000))
def test_waves_always_come_to_an_end(wanted: int, kept: int, tried: int, left: int) -> None:
    size = next_round(wanted=wanted, kept=min(kept, tried), tried=tried, left=left)
    assert 0 <= size <= left
    assert size > 0 or min(kept, tried) >= wanted
