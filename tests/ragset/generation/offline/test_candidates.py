import pytest

from ragset.generation.offline.candidates import told


@pytest.mark.parametrize(
    "text",
    [
        "Hourglasses at sea\nAn hourglass measures a fixed length of time.",
        "= = Use at sea = = An hourglass measures a fixed length of time.",
    ],
)
def test_a_heading_is_no_part_of_the_sentence_below_it(text: str) -> None:
    (found,) = told(text)
    assert found.text == "An hourglass measures a fixed length of time."
    (sentence,) = found.evidence
    assert text[sentence.start : sentence.end] == sentence.text == found.text


def test_a_line_that_is_broken_off_is_no_heading() -> None:
    (found,) = told("The sand of the\nlarge glass was seldom sand.")
    assert found.text == "The sand of the large glass was seldom sand."


def test_a_pronoun_brings_the_sentence_that_names_whom_it_means() -> None:
    first, second = told("The Karnak bowl is kept in Cairo. It was found in 1904.")
    assert (first.text, len(first.evidence)) == ("The Karnak bowl is kept in Cairo.", 1)
    assert (second.text, len(second.evidence)) == ("The Karnak bowl was found in 1904.", 2)
