from pathlib import Path

import pytest

from ragset.dataset.review.figures import figures, figures_of
from ragset.dataset.review.file import ReviewFile
from ragset.dataset.review.order import ReviewPlan, queue
from ragset.dataset.review.records import Edit, Review
from ragset.models import Golden
from tests.small_dataset import golden_of

GOLDENS = [
    golden_of(f"Query {number}?", style="open" if number % 2 else "factoid").model_copy(
        update={"scores": {"clarity": 5 if number < 6 else 2}}
    )
    for number in range(10)
]
NUMBER = {golden.id: number for number, golden in enumerate(GOLDENS)}


def said(golden: Golden | str, verdict: str | None = "good", reviewer: str = "Ada", **more: object) -> Review:
    item = golden if isinstance(golden, str) else golden.id
    return Review.of(reviewer, item, "golden", str(more.pop("guideline", "golden@1")), verdict=verdict, **more)


def test_nothing_judged_is_no_figures(tmp_path: Path) -> None:
    assert figures_of(tmp_path, GOLDENS) is None
    assert figures(GOLDENS, [said("g-elsewhere"), said(GOLDENS[0], None)], ReviewPlan()) is None


def test_the_share_comes_from_the_sample_alone_and_reasons_from_everywhere(tmp_path: Path) -> None:
    plan = ReviewPlan(sample=4, shared=0)
    order = [one.item for one in queue(NUMBER, plan)]
    lines = [
        said(order[0]),
        said(order[1], edit=Edit(answer="85 °C")),
        said(order[2], "bad", reasons=("trivial",)),
        said(order[3], None),
        *(said(item, "bad", reasons=("trivial", "unclear")) for item in order[4:]),
    ]
    found = figures(GOLDENS, lines, plan)
    assert found is not None
    assert (found.good.share, found.good.n, found.mended.share) == pytest.approx((1 / 3, 3, 2 / 3))
    assert (found.good.low, found.good.high) == pytest.approx((0.0615, 0.7923), abs=1e-4)  # Wilson for 1 of 3
    assert (found.goldens, found.judgements, found.skipped, found.behind, found.sample) == (9, 9, 1, 0, 4)
    assert found.reasons == {"trivial": 7, "unclear": 6}


def test_two_people_who_differ_make_half_a_good_golden() -> None:
    lines = [said(golden) for golden in GOLDENS] + [said(GOLDENS[0], "bad", "Bo"), said(GOLDENS[1], "good", "Bo")]
    found = figures(GOLDENS, lines, ReviewPlan())
    assert found is not None
    assert found.good.share == pytest.approx(9.5 / 10)
    assert (found.people, found.agreement.items, found.agreement.raw, found.base_rate) == (2, 2, 0.5, 0.75)


def test_versions_of_the_guideline_are_counted_apart_and_the_newest_is_shown() -> None:
    lines = [said(GOLDENS[0], "bad"), said(GOLDENS[1], "bad"), said(GOLDENS[0], guideline="golden@2")]
    newest, older = figures(GOLDENS, lines, ReviewPlan()), figures(GOLDENS, lines, ReviewPlan(), "golden@1")
    assert newest is not None
    assert older is not None
    assert (newest.guideline, newest.judgements, newest.others) == ("golden@2", 1, {"golden@1": 2})
    assert (older.judgements, older.reasons, older.others) == (2, {}, {"golden@2": 1})


def test_groups_and_predictors_say_where_and_by_which_score_goldens_are_good() -> None:
    # all with clarity 5 are good, and of those with 2 the two of odd number, which are of style open
    lines = [said(golden, "good" if number < 6 or number % 2 else "bad") for number, golden in enumerate(GOLDENS)]
    found = figures(GOLDENS, lines, ReviewPlan())
    assert found is not None
    assert [(one.label, one.value, one.good.share, one.good.n) for one in found.groups] == [
        ("style", "factoid", 3 / 5, 5),
        ("style", "open", 1, 5),
        ("clarity", "2", 2 / 4, 4),
        ("clarity", "5", 1, 6),
    ]
    (clarity,) = found.predictors
    # of 8 × 2 pairs the good one scores higher in 12 and as high in 4
    assert (clarity.label, clarity.found.auc) == ("clarity", 14 / 16)


def test_a_folder_says_what_was_cut_off(tmp_path: Path) -> None:
    file = ReviewFile(tmp_path)
    file.append(said(GOLDENS[0]))
    with file.path.open("a") as more:
        more.write('{"id": "1234')
    found = figures_of(tmp_path, GOLDENS)
    assert found is not None
    assert "line 2 was cut off" in found.notice
