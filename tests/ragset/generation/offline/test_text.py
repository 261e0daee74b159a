import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.generation.offline.text import content, sentences


def shown(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(text)]


def test_sentences_end_at_full_stops_question_marks_and_blank_lines() -> None:
    assert shown("One clock. Two clocks? A heading\n\nThree!") == ["One clock.", "Two clocks?", "A heading", "Three!"]


def test_a_line_break_inside_a_sentence_stays_in_it() -> None:
    assert shown("The clock of\nWells strikes. It is old.") == ["The clock of\nWells strikes.", "It is old."]


def test_list_marks_and_reference_marks_are_left_out() -> None:
    assert shown("- Brass expands.[7] Steel does less.\n- Invar hardly does.") == [
        "Brass expands.",
        "Steel does less.",
        "Invar hardly does.",
    ]


@pytest.mark.parametrize(
    "label", ["Winding", "Scheduling policies", "       -.slice", "mill.conf", "   escape wheel   (brass)"]
)
def test_a_label_on_a_line_of_its_own_is_no_part_of_the_sentence_below(label: str) -> None:
    text = f"It turns.\n\n{label}\n              The root wheel is the first wheel that turns."
    assert shown(text) == ["It turns.", label.strip(), "The root wheel is the first wheel that turns."]


def test_what_stands_further_in_than_the_line_above_it_is_below_a_label() -> None:
    text = "It turns.\n\nDESCRIPTION\n       mill.conf says how\n       the wheel turns.\n\n  - oil the\n    pivots"
    assert shown(text) == [
        "It turns.",
        "DESCRIPTION",
        "mill.conf says how\n       the wheel turns.",
        "oil the\n    pivots",
    ]


def test_a_sentence_that_runs_over_lines_is_whole() -> None:
    text = "The wheel was moved by the brook\nfrom The Hague to\nThe Mill on its bank."
    assert shown(text) == [text]


@given(st.text(alphabet="aB.?! \n-#1[]'\"é漢", max_size=80))
def test_offsets_are_exact_and_rise(text: str) -> None:
    end = 0
    for sentence in sentences(text):
        assert text[sentence.start : sentence.end] == sentence.text
        assert sentence.text == sentence.text.strip() != ""
        assert sentence.start >= end
        end = sentence.end


def test_content_is_stems_of_the_words_that_name_something() -> None:
    assert content("When was the clock invented?") == content("clocks, inventing")
    assert content("What is it?") == ()


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("However, the clock (of 1386)[1] of\nWells strikes .", "The clock of Wells strikes."),
        ("**Invar** hardly expands.", "Invar hardly expands."),
    ],
)
def test_a_plain_sentence_is_on_one_line_without_brackets_and_markup(text: str, plain: str) -> None:
    assert [sentence.plain for sentence in sentences(text)] == [plain]
