from tasks.progress import Progress, progress, watch


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
