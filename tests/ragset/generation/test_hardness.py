from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ragset.generation.hardness import LEVELS, choose_mix, hardness_of, level_of
from ragset.models import Golden, Span, Step


def golden(number: int = 0, *, chunks: int = 1, evolutions: tuple[str, ...] = (), **metadata: Any) -> Golden:
    return Golden(
        id=f"g-{number}",
        query="q",
        answer="a",
        evidence=(Span(doc_id="d", start=0, end=5),),
        chunks=tuple(f"d:{place}-{place + 9}" for place in range(chunks)),
        lineage=tuple(Step(stage="evolve", kind=kind, prompt="p@1#0", model="m", query="q") for kind in evolutions),
        metadata=metadata,
    )


def test_nothing_known_is_medium_without_a_reason() -> None:
    found = hardness_of(golden())
    assert (found.level, found.points, found.reasons) == ("medium", 0, ())


def test_found_first_and_in_the_words_of_the_text_is_easy() -> None:
    # -1 for the rank, -1 for the run, -1 for no new word
    found = hardness_of(golden(round_trip={"rank": 1}, overlap={"share": 0.8, "covered": 1.0}))
    assert (found.level, found.points) == ("easy", -3)
    assert found.reasons[0] == "round trip: rank 1 (-1)"


def test_what_a_reader_knows_by_heart_is_easy_even_if_it_was_evolved() -> None:
    assert hardness_of(golden(evolutions=("reasoning", "deepen"), closed_book={"known": True})).level == "easy"


def test_three_chunks_or_not_found_are_hard() -> None:
    assert hardness_of(golden(chunks=3)).level == "hard"
    assert hardness_of(golden(round_trip={"rank": None})).level == "hard"


def test_little_evolutions_count_half_and_there_is_a_limit() -> None:
    assert hardness_of(golden(evolutions=("compress",))).points == 0.5
    assert hardness_of(golden(evolutions=("reasoning",) * 5)).points == 2


def test_another_plain_question_is_no_harder() -> None:
    assert hardness_of(golden(evolutions=("broaden",))).points == 0
    found = hardness_of(golden(evolutions=("broaden", "deepen")))
    assert (found.points, found.reasons) == (1, ("evolved: broaden, deepen (+1)",))


def labelled(level: str, count: int) -> list[Golden]:
    return [golden(10 * LEVELS.index(level) + place, hardness={"level": level}) for place in range(count)]  # type: ignore[arg-type]


def test_a_mix_that_the_pool_allows_is_met() -> None:
    pool = labelled("easy", 9) + labelled("medium", 9) + labelled("hard", 9)
    chosen = [level_of(one) for one in choose_mix(pool, 10, {"easy": 0.2, "medium": 0.5, "hard": 0.3})]
    assert [chosen.count(level) for level in LEVELS] == [2, 5, 3]


def test_where_one_level_is_short_the_best_of_the_others_fill_up() -> None:
    pool = labelled("easy", 9) + labelled("medium", 9) + labelled("hard", 1)
    chosen = [level_of(one) for one in choose_mix(pool, 10, {"easy": 1, "medium": 2, "hard": 3})]
    # 2, 3 and 5 are wanted, and 1 of the 5 is there
    easy, medium, hard = (chosen.count(level) for level in LEVELS)
    assert (easy >= 2, medium >= 3, hard, len(chosen)) == (True, True, 1, 10)


@given(st.lists(st.integers(0, 9), min_size=3, max_size=3), st.integers(0, 30), st.randoms(use_true_random=False))
def test_a_mix_has_as_many_as_there_can_be_and_is_the_same_in_any_order(
    counts: list[int], wanted: int, random: Any
) -> None:
    pool = [one for level, count in zip(LEVELS, counts, strict=True) for one in labelled(level, count)]
    shares = {"easy": 0.2, "hard": 0.8}
    chosen = choose_mix(pool, wanted, shares)
    assert len({one.id for one in chosen}) == len(chosen) == min(wanted, len(pool))
    random.shuffle(pool)
    assert choose_mix(pool, wanted, shares) == chosen
