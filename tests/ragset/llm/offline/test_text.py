import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.llm.offline.text import sentences, stem, words


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
