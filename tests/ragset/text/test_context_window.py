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


TABLE = "Pumps of the plant.\n| Pump | Power |\n|---|---|\n| A100 | 40 kW |\n| B200 | 60 kW |\n"


def test_a_row_of_a_table_stands_under_its_titles_and_no_other_row() -> None:
    assert said(TABLE, "60 kW") == "Pumps of the plant. | Pump | Power | | B200 | 60 kW |"
    assert said("Name\tAge\nAnna\t12\nBo\t14", "14") == "Name\tAge Bo\t14".replace("\t", " ")


LIST = """Prices:

1. Adults
   - on weekdays 12 €
   - else 15 €
2. Children
   - on weekdays 7 €,
     with a card 6 €
"""


def test_an_item_of_a_list_stands_under_those_it_belongs_to_and_what_leads_up_to_the_list() -> None:
    assert said(LIST, "else 15") == "Prices: Adults else 15 €"
    assert said(LIST, "card 6") == "Prices: Children on weekdays 7 €, with a card 6 €"


def test_neither_the_number_of_an_item_nor_its_neighbours_count() -> None:
    more = LIST.replace("1. Adults", "1. Dogs\n   - free\n2. Adults").replace("2. Children", "3. Children")
    assert said(more, "card 6") == said(LIST, "card 6")


def test_a_heading_right_above_belongs_to_it_without_its_number() -> None:
    assert said("# Inn\n\n## 3. Dogs\n\nThey cost 5 €. They sleep outside.", "5 €") == "Dogs They cost 5 €."
    assert said("A word.\n\nThey cost 5 €.", "5 €") == "They cost 5 €."


def test_a_sentence_without_end_is_looked_at_for_some_thousand_characters() -> None:
    text = "so " * 3000 + "12 days " + "and " * 3000
    assert len(said(text, "12 days")) < 4100
