import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.generation.offline.text import sentences, stem, words


def shown(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(text)]


def test_sentences_end_at_full_stops_question_marks_and_blank_lines() -> None:
    assert shown("One clock. Two clocks? A heading\n\nThree!") == ["One clock.", "Two clocks?", "A heading", "Three!"]


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Harrison met Mr. Graham in St. Albans.",
        "It cost 3.5 pounds at 10 a.m. in London.",
        "J. S. Bach had clocks, e.g. two of brass, vs. one of wood.",
        # German ordinals
        "Die Presse wurde am 1. April 2003 in Eupen gebaut.",
        "Das Kloster wurde im 12. Jahrhundert gegründet.",
        "Die Mühle brannte am 30. Jan. 1901 und im 2. Weltkrieg ab.",
        "Der Bau der 3. Brücke begann im 19. Jh. unter Dr. Brückner.",
        # Spanish plurals and titles
        "Los EE. UU. y los JJ. OO. de 1992 fueron un tema de la Sra. Gómez.",
        "La Dra. Ruiz nació en los EE. UU. en 1931 y habló con Uds. de ello.",
    ],
)
def test_abbreviations_and_initials_do_not_end_a_sentence(text: str) -> None:
    assert shown(text) == [text]


def test_a_line_break_inside_a_sentence_stays_in_it() -> None:
    assert shown("The clock of\nWells strikes. It is old.") == ["The clock of\nWells strikes.", "It is old."]


def test_list_marks_and_reference_marks_are_left_out() -> None:
    assert shown("- Brass expands.[7] Steel does less.\n- Invar hardly does.") == [
        "Brass expands.",
        "Steel does less.",
        "Invar hardly does.",
    ]


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="aB.?! \n-#1[]'\"é漢", max_size=80))
def test_offsets_are_exact_and_rise(text: str) -> None:
    end = 0
    for sentence in sentences(text):
        assert text[sentence.start : sentence.end] == sentence.text
        assert sentence.text == sentence.text.strip() != ""
        assert sentence.start >= end
        end = sentence.end


def test_forms_of_a_word_share_a_stem() -> None:
    assert {stem("clock"), stem("clocks"), stem("clock's")} == {"clock"}
    assert stem("invented") == stem("invents") == stem("invent")


def test_words_are_in_lower_case_and_keep_inner_hyphens() -> None:
    assert words("The Role @-@ playing half-hour, 3.5 m") == ["the", "role-playing", "half-hour", "3.5", "m"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The king died in 12. The queen reigned on.", ["The king died in 12.", "The queen reigned on."]),
        ("Sie zählte 12. Danach kam der Winter.", ["Sie zählte 12.", "Danach kam der Winter."]),
        ("Fue a los EE. UU. La sede es Bilbao.", ["Fue a los EE. UU.", "La sede es Bilbao."]),
        ("**Who repairs the bikes?**\nA workshop does.", ["**Who repairs the bikes?**", "A workshop does."]),
    ],
)
def test_a_number_an_abbreviation_and_a_mark_of_emphasis_can_end_a_sentence(text: str, parts: list[str]) -> None:
    assert shown(text) == parts
