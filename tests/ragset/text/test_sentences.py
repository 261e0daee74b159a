from itertools import pairwise

import pytest

from ragset.text.sentences import parts_heading, sentences


def parts(text: str, language: str = "en") -> list[str]:
    places = [0, *sentences(text, language), len(text)]
    return [text[start:end] for start, end in pairwise(places)]


def test_sentences_begin_behind_the_white_space() -> None:
    assert parts("It rained. We stayed in.  Then the sun came.") == [
        "It rained. ",
        "We stayed in.  ",
        "Then the sun came.",
    ]


def test_an_abbreviation_of_the_language_ends_no_sentence() -> None:
    assert parts("Dr. Huygens built it. It ran.") == ["Dr. Huygens built it. ", "It ran."]
    # German writes the day of a month with a full stop
    assert parts("Am 3. Mai kam er. Es war kalt.", "de") == ["Am 3. Mai kam er. ", "Es war kalt."]
    assert parts("Am 3. Mai kam er. Es war kalt.", "en")[0] == "Am 3. "


def test_closing_quotes_belong_to_their_sentence() -> None:
    assert parts('He said "Stop." Then he left.') == ['He said "Stop." ', "Then he left."]


def test_a_paragraph_ends_a_sentence_without_a_full_stop() -> None:
    assert parts("no stop here\n\nand on") == ["no stop here\n\n", "and on"]


def test_a_heading_goes_with_the_sentence_under_it() -> None:
    assert parts("Before.\n\n## Tides\n\nThe sea rises. It falls.") == [
        "Before.\n\n",
        "## Tides\n\nThe sea rises. ",
        "It falls.",
    ]


def test_japanese_sentences_end_without_a_space() -> None:
    assert parts("今日は雨だ。「行くか？」と聞いた。終わり", "ja") == [
        "今日は雨だ。",
        "「行くか？」",
        "と聞いた。",
        "終わり",
    ]


def test_hindi_sentences_end_at_the_danda() -> None:
    assert parts("यह घड़ी है। यह पुरानी है।", "hi") == ["यह घड़ी है। ", "यह पुरानी है।"]


def test_an_unknown_language_is_read_as_english() -> None:
    assert parts("Dr. Dent came. He left.", "xx") == ["Dr. Dent came. ", "He left."]


def test_a_lone_surrogate_moves_no_sentence() -> None:
    assert parts("One \ud800 came. He left.") == ["One \ud800 came. ", "He left."]


def test_a_long_paragraph_is_parted_as_short_ones_are() -> None:
    # 3,000 sentences of 34 characters: five blocks
    one = "Mr. Dent set the clock on Tuesday. "
    assert parts(one * 3_000) == [one] * 3_000


@pytest.mark.parametrize("unit", ["a", "a.", "a. ", "!", '."', " ", "\n", "。", "..", "(", "-- "])
def test_odd_texts_come_to_an_end(unit: str) -> None:
    text = unit * (60_000 // len(unit))
    places = sentences(text, "en")
    assert places == sorted(set(places))
    assert all(0 < place < len(text) for place in places)


@pytest.mark.parametrize(
    ("before", "parted"),
    [
        ("# Title\n", True),
        ("text\n== Wiki ==\n\n", True),
        ("text\n = = Wiki = = \n ", True),
        ("#hashtag\n", False),
        ("a # b\n", False),
        ("a\n\n", False),
    ],
)
def test_a_heading_is_parted_from_what_is_under_it(before: str, parted: bool) -> None:
    assert parts_heading(before + "Body", len(before)) is parted
