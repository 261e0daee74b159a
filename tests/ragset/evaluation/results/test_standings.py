"""Conclusions from scores made up so that they are known."""

import pandas as pd
import pytest

from ragset.errors import InputError
from ragset.evaluation.metrics.scores import Bounds, with_bounds
from ragset.evaluation.results.standings import agreements, conclude, discriminations
from ragset.evaluation.scoring import score_retrieval
from ragset.models import Span
from ragset.retrieval.fusion import Hit

GOLDENS = [f"g{number}" for number in range(40)]
CLUSTERS = {golden: golden for golden in GOLDENS}


def scores(**values: list[float]) -> pd.DataFrame:
    rows = [
        (name, golden, "mrr", value)
        for name, column in values.items()
        for golden, value in zip(GOLDENS, column, strict=True)
    ]
    return pd.DataFrame(rows, columns=["configuration", "golden", "metric", "value"])


GOOD, BAD = [1.0] * 36 + [0.0] * 4, [0.0] * 30 + [1.0] * 10


def test_a_winner_is_one_that_the_data_tell_from_the_rest() -> None:
    found = conclude(scores(good=GOOD, bad=BAD), CLUSTERS, primary="mrr")
    means = {row.configuration: row.mean for row in found.standings}
    assert means == {"good": 0.9, "bad": 0.25}
    assert not any(row.tied for row in found.standings)
    (one,) = found.comparisons
    assert (one.configuration, one.against, one.difference) == ("bad", "good", -0.65)
    assert one.high < 0
    assert one.p_holm < 0.05


def test_what_differs_by_chance_is_a_tie() -> None:
    almost = [0.0, *GOOD[1:]]
    found = conclude(scores(good=GOOD, almost=almost, bad=BAD), CLUSTERS, primary="mrr")
    assert {row.configuration for row in found.standings if row.tied} == {"good", "almost"}


def test_a_baseline_is_compared_beside_the_best() -> None:
    found = conclude(scores(good=GOOD, bad=BAD, other=BAD[::-1]), CLUSTERS, primary="mrr", baseline="bad")
    assert [(one.configuration, one.against) for one in found.comparisons] == [
        ("bad", "good"),
        ("other", "good"),
        ("good", "bad"),
        ("other", "bad"),
    ]


def test_what_could_not_be_judged_is_counted_and_not_averaged() -> None:
    found = conclude(scores(a=[float("nan")] * 10 + [1.0] * 30, b=GOOD), CLUSTERS, primary="mrr")
    row = next(row for row in found.standings if row.configuration == "a")
    assert (row.mean, row.n, row.missing) == (1.0, 30, 10)
    # at worst the 10 are 0: 30/40; at best they are 1
    assert row.bounds == Bounds(worst=0.75, best=1.0)
    assert next(row for row in found.standings if row.configuration == "b").bounds is None


def test_bounds_that_a_score_comes_with_are_those_of_its_mean() -> None:
    frame = with_bounds(scores(a=[0.0] * 40, b=GOOD))
    # of a's 0 half could be 1: (20 · 1 + 20 · 0) / 40
    frame.loc[:19, "best"] = 1.0
    found = conclude(frame, CLUSTERS, primary="mrr")
    row = next(row for row in found.standings if row.configuration == "a")
    assert (row.mean, row.bounds) == (0.0, Bounds(worst=0.0, best=0.5))


def test_a_metric_or_a_baseline_that_there_is_none_of_is_an_error_with_the_choice() -> None:
    with pytest.raises(InputError, match="primary: nothing was scored in 'ndcg'; choose one of mrr"):
        conclude(scores(a=GOOD), CLUSTERS, primary="ndcg")
    with pytest.raises(InputError, match="baseline: there is no configuration 'b'; choose one of a"):
        conclude(scores(a=GOOD), CLUSTERS, primary="mrr", baseline="b")


def test_one_configuration_has_nothing_to_be_compared_with() -> None:
    found = conclude(scores(a=GOOD), CLUSTERS, primary="mrr")
    assert found.comparisons == ()


def test_each_pair_has_the_difference_that_it_could_show() -> None:
    found = conclude(scores(good=GOOD, bad=BAD, almost=[0.0, *GOOD[1:]]), CLUSTERS, primary="mrr")
    shown = {one.configuration: one.smallest for one in found.comparisons}
    # One golden of 40 does not say how the two would differ on others.
    assert shown["almost"] is None
    # 30 fall and 4 rise by 1: sd = sqrt((34/40 - 0.65²) · 40/39) = 0.662; two pairs of three are left, so 3 tests:
    # (t(1 - 0.05/6, 39) + t(0.8, 39)) · 0.662 / sqrt(40) = (2.50 + 0.85) · 0.1047
    assert shown["bad"] == pytest.approx(0.351, abs=0.02)


def test_five_goldens_show_no_difference() -> None:
    frame = scores(good=GOOD, bad=BAD)
    (few,) = conclude(frame[frame["golden"].isin(GOLDENS[:5])], CLUSTERS, primary="mrr").comparisons
    assert (few.low, few.high, few.smallest) == (None, None, None)


def test_no_winner_is_named_that_judgements_which_could_not_be_had_may_turn() -> None:
    # a scores 1 on 37 goldens and could not be judged on 3, where b scores 1: at worst it is (37 · 0.5 - 3) / 40 ahead
    a, b = [1.0] * 37 + [float("nan")] * 3, [0.5] * 37 + [1.0] * 3
    found = conclude(scores(a=a, b=b), CLUSTERS, primary="mrr")
    assert not any(row.tied for row in found.standings)
    a, b = [1.0] * 30 + [float("nan")] * 10, [0.7] * 30 + [1.0] * 10
    open_ = conclude(scores(a=a, b=b), CLUSTERS, primary="mrr")
    # (30 · 1 + 10 · 0) / 40 = 0.75 at worst, below (30 · 0.7 + 10) / 40 = 0.775
    assert all(row.tied for row in open_.standings)


def test_retrieval_is_scored_in_every_metric() -> None:
    span = Span(doc_id="d", start=0, end=100)
    run = {"g": [Hit("d:500-600", 2.0), Hit("d:0-200", 1.0)], "unknown": [Hit("d:0-200", 1.0)]}
    found = score_retrieval(
        run, {"g": (((span,),),)}, ["d:0-200", "d:500-600"], cutoffs=(1, 2), budgets=(30,), tokens=lambda _: 20
    )
    values = {score.metric: score.value for score in found}
    assert values["hit_rate@1"] == 0
    assert values["hit_rate@2"] == 1
    assert values["mrr"] == 0.5
    assert values["gold_rank"] == 2
    assert values["span_recall@2"] == 1
    assert values["span_precision@2"] == pytest.approx(100 / 300)
    assert values["span_precision_omega"] == 0.5
    # 20 of the 30 tokens are spent on the first passage; of the second the first half fits, 100 characters
    assert values["recall@30tokens"] == 1


def test_two_datasets_agree_as_far_as_they_rank_alike() -> None:
    # one dataset ranks a > b > c, the other a > c > b: of 3 pairs two agree, tau = (2 - 1) / 3
    first = {"a": [1.0] * 20, "b": [1.0] * 15 + [0.0] * 5, "c": [1.0] * 10 + [0.0] * 10}
    second = {"a": [1.0] * 20, "b": [1.0] * 5 + [0.0] * 15, "c": [1.0] * 10 + [0.0] * 10}
    frame = scores(**{name: first[name] + second[name] for name in first})
    datasets = {golden: "synthetic" if place < 20 else "human" for place, golden in enumerate(GOLDENS)}
    (found,) = agreements(frame, datasets, CLUSTERS, "mrr")
    assert (found.one, found.other, found.configurations) == ("synthetic", "human", 3)
    assert found.tau_b == pytest.approx(1 / 3)
    assert found.spearman == pytest.approx(0.5)
    assert (found.ceiling_goldens, found.ratio) == (10, pytest.approx(found.tau_b / (found.ceiling or 0)))
    assert agreements(frame, dict.fromkeys(GOLDENS, "one"), CLUSTERS, "mrr") == ()


def test_each_dataset_tells_some_pairs_apart() -> None:
    # the first dataset scores a above b and c, which are alike: 2 of 3 pairs; the second scores all alike
    frame = scores(a=[1.0] * 40, b=[0.0] * 20 + [1.0] * 20, c=[0.0] * 20 + [1.0] * 20)
    datasets = {golden: "sharp" if place < 20 else "blunt" for place, golden in enumerate(GOLDENS)}
    found = discriminations(frame, datasets, CLUSTERS, "mrr")
    assert [(one.dataset, one.told, one.pairs, one.goldens) for one in found] == [
        ("sharp", 2, 3, 20),
        ("blunt", 0, 3, 20),
    ]
    assert discriminations(scores(a=[1.0] * 40), datasets, CLUSTERS, "mrr") == ()


def test_retrieval_leaves_goldens_without_evidence_out() -> None:
    run = {"g": [Hit("d:0-9", 1.0)], "nobody": [Hit("d:0-9", 1.0)]}
    gold = {"g": (((Span(doc_id="d", start=0, end=9),),),), "nobody": ()}
    rows = score_retrieval(run, gold, ["d:0-9"], cutoffs=(1,), budgets=(30,), tokens=lambda _: 20)
    assert {row.golden for row in rows} == {"g"}
