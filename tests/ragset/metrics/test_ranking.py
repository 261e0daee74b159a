import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.fusion import Hit
from ragset.metrics.ranking import ranking_scores
from tests.ragset.metrics.gold import hits

IDS = st.sampled_from([f"d:{start}-{start + 10}" for start in range(0, 120, 10)])
RUNS = st.lists(IDS, unique=True, max_size=12)


def scores_of(ranking: list[Hit], relevant: list[str], *cutoffs: int) -> dict[str, float]:
    rows = ranking_scores({"g": ranking}, {"g": dict.fromkeys(relevant, 1)}, cutoffs)
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
    found = {row.metric: row.value for row in ranking_scores(run, {"g": {"a": 1}}, [5])}
    assert math.isnan(found.pop("gold_rank"))
    assert set(found) == {"hit_rate@5", "recall@5", "precision@5", "ndcg@5", "mrr", "map"}
    assert set(found.values()) == {0.0}


def test_a_golden_whose_evidence_the_chunking_lost_scores_0_and_is_not_left_out() -> None:
    rows = ranking_scores({"g": hits("a"), "h": hits("a")}, {"g": {}, "h": {"a": 1}}, [1])
    assert {row.golden: row.value for row in rows if row.metric == "recall@1"} == {"g": 0, "h": 1}


def test_a_golden_that_is_only_in_the_run_has_no_row() -> None:
    assert ranking_scores({"u": hits("a")}, {}, [1]) == []


def test_goldens_do_not_mix() -> None:
    rows = ranking_scores({"g": hits("a", "b"), "h": hits("a", "b")}, {"g": {"a": 1}, "h": {"b": 1}}, [1])
    assert {row.golden: row.value for row in rows if row.metric == "mrr"} == {"g": 1, "h": 1 / 2}
    assert [row.golden for row in rows] == ["g"] * 7 + ["h"] * 7


def test_a_cutoff_of_0_is_refused() -> None:
    with pytest.raises(ValueError, match="cutoffs"):
        ranking_scores({}, {}, [0])


@settings(deadline=None, max_examples=60)
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
