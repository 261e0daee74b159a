from ragset.dataset import FunnelRow
from ragset.dataset.report.funnel import funnel_picture


def row(stage: str, entered: int, left: int) -> FunnelRow:
    return FunnelRow(
        stage=stage, entered=entered, left=left, rejected={"why": entered - left} if left < entered else {}
    )


def test_the_stream_is_as_wide_as_its_share_of_what_entered_first() -> None:
    # 74 units for 100, so 37 for 50
    picture = funnel_picture([row("rules", 100, 50), row("judge", 50, 50)])
    assert [stage.stream for stage in picture.stages] == [37.0, 37.0]
    assert [stage.share for stage in picture.stages] == ["50%", "100%"]


def test_what_is_rejected_bends_off_between_what_entered_and_what_went_on() -> None:
    first, second = funnel_picture([row("rules", 100, 50), row("judge", 50, 50)]).stages
    assert first.bend.startswith("M37.00 0H74.00C74.00 ")
    assert second.bend == ""


def test_one_of_many_can_still_be_seen() -> None:
    [stage] = funnel_picture([row("rules", 100_000, 1)]).stages
    assert stage.stream == 0.8


def test_nothing_is_drawn_where_nothing_went_on() -> None:
    judge = funnel_picture([row("rules", 5, 0), row("judge", 0, 0)]).stages[1]
    assert (judge.stream, judge.bend, judge.share) == (0.0, "", "–")


def test_cutting_and_sampling_are_told_in_words_and_do_not_set_the_scale() -> None:
    picture = funnel_picture([row("chunk", 90_000, 80_000), row("sample", 80_000, 100), row("rules", 100, 100)])
    assert [before.stage for before in picture.before] == ["chunk", "sample"]
    assert [(stage.title, stage.stream) for stage in picture.stages] == [("Checked by free rules", 74.0)]


def test_a_stage_that_nobody_named_goes_by_its_own_name() -> None:
    assert funnel_picture([row("unheard_of", 2, 2)]).stages[0].title == "Unheard of"


def test_an_empty_funnel_is_an_empty_picture() -> None:
    assert funnel_picture([]) == ([], [])


def test_a_stage_that_more_left_than_entered_sets_the_scale_and_still_shows_what_it_rejected() -> None:
    # 74 units for the 20 that left, so 37 for the 10 that entered; the bend is the least that can be seen: 74 to 74.8
    [split] = funnel_picture([FunnelRow(stage="split", entered=10, left=20, rejected={"lossy_split": 1})]).stages
    assert (split.title, split.stream, split.share) == ("Conjoined query split", 74.0, "200%")
    assert split.bend.startswith("M74.00 0H74.80C")


def test_the_stages_of_several_chunks_have_names() -> None:
    stages = funnel_picture([row(stage, 2, 1) for stage in ("expand", "relevant", "necessity")]).stages
    assert [stage.title for stage in stages] == [
        "Grown into a context",
        "Relevant chunks named",
        "Tested for necessity",
    ]


def test_passages_are_told_in_words() -> None:
    picture = funnel_picture([row("chunk", 90, 80), row("passages", 60, 50), row("rules", 50, 50)])
    assert [before.stage for before in picture.before] == ["chunk", "passages"]
