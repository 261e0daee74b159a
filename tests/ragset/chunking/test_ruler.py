import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ragset.chunking.ruler import Ruler, Unit

UNITS = st.sampled_from(["tokens", "characters", "words"])
TEXTS = st.text(min_size=1, max_size=80) | st.text(alphabet="ab 🦙漢é.\n", min_size=1, max_size=80)


def test_words_stand_between_spaces() -> None:
    ruler = Ruler("one  two\nthree", "words")
    assert ruler.measure(0, 14) == 3
    assert ruler.reach(0, 2) == 9
    assert ruler.back(14, 2) == 5


def test_a_word_cut_at_either_end_counts_whole() -> None:
    # "ne two th" touches three words
    assert Ruler("one two three", "words").measure(1, 10) == 3


def test_chinese_characters_and_kana_are_words() -> None:
    # 東 京 の 都 and "Tokyo" and 。 with nothing else in its run
    assert Ruler("東京の都 Tokyo。", "words").measure(0, 11) == 5


def test_a_run_of_450_letters_counts_as_three_words() -> None:
    # 200 + 200 + 50
    assert Ruler("x" * 450, "words").measure(0, 450) == 3


def test_tokens_of_hello_world() -> None:
    ruler = Ruler("Hello, world!", "tokens")
    assert ruler.measure(0, 13) == 4
    assert ruler.reach(0, 2) == 6
    assert ruler.back(13, 2) == 6


def test_a_character_of_several_tokens_counts_all_of_them() -> None:
    # "a", then three for the llama, then "b"
    ruler = Ruler("a🦙b", "tokens")
    assert ruler.measure(1, 2) == 3
    assert ruler.reach(0, 3) == 1
    assert ruler.back(2, 2) == 2


def test_characters_are_characters() -> None:
    ruler = Ruler("añ🦙", "characters")
    assert (ruler.measure(0, 3), ruler.reach(1, 1), ruler.back(3, 2)) == (3, 2, 1)


@pytest.mark.parametrize("unit", ["tokens", "characters", "words"])
def test_an_empty_text_measures_nothing(unit: Unit) -> None:
    assert Ruler("", unit).measure(0, 0) == 0


@given(TEXTS, UNITS, st.data())
def test_reach_is_the_furthest_end_within_the_units(text: str, unit: Unit, data: st.DataObject) -> None:
    ruler = Ruler(text, unit)
    start = data.draw(st.integers(0, len(text) - 1))
    units = data.draw(st.integers(1, 12))
    end = ruler.reach(start, units)
    assert end > start
    assume(end > start + 1)  # a single character may be too long by itself
    assert ruler.measure(start, end) <= units
    assert end == len(text) or ruler.measure(start, end + 1) > units


@given(TEXTS, UNITS, st.data())
def test_back_is_a_start_within_the_units(text: str, unit: Unit, data: st.DataObject) -> None:
    ruler = Ruler(text, unit)
    end = data.draw(st.integers(1, len(text)))
    units = data.draw(st.integers(1, 12))
    start = ruler.back(end, units)
    assert start >= end or ruler.measure(start, end) <= units
