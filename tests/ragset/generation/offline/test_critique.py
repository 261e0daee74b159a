import pytest

from ragset.generation.offline.critique import clarity, critique, groundedness, relevance

PASSAGE = "The pendulum clock was invented by Christiaan Huygens in 1656. Incense burns evenly."


def test_an_answer_in_the_words_of_the_passage_is_grounded() -> None:
    assert groundedness(PASSAGE, "Who invented the pendulum clock?", "Christiaan Huygens").score == 5


def test_a_number_that_the_passage_does_not_state_is_not_grounded() -> None:
    assert groundedness(PASSAGE, "When was the pendulum clock invented?", "In 1657").score == 2


def test_an_answer_of_other_words_is_hardly_grounded() -> None:
    assert groundedness(PASSAGE, "Who invented the pendulum clock?", "Galileo, an Italian genius, did").score <= 2


def test_a_query_that_names_what_the_passage_speaks_of_is_relevant() -> None:
    assert relevance("curators", "Who invented the pendulum clock?", PASSAGE).score >= 4


def test_a_query_about_something_else_is_not_relevant() -> None:
    assert relevance("curators", "Who painted the ceiling of the chapel?", PASSAGE).score == 2


@pytest.mark.parametrize(
    ("query", "score"),
    [
        ("Who invented the pendulum clock?", 5),
        ("Explain why incense burns evenly.", 5),
        ("pendulum clock inventor", 4),
        ("clock", 3),
        ("What is the device used for?", 3),
        ("Why did he stop?", 1),
        ("What does the passage say about incense?", 1),
        ("What happened to them after these events?", 2),
        ("What was Iran?", 3),
        ("What happened in 1914?", 3),
        ("How long is the pendulum?", 3),
        ("When did Congress make the zones law?", 3),
        ("What did the team win?", 3),
        ("What is the system?", 2),
        ("What is Nepal?", 5),
        ("Who was Napoleon?", 5),
        ("Define longitude.", 5),
        ("¿Qué es un reloj de agua?", 5),
    ],
)
def test_clarity_is_what_a_reader_knows_without_the_passage(query: str, score: int) -> None:
    assert clarity(query).score == score


def test_all_three_are_given_together_and_say_that_they_are_rules() -> None:
    found = critique("curators", PASSAGE, "Who invented the pendulum clock?", "Christiaan Huygens")
    assert (found.groundedness.score, found.clarity.score) == (5, 5)
    assert all(part.reason.startswith("By rule: ") for part in (found.groundedness, found.relevance, found.clarity))


@pytest.mark.parametrize(
    "query",
    [
        'Who coined the term "circular error"?',
        "Who coined the term “dry rot”?",
        "Who coined the term 'tidal lock'?",
        'Who wrote "The Curse of the Daleks" for the BBC?',
        'What does "lock" mean on the canal of Leeds?',
    ],
)
def test_a_term_in_quotes_is_no_oddity(query: str) -> None:
    assert clarity(query).score == 5


def test_one_quote_alone_is_one() -> None:
    assert clarity('Who coined the term "circular error in Leeds?').score == 3
