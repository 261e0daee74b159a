from collections import Counter
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.review.file import ReviewFile
from ragset.dataset.review.order import ReviewPlan, change_plan, doubt_of, queue, read_plan, sampled, waiting
from ragset.dataset.review.records import Review
from ragset.errors import InputError
from tests.small_dataset import golden_of

ITEMS = [f"g-{number}" for number in range(40)]
PLAN = ReviewPlan(sample=20)


def said(item: str, reviewer: str = "Ada", verdict: str | None = "good") -> Review:
    return Review.of(reviewer, item, "golden", "golden@1", verdict=verdict)


@given(st.permutations(ITEMS), st.integers(0, 3), st.integers(0, 50), st.floats(0, 1))
def test_every_item_has_one_turn_whatever_order_they_are_given_in(
    items: list[str], seed: int, n: int, share: float
) -> None:
    plan = ReviewPlan(seed=seed, sample=n, shared=share)
    queued = queue(items, plan)
    assert queued == queue(ITEMS, plan)
    assert sorted(one.item for one in queued) == sorted(ITEMS)
    parts = [one.part for one in queued]
    assert parts == ["sample"] * min(n, 40) + ["doubtful"] * max(0, 40 - n)
    # of any beginning of the sample the share has two people, rounded down
    assert [one.people for one in queued[:n]].count(2) == int(min(n, 40) * share)


def test_a_larger_sample_begins_with_the_smaller_one_and_new_items_leave_the_others_in_order() -> None:
    small, large = queue(ITEMS, PLAN), queue(ITEMS, ReviewPlan(sample=30))
    assert [one.item for one in large[:20]] == [one.item for one in small[:20]]
    without = [one.item for one in large if one.item != "g-7"][:29]
    assert [one.item for one in queue([item for item in ITEMS if item != "g-7"], ReviewPlan(sample=29))[:29]] == without


def test_each_item_comes_first_about_equally_often_over_seeds() -> None:
    first = Counter(queue(ITEMS[:4], ReviewPlan(seed=seed))[0].item for seed in range(400))
    assert all(70 <= first[item] <= 130 for item in ITEMS[:4])  # 100 ± 3.5 standard deviations of 8.7


def test_after_the_sample_the_most_doubtful_come_first() -> None:
    doubts = {item: int(item[2:]) / 40 for item in ITEMS}
    rest = [one.item for one in queue(ITEMS, PLAN, doubts)[20:]]
    assert rest == sorted(rest, key=lambda item: -doubts[item])


def test_doubt_is_the_mean_of_score_round_trip_and_hardness() -> None:
    golden = golden_of()  # scores 5, 4 and 5
    assert doubt_of(golden) == pytest.approx((0.25 + 0.5 + 0.5) / 3)
    labelled = golden.model_copy(
        update={"metadata": {"hardness": {"level": "hard"}, "round_trip": {"rank": 4, "k": 10, "by": "bm25"}}}
    )
    assert doubt_of(labelled) == pytest.approx((0.25 + 0.75 + 1) / 3)


def test_two_people_get_different_items_but_for_those_that_are_shared() -> None:
    queued = queue(ITEMS, PLAN)
    reviews: list[Review] = []
    for turn in range(200):
        reviewer = "Ada" if turn % 2 else "Bo"
        if one := next(waiting(queued, reviews, reviewer, {}), None):
            reviews.append(said(one.item, reviewer))
    times = Counter(review.item for review in reviews)
    assert times == {one.item: one.people for one in queued}
    assert len({(review.item, review.reviewer) for review in reviews}) == len(reviews) == 44


def test_an_item_before_somebody_else_now_is_left_to_them_and_a_skipped_one_goes_to_the_next() -> None:
    queued = queue(ITEMS, PLAN.model_copy(update={"shared": 0.0}))
    first, second = queued[0].item, queued[1].item
    assert next(waiting(queued, [], "Ada", {first: ["Bo"]})).item == second
    assert next(waiting(queued, [], "Bo", {first: ["Bo"]})).item == first
    skip = said(first, "Ada", None)
    assert next(waiting(queued, [skip], "Ada", {})).item == second
    assert next(waiting(queued, [skip], "Bo", {})).item == first


def test_the_sample_counts_up_to_the_first_that_nobody_looked_at() -> None:
    order = [one.item for one in queue(ITEMS, PLAN)]
    reviews = [
        said(order[0]),
        said(order[1], verdict=None),
        said(order[2], verdict="bad"),
        said(order[4]),
        said(order[30]),
    ]
    found = sampled(ITEMS, PLAN, reviews)
    assert list(found.judged) == [order[0], order[2]]
    assert (found.skipped, found.behind, found.size) == (1, 1, 20)
    assert sampled(ITEMS, PLAN, [*reviews, said(order[3])]).judged.keys() == {order[0], order[2], order[3], order[4]}


def test_a_sample_that_grows_after_doubtful_items_were_judged_is_not_drawn_towards_them() -> None:
    # Of 40 items 12 are bad, and the doubtful ones first. 10 of the sample are judged, 10 doubtful ones, and 5 of a larger sample.
    bad = {item for item in ITEMS if int(item[2:]) < 12}
    counted, naive = [], []
    for seed in range(300):
        reviews: list[Review] = []
        for size, turns in ((10, 20), (30, 5)):
            plan = ReviewPlan(seed=seed, sample=size, shared=0)
            queued = queue(ITEMS, plan, {item: float(item in bad) for item in ITEMS})
            for _ in range(turns):
                item = next(waiting(queued, reviews, "Ada", {})).item
                reviews.append(said(item, verdict="bad" if item in bad else "good"))
        found = sampled(ITEMS, plan, reviews).judged
        counted.append(fmean(of[0].good for of in found.values()))
        ours = {one.item for one in queued[:30]}
        naive.append(fmean(review.good for review in reviews if review.item in ours))
    assert fmean(counted) == pytest.approx(28 / 40, abs=0.02)
    assert fmean(naive) < 0.62


def test_the_plan_is_kept_and_its_seed_stays_once_something_is_judged(tmp_path: Path) -> None:
    assert read_plan(tmp_path) == ReviewPlan()
    assert change_plan(tmp_path, seed=3, sample=5) == read_plan(tmp_path) == ReviewPlan(seed=3, sample=5)
    ReviewFile(tmp_path).append(said("g-1"))
    assert change_plan(tmp_path, sample=50).seed == 3
    with pytest.raises(InputError, match=r"review\.json: seed: is 3"):
        change_plan(tmp_path, seed=4)
