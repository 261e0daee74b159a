"""How complete pooled labels are, with values worked out by hand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.completeness import DepthRow, completeness_of
from ragset.models import Golden


def golden(number: int, *judged: tuple[int, dict[str, int]]) -> Golden:
    rows = [{"passage": f"d{place}:0-9", "grade": grade, "ranks": ranks} for place, (grade, ranks) in enumerate(judged)]
    return Golden(
        id=f"g-{number}", query="?", answer=None, evidence=(), chunks=(), metadata={"judged": rows, "weight": number}
    )


def test_the_depth_of_a_passage_is_its_best_rank() -> None:
    found = completeness_of(
        [
            golden(1, (3, {"bm25": 1, "dense": 4}), (2, {"dense": 2}), (0, {"bm25": 3})),
            golden(2, (3, {"bm25": 10, "dense": 10}), (1, {"bm25": 1})),
            golden(3, (1, {"bm25": 1})),
        ]
    )
    assert found is not None
    assert (found.queries, found.answered, found.judged, found.relevant, found.depth) == (3, 2, 6, 3, 10)
    # relevant at depths 1, 2 and 10; complete at 2 and at 10
    assert found.rows == (
        DepthRow(1, 1 / 3, 0.0),
        DepthRow(2, 2 / 3, 0.5),
        DepthRow(3, 2 / 3, 0.5),
        DepthRow(5, 2 / 3, 0.5),
        DepthRow(10, 1.0, 1.0),
    )
    assert found.late == 0.5
    assert (found.asked, found.asked_answered) == (6, 3)  # weights 1, 2 and 3
    assert "50%" in found.advice
    assert found.alone == (("bm25", 0), ("dense", 1))


def test_what_two_searches_share_bounds_what_both_missed() -> None:
    # bm25 has 3, dense has 3, both have 2: (3 + 1) * (3 + 1) / (2 + 1) - 1 = 13/3 in all; 4 were found: 4 / (13/3)
    both = {"bm25": 1, "dense": 1}
    found = completeness_of([golden(1, (3, both), (3, both), (2, {"bm25": 2}), (2, {"dense": 2}))])
    assert found is not None
    assert found.at_most == pytest.approx(12 / 13)


def test_searches_that_share_nothing_bound_nothing() -> None:
    found = completeness_of([golden(1, (3, {"bm25": 1}), (3, {"dense": 1}))])
    assert found is not None
    assert found.at_most is None


@pytest.mark.parametrize("metadata", [{}, {"judged": []}, {"judged": 3}, {"judged": [{"grade": 1}]}])
def test_goldens_that_were_not_pooled_say_nothing(metadata: dict[str, Any]) -> None:
    plain = Golden(id="g-1", query="?", answer=None, evidence=(), chunks=(), metadata=metadata)
    assert completeness_of([plain]) is None


def test_queries_without_relevant_passages_have_no_curve() -> None:
    found = completeness_of([golden(1, (0, {"bm25": 1}))])
    assert found is not None
    assert (found.rows, found.late, found.advice, found.at_most) == ((), 0.0, "", None)


ranks = st.dictionaries(st.sampled_from(["bm25", "dense", "mine"]), st.integers(1, 20), min_size=1)
judged = st.lists(st.tuples(st.integers(0, 3), ranks), max_size=8)


@given(st.lists(judged, max_size=6))
def test_the_curve_rises_to_one_and_the_bound_is_a_share(pools: list[list[tuple[int, dict[str, int]]]]) -> None:
    found = completeness_of(golden(number, *pool) for number, pool in enumerate(pools, start=1))
    if found is None:
        assert not any(pools)
        return
    assert sum(count for _, count in found.alone) <= found.relevant <= found.judged
    assert found.at_most is None or 0 < found.at_most <= 1
    if found.relevant:
        assert found.rows[-1] == DepthRow(found.depth, 1.0, 1.0)
        for above, below in zip(found.rows, found.rows[1:], strict=False):
            assert above.passages <= below.passages
            assert above.queries <= below.queries
