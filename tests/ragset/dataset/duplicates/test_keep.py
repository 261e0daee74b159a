from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.duplicates.find import Repeat, keep_better
from ragset.models import Candidate, Span

CHARACTER = Span(doc_id="d", start=0, end=1)


def made(query: str, *scores: int) -> Candidate:
    given: dict[str, int] = dict(zip(("groundedness", "relevance", "clarity"), scores, strict=False))
    return Candidate(chunks=(), query=query, answer="a", evidence=(CHARACTER,), scores=given)


def test_the_better_scored_stays_and_the_other_says_for_which_it_went() -> None:
    choice = keep_better([made("one", 3, 4, 4), made("two", 5, 4, 4)], [Repeat(1, 0, "near", 0.9)])
    assert choice.kept == (1,)
    assert choice.dropped == (Repeat(0, 1, "near", 0.9),)


def test_at_the_same_mean_the_more_grounded_stays_and_then_the_shorter() -> None:
    assert keep_better([made("one", 4, 5), made("two", 5, 4)], [Repeat(1, 0, "near", 0.9)]).kept == (1,)
    assert keep_better([made("longer", 5, 5), made("short", 5, 5)], [Repeat(1, 0, "near", 0.9)]).kept == (1,)


def test_what_repeats_only_something_that_goes_stays() -> None:
    # a, the best, is like b, and b like c; a and c are not alike
    repeats = [Repeat(1, 0, "near", 0.9), Repeat(2, 1, "near", 0.9)]
    assert keep_better([made("a", 5), made("b", 4), made("c", 3)], repeats).kept == (0, 2)


def test_of_many_with_the_same_words_the_best_stays() -> None:
    repeats = [Repeat(1, 0, "exact", 1.0), Repeat(2, 0, "exact", 1.0)]
    choice = keep_better([made("a b", 3), made("b a", 5), made("A b", 4)], repeats)
    assert choice.kept == (1,)
    assert [(repeat.index, repeat.of) for repeat in choice.dropped] == [(0, 1), (2, 1)]


def test_what_an_earlier_dataset_has_goes_whatever_its_scores() -> None:
    repeats = [Repeat(0, "g-1", "exact", 1.0), Repeat(1, 0, "exact", 1.0)]
    choice = keep_better([made("a", 5), made("A", 5), made("b", 1)], repeats)
    assert choice.kept == (2,)
    assert [repeat.of for repeat in choice.dropped] == ["g-1", "g-1"]


@given(
    st.lists(st.integers(1, 5), min_size=2, max_size=8),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=10),
    st.randoms(use_true_random=False),
)
def test_none_that_stays_repeats_another_and_the_order_does_not_matter(
    scores: list[int], links: list[tuple[int, int]], random: object
) -> None:
    candidates = [made(f"query {place}", score) for place, score in enumerate(scores)]
    pairs = {(min(a, b), max(a, b)) for a, b in links if a != b and max(a, b) < len(scores)}
    choice = keep_better(candidates, [Repeat(high, low, "near", 0.8) for low, high in sorted(pairs)])
    assert not any(low in choice.kept and high in choice.kept for low, high in pairs)
    assert sorted([*choice.kept, *(repeat.index for repeat in choice.dropped)]) == list(range(len(scores)))
    assert all(tuple(sorted((repeat.index, int(repeat.of)))) in pairs for repeat in choice.dropped)

    last = len(scores) - 1
    turned = [Repeat(last - low, last - high, "near", 0.8) for low, high in sorted(pairs)]
    again = keep_better(candidates[::-1], turned)
    assert {last - place for place in again.kept} == set(choice.kept)
