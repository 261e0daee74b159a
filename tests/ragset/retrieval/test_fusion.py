import pytest

from ragset.retrieval.fusion import Hit, reciprocal_rank_fusion


def hits(*ids: str) -> list[Hit]:
    return [Hit(key, 1.0 - rank / 10) for rank, key in enumerate(ids)]


def test_a_chunk_in_both_rankings_has_the_sum_of_both_reciprocals() -> None:
    # b: 1/(60+2) + 1/(60+1)
    fused = dict(reciprocal_rank_fusion([hits("a", "b"), hits("b", "c")], limit=3))
    assert fused["b"] == pytest.approx(1 / 62 + 1 / 61)


def test_the_best_sum_comes_first() -> None:
    # b: 1/62 + 1/61; a: 1/61; c: 1/62
    fused = reciprocal_rank_fusion([hits("a", "b"), hits("b", "c")], limit=3)
    assert [hit.id for hit in fused] == ["b", "a", "c"]


def test_equal_sums_stand_in_the_order_of_ids() -> None:
    assert [hit.id for hit in reciprocal_rank_fusion([hits("z"), hits("a")], limit=2)] == ["a", "z"]


def test_no_more_than_the_limit_come_back() -> None:
    assert len(reciprocal_rank_fusion([hits("a", "b", "c")], limit=2)) == 2


def test_a_small_constant_makes_the_first_ranks_count_more() -> None:
    # constant 0: a has 1, b has 1/2 + 1/2 = 1 -> tie, a first; with 60 b wins
    rankings = [hits("a", "b"), hits("c", "b")]
    assert reciprocal_rank_fusion(rankings, limit=1)[0].id == "b"
    assert reciprocal_rank_fusion(rankings, limit=1, constant=0)[0].id == "a"
