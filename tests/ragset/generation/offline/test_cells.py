from ragset.generation.offline.answer import answer_query
from ragset.generation.offline.cells import cells

FAULTS = """The boiler shows its faults by codes.

| Code | Meaning | Remedy |
|---|---|---|
| F3 | Flame lost | Clean the electrode |
| F7 | Fan blocked | Remove the leaves |
"""
DATA = """| Parameter | KX-20 | KX-40 |
|---|---:|---:|
| Rated power | 2 kW | 4 kW |
| Hose connections | 2 | 4 |
"""


def asked(chunk: str) -> dict[str, str]:
    return {cell.question.text: cell.question.answer for cell in cells(chunk)}


def test_a_cell_is_asked_for_by_the_heads_of_its_row_and_column() -> None:
    assert asked(FAULTS) == {
        "What is the meaning of code F3?": "Flame lost",
        "What is the remedy of code F3?": "Clean the electrode",
        "What is the meaning of code F7?": "Fan blocked",
        "What is the remedy of code F7?": "Remove the leaves",
    }


def test_where_columns_are_things_the_row_says_what_is_asked_and_a_plural_does_not() -> None:
    assert asked(DATA) == {
        "What is the rated power of the KX-20?": "2 kW",
        "What is the rated power of the KX-40?": "4 kW",
    }


def test_places_of_two_words_are_things_and_a_phrase_is_none() -> None:
    table = "| Town | Height |\n|---|---|\n| Bad Urach | 463 m |\n| Old mill | 390 m |\n"
    assert asked(table) == {"What is the height of Bad Urach?": "463 m"}


def test_what_two_rows_would_answer_is_not_asked() -> None:
    table = "| Code | Meaning |\n|---|---|\n| F3 | Flame lost |\n| F3 | Fan blocked |\n"
    assert asked(table) == {}


def test_a_table_without_a_head_is_not_asked_about() -> None:
    assert asked("| F3 | Flame lost |\n| F7 | Fan blocked |\n| F8 | Oil low |\n") == {}


def test_the_rows_of_head_and_cell_are_quoted() -> None:
    chunk = FAULTS + "\nThe fan is behind the plate on the left of the boiler, and the electrode is in front of it.\n"
    reply = answer_query(chunk, "What is the remedy of code F7?")
    assert reply.answer == "Remove the leaves"
    assert reply.quotes == ("| Code | Meaning | Remedy |", "| F7 | Fan blocked | Remove the leaves |")
    for quote in reply.quotes:
        assert quote in chunk
