"""Pools of passages."""

from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.relevance.qrels import is_relevant
from ragset.generation.labelling.pool import pool_passages
from ragset.models import Span


def span(start: int, end: int, doc_id: str = "d") -> Span:
    return Span(doc_id=doc_id, start=start, end=end)


A, B, C = span(0, 100), span(100, 200), span(0, 100, "e")


def test_all_first_ranks_come_before_all_second_ones() -> None:
    pool = pool_passages({"bm25": [[A], [B]], "dense": [[C], [A]]}, 10)
    assert list(pool.items()) == [(A, {"bm25": 1, "dense": 2}), (C, {"dense": 1}), (B, {"bm25": 2})]


def test_a_passage_that_half_repeats_an_earlier_one_counts_as_that() -> None:
    # 60 of its 80 characters are of A
    pool = pool_passages({"bm25": [[A]], "mine": [[span(40, 120)]]}, 10)
    assert list(pool.items()) == [(A, {"bm25": 1, "mine": 1})]


def test_no_rank_is_deeper_than_the_pool() -> None:
    assert list(pool_passages({"bm25": [[A], [B]]}, 1)) == [A]


spans = st.tuples(st.integers(0, 60), st.integers(1, 30)).map(lambda place: span(place[0], sum(place)))
rankings = st.dictionaries(st.sampled_from("abc"), st.lists(st.lists(spans, max_size=2), max_size=6))


@given(rankings, st.integers(1, 6))
def test_every_hit_is_in_the_pool_at_its_rank_or_above(ranked: dict[str, list[list[Span]]], depth: int) -> None:
    pool = pool_passages(ranked, depth)
    for name, hits in ranked.items():
        for rank, places in enumerate(hits[:depth], start=1):
            for one in places:
                same = [known for known in pool if is_relevant(known.start, known.end, one)]
                assert any(pool[known].get(name, depth + 1) <= rank for known in same)
    assert all(1 <= rank <= depth for ranks in pool.values() for rank in ranks.values())
    known = list(pool)
    assert not any(is_relevant(one.start, one.end, other) for place, one in enumerate(known) for other in known[:place])
