import pytest

from ragset.generation.offline.critique import critique, grade_passage, groundedness, judge_support, relevance

PASSAGE = "The pendulum clock was invented by Christiaan Huygens in 1656. Incense burns evenly."
QUOTES = ("The pendulum clock was invented by Christiaan Huygens in 1656.", "Incense burns evenly.")


def test_an_answer_in_the_words_of_the_passage_is_grounded() -> None:
    assert groundedness(PASSAGE, "Who invented the pendulum clock?", "Christiaan Huygens", QUOTES).score == 5


def test_a_number_that_the_passage_does_not_state_is_not_grounded() -> None:
    assert groundedness(PASSAGE, "When was the pendulum clock invented?", "In 1657", QUOTES).score == 2


def test_an_answer_of_other_words_is_hardly_grounded() -> None:
    assert (
        groundedness(PASSAGE, "Who invented the pendulum clock?", "Galileo, an Italian genius, did", QUOTES).score <= 2
    )


def test_only_quotes_with_words_of_the_answer_are_needed() -> None:
    asked = "Who invented the pendulum clock?"
    assert groundedness(PASSAGE, asked, "Christiaan Huygens", QUOTES).needed == (1,)
    # "Yes" shares no word with either, so both stay
    assert groundedness(PASSAGE, asked, "Yes", QUOTES).needed == (1, 2)


def test_a_specific_query_is_relevant_to_anybody() -> None:
    assert relevance("curators", "Who invented the pendulum clock?").score == 5
    assert relevance("curators", "why incense").score == 4


def test_without_an_audience_there_is_no_relevance() -> None:
    assert critique("", PASSAGE, "Who invented the pendulum clock?", "Christiaan Huygens", QUOTES).relevance is None


def test_all_three_are_given_together_and_say_that_they_are_rules() -> None:
    found = critique("curators", PASSAGE, "Who invented the pendulum clock?", "Christiaan Huygens", QUOTES)
    assert (found.groundedness.score, found.clarity.score) == (5, 5)
    assert found.relevance
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


def test_passages_are_graded_by_how_much_of_them_answers() -> None:
    said = "The Shortt clock was invented in 1921."
    padding = " ".join(["Its case is of copper and its dial of enamel, and both were made in London."] * 4)
    chunks = (said, f"{said} {padding}", "The Shortt clock has two pendulums.", "Incense burns evenly.")
    found = grade_passage(QUERY, chunks)
    assert [(one.passage, one.grade) for one in found.grades] == [(1, 3), (2, 2), (3, 1), (4, 0)]


def test_without_a_reference_any_answer_is_a_full_one() -> None:
    assert [one.verdict for one in judge_support(QUERY, "", ("The Shortt clock was invented in 1921.",)).passages] == [
        "full"
    ]
