import pytest

from ragset.models import Span
from ragset.text.context_window import paragraph, sentence


def at(text: str, part: str) -> Span:
    start = text.index(part)
    return Span(doc_id="d", start=start, end=start + len(part))


def said(text: str, part: str) -> str:
    return sentence(text, at(text, part))


PROSE = "The vat\nis cleaned every 12 days, e.g. with hot brine. After that Dr. Moss brushes the rind. It dries.\n\nSalt is kept."


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("every 12 days", "The vat is cleaned every 12 days, e.g. with hot brine."),
        ("brushes", "After that Dr. Moss brushes the rind."),
        (
            "hot brine. After",
            "The vat is cleaned every 12 days, e.g. with hot brine. After that Dr. Moss brushes the rind.",
        ),
        ("It dries.", "It dries."),
        ("Salt", "Salt is kept."),
    ],
)
def test_the_sentences_that_hold_a_span(part: str, expected: str) -> None:
    assert said(PROSE, part) == expected


def test_the_paragraph_that_holds_it() -> None:
    assert paragraph(PROSE, at(PROSE, "Salt")) == "Salt is kept."


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Name\tAge\nAnna\t12\nBo\t14", "14"),
        ("Prices:\n1. Adults 12 €\n   - else 15 €\n2. Children 7 €", "else 15"),
    ],
)
def test_a_list_or_a_table_counts_as_a_whole(text: str, part: str) -> None:
    assert said(text, part) == " ".join(text.split())


def test_a_heading_right_above_belongs_to_it_without_its_number() -> None:
    assert said("# Inn\n\n## 3. Dogs\n\nThey cost 5 €. They sleep outside.", "5 €") == "Dogs They cost 5 €."
    assert said("A word.\n\nThey cost 5 €.", "5 €") == "They cost 5 €."


def test_a_sentence_without_end_is_looked_at_for_some_thousand_characters() -> None:
    text = "so " * 3000 + "12 days " + "and " * 3000
    assert len(said(text, "12 days")) < 4100
