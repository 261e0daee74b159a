import pytest

from ragset.generation.offline.question import Question
from ragset.generation.offline.wording import as_exam, as_keywords, wordings


def definition(term: str) -> Question:
    return Question("definition", f"What is {term}?", f"what {term} is", 3.0)


@pytest.mark.parametrize(
    ("term", "task"),
    [
        ("a water clock", "Define water clock."),
        ("longitude", "Define longitude."),
        ("the oldest known sundial", "Explain what the oldest known sundial is."),
        (
            "the basic unit of territorial division in Poland",
            "Explain what the basic unit of territorial division in Poland is.",
        ),
        ("Nepal", "Explain what Nepal is."),
    ],
)
def test_a_term_is_defined_and_a_thing_explained(term: str, task: str) -> None:
    assert as_exam(definition(term)) == task


def test_key_words_of_a_single_thing_are_its_name() -> None:
    assert as_keywords(definition("the oldest known sundial")) == "oldest known sundial"


def test_a_name_has_no_shorter_form() -> None:
    assert as_keywords(definition("Coordinated Universal Time")) is None


def test_a_question_is_known_in_each_of_its_forms() -> None:
    question = definition("a water clock")
    assert wordings(question) == {"What is a water clock?", "Define water clock.", "what is water clock"}


def test_key_words_keep_a_measure() -> None:
    question = Question("why", "Why does a clock lose a second a day?", "why a clock loses a second a day", 3.0)
    assert as_keywords(question) == "why clock loses a second a day"
