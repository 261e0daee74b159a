import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.generation.forecast import Rate
from ragset.generation.past_runs import FILE, Circumstances, PastRates, PastRun, past_rates, remember

OF = Circumstances(kind="single-chunk", generator="gpt-x", critic="gpt-x", settings="1")


def run(name: str, judge: tuple[int, int] = (10, 8), of: Circumstances = OF) -> PastRun:
    return PastRun(run=name, of=of, stages={"judge": judge, "critique": (judge[1], judge[1] // 2)})


def test_runs_are_pooled_stage_by_stage(tmp_path: Path) -> None:
    remember(tmp_path, run("a"))
    remember(tmp_path, run("b", (30, 12)))
    found = past_rates(tmp_path, OF)
    assert found == PastRates(2, 40, {"judge": (40, 20), "critique": (20, 10)})
    # half of 40, and 10 more at the published rate of 0.9: 29 of 50, which count as 40 on other documents
    assert found.of_others("judge", 0.9) == pytest.approx((0.58, 40))
    assert found.of_others("answer", 0.9) == pytest.approx((0.9, 10))


def test_a_pilot_counts_for_its_own_documents_and_the_rate_before_it_as_four_candidates() -> None:
    pilot = PastRates(1, 16, {"judge": (16, 4)})
    # 4 of 16, and 4 more at 0.5: 6 of 20
    assert pilot.at("judge", Rate(0.5, 10)) == pytest.approx((0.3, 20))
    assert pilot.at("answer", Rate(0.5, 10)) == (0.5, 10)


def test_a_run_that_goes_on_counts_once_with_its_latest_numbers(tmp_path: Path) -> None:
    remember(tmp_path, run("a"))
    remember(tmp_path, run("a", (20, 16)))
    assert past_rates(tmp_path, OF).stages["judge"] == (20, 16)


@pytest.mark.parametrize(
    "other", [{"generator": "offline"}, {"critic": "m"}, {"kind": "multi-chunk"}, {"settings": "2"}]
)
def test_runs_in_other_circumstances_do_not_count(tmp_path: Path, other: dict[str, str]) -> None:
    remember(tmp_path, run("a", of=OF.model_copy(update=other)))
    assert past_rates(tmp_path, OF) == PastRates()


def test_the_latest_twenty_runs_count(tmp_path: Path) -> None:
    for number in range(25):
        remember(tmp_path, run(str(number), (number, 0)))
    assert past_rates(tmp_path, OF).candidates == sum(range(5, 25))


def test_what_cannot_be_read_is_left_out_with_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    remember(tmp_path, run("a"))
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'\xff\xfe\n{"run": "b", "of": 7}\n{"run": "c", "st')  # a process was killed while it wrote
    remember(tmp_path, run("d"))
    with caplog.at_level(logging.WARNING):
        assert past_rates(tmp_path, OF).runs == 2
    assert [record.getMessage() for record in caplog.records] == [
        f"{tmp_path / FILE}: 3 lines cannot be read and are left out"
    ]


def test_many_may_write_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        for number in range(20):
            pool.submit(remember, tmp_path, run(str(number), (1, 1)))
    assert past_rates(tmp_path, OF).candidates == 20


def test_a_folder_that_cannot_be_written_ends_no_run(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        remember(tmp_path / "missing", run("a"))
    assert len(caplog.records) == 1
    assert past_rates(tmp_path / "missing", OF) == PastRates()


@given(st.integers(0, 1000), st.integers(0, 1000), st.floats(0, 1))
def test_a_rate_lies_between_the_prior_and_what_was_seen(entered: int, left: int, prior: float) -> None:
    left = min(left, entered)
    rate = PastRates(1, entered, {"judge": (entered, left)}).of_others("judge", prior).share
    seen = left / entered if entered else prior
    assert min(prior, seen) - 1e-9 <= rate <= max(prior, seen) + 1e-9
