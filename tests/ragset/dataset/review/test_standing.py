from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from ragset.dataset.review.records import Edit, Review, by_item, guidelines_used, standing


def said(reviewer: str, item: str, verdict: str | None = "good", guideline: str = "golden@1", **more: object) -> Review:
    return Review.of(reviewer, item, "golden", guideline, verdict=verdict, **more)


def undo(line: Review, reviewer: str = "") -> Review:
    return Review.of(reviewer or line.reviewer, line.item, "golden", line.guideline, undoes=line.id)


def test_of_one_person_the_latest_counts_and_of_two_both() -> None:
    first, other, later = said("Ada", "g-1"), said("Bo", "g-1"), said("Ada", "g-1", "bad")
    assert standing([first, other, later], "golden") == (other, later)
    assert by_item([other, later]) == {"g-1": (other, later)}


def test_an_undone_line_gives_way_to_the_one_before_and_comes_back_when_the_undo_is_undone() -> None:
    first, second = said("Ada", "g-1"), said("Ada", "g-1", "bad")
    back = undo(second)
    assert standing([first, second, back], "golden") == (first,)
    assert standing([first, second, back, undo(back)], "golden") == (second,)


def test_nobody_undoes_the_line_of_another() -> None:
    line = said("Ada", "g-1")
    assert standing([line, undo(line, "Bo")], "golden") == (line,)


def test_a_skip_takes_back_and_is_no_judgement() -> None:
    skip = said("Ada", "g-1", None)
    assert standing([said("Ada", "g-1"), skip], "golden") == (skip,)
    assert by_item([skip]) == {}


def test_versions_of_a_guideline_are_told_apart_and_the_newest_comes_first() -> None:
    old, new = said("Ada", "g-1", "bad", "golden@2"), said("Ada", "g-1", "good", "golden@10")
    lines = [new, said("Bo", "g-2", guideline="golden@2"), old]
    assert guidelines_used(lines, "golden") == {"golden@10": 1, "golden@2": 2}
    assert standing(lines, "golden", "golden@10") == (new,)


_LINES = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.sampled_from(["good", "bad", None]), st.integers(0, 9)),
    max_size=20,
)


def _lines(drawn: Sequence[tuple[str, str, str | None, int]]) -> list[Review]:
    lines: list[Review] = []
    for reviewer, item, verdict, undone in drawn:
        target = lines[undone] if undone < len(lines) else None
        lines.append(undo(target, reviewer) if target and undone % 3 == 0 else said(reviewer, item, verdict))
    return lines


@given(_LINES)
def test_each_person_counts_at_most_once_an_item_whatever_the_lines(
    drawn: list[tuple[str, str, str | None, int]],
) -> None:
    lines = _lines(drawn)
    counting = standing(lines, "golden")
    assert len({(one.reviewer, one.item) for one in counting}) == len(counting)
    assert list(counting) == [line for line in lines if line in counting]
    assert all(one.undoes is None for one in counting)


@given(_LINES)
def test_undoing_the_last_line_of_a_person_is_as_if_it_had_never_been(
    drawn: list[tuple[str, str, str | None, int]],
) -> None:
    lines = _lines(drawn)
    line = said("a", "x", "bad")
    assert standing([*lines, line, undo(line)], "golden") == standing(lines, "golden")


@pytest.mark.parametrize(
    ("kind", "fields", "why"),
    [
        ("golden", {"grade": 3}, "gets a verdict"),
        ("answer", {"verdict": "good"}, "gets a grade"),
        ("answer", {"grade": 0}, "is 1 to 5"),
        ("relevance", {"grade": 4}, "is 0 to 3"),
        ("golden", {"verdict": "bad", "undoes": "12345678"}, "says nothing else"),
        ("golden", {"reasons": ["Wrong answer"]}, "are codes"),
        ("golden", {"reviewer": "A\u202eda"}, "cannot be seen"),
        ("golden", {"edit": {"evidence": []}}, "at least 1"),
    ],
)
def test_a_review_that_makes_no_sense_is_refused(kind: str, fields: dict[str, object], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        Review.of(**{"reviewer": "Ada", "item": "g-1", "kind": kind, "guideline": "golden@1", **fields})  # type: ignore[arg-type]


def test_good_with_a_correction_was_not_good_as_made_and_one_more_place_corrects_nothing() -> None:
    assert said("Ada", "g-1", edit=Edit(equivalents=())).good
    assert not said("Ada", "g-1", edit=Edit(answer="80 °C")).good
