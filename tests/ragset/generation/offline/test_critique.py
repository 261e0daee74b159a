import pytest

from ragset.generation.offline.critique import critique, groundedness, judge_support, relevance

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


def test_all_three_are_given_together_and_say_that_they_are_rules() -> None:
    found = critique("curators", PASSAGE, "Who invented the pendulum clock?", "Christiaan Huygens")
    assert (found.groundedness.score, found.clarity.score) == (5, 5)
    assert all(part.reason.startswith("By rule: ") for part in (found.groundedness, found.relevance, found.clarity))


QUERY, ANSWER = "When was the Shortt clock invented?", "In 1921."


@pytest.mark.parametrize(
    ("passage", "verdict"),
    [
        ("William Shortt was an engineer. The Shortt clock was invented in 1921 by William Shortt.", "full"),
        ("The Shortt clock was invented in 1923 by William Shortt.", "part"),
        ("The Shortt clock has two pendulums, and one of them swings in a vacuum.", "part"),
        ("Incense burns evenly and tells the hours of the night.", "none"),
    ],
)
def test_a_passage_answers_in_full_in_part_or_not(passage: str, verdict: str) -> None:
    (found,) = judge_support(QUERY, ANSWER, (passage,)).passages
    assert found.verdict == verdict
    assert all(quote in passage for quote in found.quotes)
    assert bool(found.quotes) == (verdict == "full")


def test_without_a_reference_any_answer_is_a_full_one() -> None:
    assert [one.verdict for one in judge_support(QUERY, "", ("The Shortt clock was invented in 1921.",)).passages] == [
        "full"
    ]
