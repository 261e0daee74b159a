import pytest

from ragset.text.rules.conjoined import conjoined
from ragset.text.rules.passage_references import leans, prose, unnamed

TABLE = "| Event | Date |\n| --- | --- |\n| What is it? | ? |\n| Where this text ends | 1921 |"
CODE = "```python\nprint('What is it? And why?')\n```"
FORMULA = "$$\nT = 2 \\pi \\sqrt{l / g}\n$$"


@pytest.mark.parametrize("block", [TABLE, CODE, FORMULA, "A | B\n--- | ---\nit? | what?", "    x = 1  # what is it?"])
def test_prose_is_what_stands_outside_tables_code_and_formulas(block: str) -> None:
    assert prose(f"Which date is missing?\n\n{block}") == "Which date is missing?"


@pytest.mark.parametrize(
    "query", ["What is a clock?", "What does a | mean in a shell?", "What does `a | b` print?", ""]
)
def test_a_query_without_a_block_stays_as_it_is(query: str) -> None:
    assert prose(query) == query


@pytest.mark.parametrize(
    "query",
    [
        f"Which date is missing from this table?\n\n{TABLE}",
        f"In the following table, which date is missing?\n\n{TABLE}",
        f"{TABLE}\n\nIn the table above, which date is missing?",
        f"What does the code below print?\n\n{CODE}",
        f"In this formula, what is the length of the pendulum?\n{FORMULA}",
    ],
)
def test_a_query_may_speak_of_its_own_block(query: str) -> None:
    assert leans(query) is None
    assert conjoined(query) is None
    assert unnamed(query) is None


@pytest.mark.parametrize(
    ("language", "query"),
    [
        ("es", f"¿Qué fecha falta en esta tabla?\n\n{TABLE}"),
        ("de", f"Welches Datum fehlt in dieser Tabelle?\n\n{TABLE}"),
        ("fr", f"Quelle date manque dans ce tableau ?\n\n{TABLE}"),
    ],
)
def test_it_may_do_so_in_other_languages(language: str, query: str) -> None:
    assert leans(query, language) is None
    assert conjoined(query, language) is None


@pytest.mark.parametrize(
    "query",
    [
        "In the table above, which city is the largest?",
        "What does the code below print?",
        "In this table, which date is missing?",
        f"In the table above, which date is missing?\n\n{TABLE}",
        f"{TABLE}\n\nWhich date is missing from the table below?",
        f"According to the passage, which date is missing from this table?\n\n{TABLE}",
    ],
)
def test_a_block_that_is_not_there_is_leant_on(query: str) -> None:
    assert leans(query) is not None


def test_two_questions_beside_a_table_are_two() -> None:
    assert conjoined(f"Which date is missing from this table, and who built the clock?\n\n{TABLE}") is not None
