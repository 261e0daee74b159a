import pytest

from tasks.run.progress import Progress, progress, watch


def test_the_share_of_goldens_is_of_those_wanted() -> None:
    shown = Progress(wanted=40)
    shown.begin("goldens")
    shown.kept = 10
    assert shown.share == 0.25


def test_the_share_of_other_stages_is_of_their_units_and_never_above_one() -> None:
    shown = Progress()
    shown.begin("index", total=4)
    shown.done = 1
    assert shown.share == 0.25
    shown.done = 9
    assert shown.share == 1.0


def test_nobody_knows_how_long_it_takes_before_anything_is_done() -> None:
    shown = Progress()
    shown.begin("index", total=4)
    assert shown.seconds_left is None


def test_who_watches_and_who_works_share_one_record() -> None:
    shown = watch()
    progress().kept += 1
    assert shown.kept == 1


def test_the_progress_of_a_whole_run_never_goes_back() -> None:
    shown = Progress(wanted=4)
    told: list[float] = []
    for stage, done in (("documents", 0), ("chunks", 3), ("index", 4), ("goldens", 0), ("chunks", 1), ("done", 0)):
        shown.begin(stage, total=4, done=done)
        told.append(shown.overall)
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_a_stage_that_is_entered_again_goes_on_from_when_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    shown = Progress()
    shown.begin("benchmark", total=4)
    now = 110.0
    shown.begin("index", total=9)
    shown.begin("benchmark", total=4, done=1)
    assert shown.seconds_left == 30.0


def test_the_time_left_counts_from_when_a_stage_began_its_work(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    shown = Progress(wanted=10, kept=4)
    shown.begin("index", total=10)
    shown.done = 10
    # An hour later another index is made: 2 of 10 parts in 4 s, so 16 s are left, and not hours.
    now = 3_700.0
    shown.begin("goldens")
    shown.begin("index", total=10)
    now = 3_704.0
    shown.done = 2
    assert shown.seconds_left == pytest.approx(16.0)
    # The 4 goldens that were there already took no time: 3 more took 6 s, and as many are missing.
    shown = Progress(wanted=10, kept=4)
    shown.begin("goldens")
    now, shown.kept = 3_710.0, 7
    assert shown.seconds_left == pytest.approx(6.0)


def test_requests_in_batches_are_counted_while_batches_are_under_way() -> None:
    progress = Progress()
    assert progress.in_batches == ""
    progress.batches |= {"one": (2, 300), "two": (1000, 2000)}
    assert progress.in_batches == "1,002 of 2,300 answered in batches"
