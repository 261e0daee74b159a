import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.documents.cleaning import clean_text

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)
"""Lone surrogates, controls and unassigned characters included."""
NEARLY_WORDS = st.text(st.sampled_from("abB-- \n\t\r[]1#=*\u00ad\u0301\u2028"), max_size=60)
"""What hyphens, headings and notes are made of, so that their rules meet."""


@given(ANY_TEXT | NEARLY_WORDS, st.booleans())
def test_cleaning_again_changes_nothing(text: str, drop: bool) -> None:
    once = clean_text(text, drop_references=drop)
    assert clean_text(once, drop_references=drop) == once


@given(ANY_TEXT | NEARLY_WORDS)
def test_cleaned_text_is_nfc_and_has_nothing_that_cannot_be_seen(text: str) -> None:
    cleaned = clean_text(text)
    assert unicodedata.is_normalized("NFC", cleaned)
    assert not [
        character for character in cleaned if unicodedata.category(character) == "Cc" and character not in "\n\t"
    ]
    assert not [character for character in cleaned if unicodedata.category(character) == "Cs"]
    assert cleaned.encode().decode() == cleaned
    assert cleaned == cleaned.strip()
    assert "\n\n\n" not in cleaned
    assert all(line == line.rstrip() for line in cleaned.split("\n"))


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=8), min_size=1, max_size=20))
def test_plain_words_are_left_as_they_are(words: list[str]) -> None:
    text = " ".join(words)
    assert clean_text(text) == text


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\u2029", "\x85", "\f", "\v", "\x1e"])
def test_every_line_end_becomes_one_character(end: str) -> None:
    assert clean_text(f"one{end}two") == "one\ntwo"


def test_more_than_one_blank_line_becomes_one() -> None:
    assert clean_text("one\n\n \n\t\n\r\ntwo\n") == "one\n\ntwo"


def test_white_space_at_the_ends_of_lines_goes_and_indents_stay() -> None:
    assert clean_text("  one \t\n    two\u00a0\nthree  ") == "one\n    two\nthree"


def test_letters_and_marks_are_composed() -> None:
    assert clean_text("Cafe\u0301 Å") == "Café Å"


def test_marks_that_something_unseen_kept_apart_are_composed() -> None:
    assert clean_text("e\u200b\u0301") == "é"


def test_controls_and_byte_order_marks_go_and_joiners_stay() -> None:
    assert clean_text("\ufeffa\x00b\x07c\u00add\u200be") == "abcde"
    assert clean_text("👩\u200d🚀 می\u200cخواهم") == "👩\u200d🚀 می\u200cخواهم"


def test_half_a_surrogate_pair_becomes_a_replacement_character() -> None:
    assert clean_text("a\ud800b") == "a\ufffdb"
    assert clean_text("\ud83d\ude00") == "😀"


def test_a_word_parted_at_a_line_end_is_whole_again() -> None:
    assert clean_text("the pendu-\nlum swings") == "the pendulum swings"
    assert clean_text("the pendu-\r\n   lum swings") == "the pendulum swings"
    assert clean_text("die Schwin-\ngungen") == "die Schwingungen"


def test_the_hyphen_of_man_pages_joins_words_as_any_other() -> None:
    assert clean_text("the ver\u2010\n       sion of the clock") == "the version of the clock"


def test_a_compound_known_from_elsewhere_keeps_its_hyphen() -> None:
    assert clean_text("a well-known clock, well-\nknown in Delft") == "a well-known clock, well-known in Delft"


def test_a_compound_is_known_by_any_two_of_its_neighbours() -> None:
    assert clean_text("state-of-the-art work; the-\nart") == "state-of-the-art work; the-art"


def test_a_hyphen_before_a_capital_or_a_number_stays() -> None:
    assert clean_text("Baden-\nBaden, 1914-\n1918") == "Baden-\nBaden, 1914-\n1918"


def test_a_dash_of_a_list_is_no_hyphen() -> None:
    assert clean_text("- one\n- two -\nthree") == "- one\n- two -\nthree"


def test_a_word_with_a_space_after_its_hyphen_is_joined_if_the_text_has_it_whole() -> None:
    assert clean_text("a com- puter is a computer") == "a computer is a computer"


def test_a_hyphen_that_stands_for_a_shared_part_stays() -> None:
    assert clean_text("pre- and postwar clocks") == "pre- and postwar clocks"


@pytest.mark.parametrize(
    "line",
    [
        "word " * 200_000,
        "x" * 1_000_000,
        "a" + " " * 1_000_000 + "b",
        "x" * 100_000 + "-\n" + "y" * 100_000,
        "ab- " * 50_000,
        "-\n" * 100_000,
        "[" * 200_000,
        "{{" * 100_000,
        "`" * 200_000,
        "`a``b" * 40_000,
    ],
    ids=["words", "one word", "spaces", "broken", "spaced hyphens", "hyphens", "brackets", "braces", "ticks", "code"],
)
def test_a_megabyte_of_anything_is_cleaned_in_linear_time(line: str) -> None:
    start = time.process_time()
    clean_text(line, drop_references=True)
    assert time.process_time() - start < 2
