import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.chunking.boundaries import Boundaries, Pattern, Places, by_recursion, by_sentence

PARAGRAPH, LINE, SENTENCE, WRAP, WORD = range(5)


def all_of(boundaries: Boundaries, text: str) -> list[int]:
    places, low = [], 0
    while (place := boundaries.first(low, len(text))) is not None:
        places.append(place)
        low = place + 1
    return places


@pytest.mark.parametrize(
    ("level", "text", "places"),
    [
        (PARAGRAPH, "one\n\ntwo\n \n\n  three\nfour", [5, 14]),
        (LINE, "One\nTwo\n  - three\nfour\n5", [4, 8, 23]),
        (WRAP, "One\nTwo\nfour", [4, 8]),
        (SENTENCE, 'It rains. "So?" He left. e.g. this... And 3.5 mm', [10, 16, 38]),
        (SENTENCE, "雨だ。風だ！終わり", [3, 6]),
        (WORD, "one  two\nthree", [5, 9]),
    ],
)
def test_boundaries_of_a_level(level: int, text: str, places: list[int]) -> None:
    assert all_of(by_recursion(text)[level], text) == places


def test_nothing_is_parted_right_under_a_heading() -> None:
    text = "Before.\n\n## Tides\n\nThe sea.\n\nThe moon."
    assert all_of(by_recursion(text)[PARAGRAPH], text) == [9, 29]


def test_sentences_come_before_words() -> None:
    text = "Dr. Ede came. He left."
    found, words = by_sentence(text, "en")
    assert all_of(found, text) == [14]
    assert all_of(words, text) == [4, 8, 14, 17]


def test_the_last_one_may_be_at_the_high_end_and_not_at_the_low_one() -> None:
    for boundaries in (Places([4, 9]), Pattern("one two  three", re.compile(r"\s+"))):
        assert boundaries.last(0, 9) == 9
        assert boundaries.last(4, 8) is None


def test_the_first_one_may_be_at_the_low_end_and_not_at_the_high_one() -> None:
    for boundaries in (Places([4, 9]), Pattern("one two  three", re.compile(r"\s+"))):
        assert boundaries.first(4, 9) == 4
        assert boundaries.first(5, 9) is None


@given(st.text(alphabet="aB. \n", max_size=400), st.integers(0, 400), st.integers(0, 400))
def test_a_pattern_finds_what_a_list_of_its_matches_does(text: str, one: int, other: int) -> None:
    low, high = sorted((min(one, len(text)), min(other, len(text))))
    listed = Places([match.end() for match in re.finditer(r"[ \n]+", text + "x") if match.end() < len(text)])
    pattern = Pattern(text, re.compile(r"[ \n]+"))
    if high < len(text) and not text[high].isspace():
        assert pattern.last(low, high) == listed.last(low, high)
