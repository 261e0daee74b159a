import math
from collections.abc import Collection, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, RR, R, iter_calc, nDCG

from ragset.evaluation.metrics.ranking import ranking_scores
from ragset.retrieval.fusion import Hit
from tests.ragset.evaluation.metrics.gold import hits

IDS = st.sampled_from([f"d:{start}-{start + 10}" for start in range(0, 120, 10)])
RUNS = st.lists(IDS, unique=True, max_size=12)


def scores_of(
    ranking: list[Hit], relevant: list[str], *cutoffs: int, equivalents: Sequence[Collection[str]] = ()
) -> dict[str, float]:
    sets = [dict.fromkeys(one, 1) for one in (relevant, *equivalents)]
    rows = ranking_scores({"g": ranking}, {"g": sets}, cutoffs)
    return {row.metric: row.value for row in rows}


def test_every_metric_is_as_worked_out_by_hand() -> None:
    # ranking a x b y c with a, b and z relevant
    found = scores_of(hits("x", "a", "y", "b", "w"), ["a", "b", "z"], 1, 3, 5)
    dcg3 = 1 / math.log2(3)
    dcg5 = 1 / math.log2(3) + 1 / math.log2(5)
    ideal3 = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert found == pytest.approx(
        {
            "hit_rate@1": 0,
            "recall@1": 0,
            "precision@1": 0,
            "ndcg@1": 0,
            "hit_rate@3": 1,
            "recall@3": 1 / 3,
            "precision@3": 1 / 3,
            "ndcg@3": dcg3 / ideal3,
            "hit_rate@5": 1,
            "recall@5": 2 / 3,
            "precision@5": 2 / 5,
            "ndcg@5": dcg5 / ideal3,  # three relevant: the ideal five hold no more than these
            "mrr": 1 / 2,
            "map": (1 / 2 + 2 / 4) / 3,
            "gold_rank": 2,
        }
    )


def test_the_ideal_ranking_is_cut_at_k() -> None:
    # three relevant, the first two found: at 2 nothing better is possible
    assert scores_of(hits("a", "b"), ["a", "b", "c"], 2)["ndcg@2"] == pytest.approx(1)


def test_precision_divides_by_k_where_fewer_were_retrieved() -> None:
    assert scores_of(hits("a"), ["a"], 5)["precision@5"] == pytest.approx(1 / 5)


def test_the_order_counts_where_scores_are_equal_or_rise() -> None:
    # trec_eval alone would put z before a where their scores are equal
    equal = scores_of([Hit("a", 1.0), Hit("z", 1.0)], ["a"], 1)
    rising = scores_of([Hit("a", 0.1), Hit("z", 0.9)], ["a"], 1)
    assert equal["mrr"] == rising["mrr"] == 1
    assert equal["gold_rank"] == rising["gold_rank"] == 1


def test_of_a_chunk_that_comes_twice_the_first_stands() -> None:
    # x x a -> x a: a at rank 2
    found = scores_of(hits("x", "x", "a"), ["a"], 2)
    assert (found["gold_rank"], found["mrr"], found["precision@2"]) == (2, 1 / 2, 1 / 2)


@pytest.mark.parametrize("run", [{}, {"g": []}, {"g": hits("x")}])
def test_a_golden_that_found_nothing_scores_0_without_a_rank(run: dict[str, list[Hit]]) -> None:
    found = {row.metric: row.value for row in ranking_scores(run, {"g": ({"a": 1},)}, [5])}
    assert math.isnan(found.pop("gold_rank"))
    assert set(found) == {"hit_rate@5", "recall@5", "precision@5", "ndcg@5", "mrr", "map"}
    assert set(found.values()) == {0.0}


def test_a_golden_whose_evidence_the_chunking_lost_scores_0_and_is_not_left_out() -> None:
    rows = ranking_scores({"g": hits("a"), "h": hits("a")}, {"g": ({},), "h": ({"a": 1},)}, [1])
    assert {row.golden: row.value for row in rows if row.metric == "recall@1"} == {"g": 0, "h": 1}


def test_a_golden_that_is_only_in_the_run_has_no_row() -> None:
    assert ranking_scores({"u": hits("a")}, {}, [1]) == []


def test_goldens_do_not_mix() -> None:
    rows = ranking_scores({"g": hits("a", "b"), "h": hits("a", "b")}, {"g": ({"a": 1},), "h": ({"b": 1},)}, [1])
    assert {row.golden: row.value for row in rows if row.metric == "mrr"} == {"g": 1, "h": 1 / 2}
    assert [row.golden for row in rows] == ["g"] * 7 + ["h"] * 7


@given(RUNS, st.sets(IDS, min_size=1))
def test_scores_are_those_of_the_definitions(ranking: list[str], relevant: set[str]) -> None:
    found = scores_of(hits(*ranking), sorted(relevant), 1, 4)
    marks = [chunk in relevant for chunk in ranking]
    for k in (1, 4):
        got = sum(marks[:k])
        ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(relevant)) + 1))
        gain = sum(1 / math.log2(rank + 1) for rank, mark in enumerate(marks[:k], start=1) if mark)
        assert found[f"hit_rate@{k}"] == (got > 0)
        assert found[f"recall@{k}"] == pytest.approx(got / len(relevant))
        assert found[f"precision@{k}"] == pytest.approx(got / k)
        assert found[f"ndcg@{k}"] == pytest.approx(gain / ideal)
    precisions = [sum(marks[:rank]) / rank for rank, mark in enumerate(marks, start=1) if mark]
    assert found["map"] == pytest.approx(sum(precisions) / len(relevant))
    assert found["mrr"] == (pytest.approx(1 / found["gold_rank"]) if any(marks) else 0)


def test_with_an_equivalent_every_metric_is_as_worked_out_by_hand() -> None:
    # evidence a and b, equivalent q; ranking x q a y: the answer is complete at rank 2
    found = scores_of(hits("x", "q", "a", "y"), ["a", "b"], 1, 2, 3, equivalents=[["q"]])
    # of the evidence: recall@3 1/2, AP (1/3)/2, DCG@3 1/2 of 1 + 1/log2(3); of the equivalent: 1, 1/2, 1/log2(3) of 1
    assert found == pytest.approx(
        {
            **dict.fromkeys(("hit_rate@1", "recall@1", "precision@1", "ndcg@1"), 0),
            "hit_rate@2": 1,
            "recall@2": 1,
            "precision@2": 1 / 2,
            "ndcg@2": 1 / math.log2(3),
            "hit_rate@3": 1,
            "recall@3": 1,
            "precision@3": 2 / 3,
            "ndcg@3": 1 / math.log2(3),
            "mrr": 1 / 2,
            "map": 1 / 2,
            "gold_rank": 2,
        }
    )


def test_half_of_the_evidence_is_not_made_whole_by_an_equivalent_that_was_not_found() -> None:
    # a of a and b: DCG 1 of 1 + 1/log2(3), although the ideal of the equivalent alone would be 1
    found = scores_of(hits("a", "x"), ["a", "b"], 2, equivalents=[["q"]])
    assert (found["recall@2"], found["map"]) == (1 / 2, 1 / 2)
    assert found["ndcg@2"] == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_one_set_first_and_nothing_else_is_perfect() -> None:
    found = scores_of(hits("q", "x"), ["a", "b"], 1, 2, equivalents=[["q"], ["r", "s", "t"]])
    perfect = {name: found[name] for name in ("recall@1", "recall@2", "ndcg@1", "ndcg@2", "mrr", "map")}
    assert set(perfect.values()) == {1.0}


def test_a_set_that_the_chunking_lost_is_no_way_to_an_answer() -> None:
    assert scores_of(hits("a"), ["a"], 1, equivalents=[[]])["recall@1"] == 1
    assert scores_of(hits("q"), [], 1, equivalents=[["q"]])["recall@1"] == 1
    assert scores_of(hits("x"), [], 1, equivalents=[[]])["recall@1"] == 0


def test_ids_with_blanks_do_not_mix() -> None:
    rows = ranking_scores(
        {"1 g": hits("a"), "g": hits("b")}, {"1 g": ({"a": 1}, {"z": 1}), "g": ({"a": 1}, {"y": 1})}, [1]
    )
    assert {row.golden: row.value for row in rows if row.metric == "mrr"} == {"1 g": 1, "g": 0}


SETS = st.lists(st.sets(IDS, min_size=1, max_size=4), max_size=3)


@given(RUNS, st.sets(IDS, min_size=1, max_size=4), SETS, st.sets(IDS, min_size=1, max_size=4))
def test_one_more_equivalent_never_lowers_a_score(
    ranking: list[str], evidence: set[str], equivalents: list[set[str]], more: set[str]
) -> None:
    before = scores_of(hits(*ranking), sorted(evidence), 1, 4, equivalents=equivalents)
    after = scores_of(hits(*ranking), sorted(evidence), 1, 4, equivalents=[*equivalents, more])
    first, now = (found.pop("gold_rank") for found in (before, after))
    assert math.isnan(first) or now <= first
    assert all(before[metric] <= after[metric] + 1e-12 <= 1 + 1e-9 for metric in before)


@given(st.lists(IDS, unique=True, min_size=2, max_size=12), st.data())
def test_an_equivalent_alone_scores_as_the_evidence_alone(ids: list[str], data: st.DataObject) -> None:
    # as many chunks of the one as of the other, at the same ranks among others
    half = len(ids) // 2
    evidence, equivalent = ids[:half], ids[half : 2 * half]
    others = [f"x{number}" for number in range(data.draw(st.integers(0, 4)))]
    order = data.draw(st.permutations(range(half + len(others))))
    ours, theirs = ([[*part, *others][place] for place in order] for part in (evidence, equivalent))
    found = [scores_of(hits(*ranking), evidence, 1, 4, equivalents=[equivalent]) for ranking in (ours, theirs)]
    assert found[0] == found[1]


def test_ndcg_takes_the_grade_as_the_gain() -> None:
    # ranking x b a with a of grade 3 and b of grade 1: gains 0, 1, 3 over the ideal 3, 1
    rows = ranking_scores({"g": hits("d:90-99", "d:10-20", "d:0-10")}, {"g": [{"d:0-10": 3, "d:10-20": 1}]}, [3])
    found = {row.metric: row.value for row in rows}
    assert found["ndcg@3"] == pytest.approx((1 / math.log2(3) + 3 / math.log2(4)) / (3 + 1 / math.log2(3)))
    # to the others what has a grade is relevant
    assert (found["recall@3"], found["mrr"]) == (1, 0.5)


@given(RUNS, st.dictionaries(IDS, st.integers(1, 4), min_size=1, max_size=8), st.integers(1, 12))
def test_graded_metrics_are_those_of_ir_measures(ranking: list[str], grades: dict[str, int], k: int) -> None:
    rows = ranking_scores({"g": hits(*ranking)}, {"g": [grades]}, [k])
    found = {row.metric: row.value for row in rows}
    run = {"g": {key: -float(rank) for rank, key in enumerate(ranking)}}
    if not ranking:
        assert found[f"ndcg@{k}"] == 0
        return
    names = {nDCG @ k: f"ndcg@{k}", R @ k: f"recall@{k}", RR: "mrr", AP: "map"}
    for one in iter_calc(list(names), {"g": grades}, run):
        assert found[names[one.measure]] == pytest.approx(one.value)
