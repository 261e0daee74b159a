import pytest

from ragset.generation.offline.critique import (
    critique,
    grade_passage,
    groundedness,
    judge_chunk,
    judge_support,
    relevance,
    score_chunk,
)

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


def test_all_three_are_given_together_and_say_that_they_are_rules() -> None:
    found = critique("curators", (PASSAGE,), "Who invented the pendulum clock?", "Christiaan Huygens", QUOTES)
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


PROSE = (
    "The water clock of Karnak is the oldest that has come down to us. It was found in 1904 and is made of alabaster. "
    "Twelve columns of marks stand inside it, one for each month."
)
REFERENCES = (
    "[1] Ito, K. (2011). Leaf oxidation. Tea Sci. 8, 12-19. doi:10.1000/182\n"
    "[2] Moen, I. (1907). On lamps. J. Lights 3, pp. 4-9. doi:10.1000/183"
)
NO_SENTENCE = (
    "Clocks\nBowls\nWater",
    "Ada Finch <ada at mill.example>\nBo Lind <bo at mill.example>\nCy Marsh <cy at mill.example>",
    '{"pumps": [{"name": "north", "litres": 40}, {"name": "south", "litres": 25}]}',
    "| Wheel | Teeth |\n|---|---|\n| escape | 30 |\n| centre | 64 |",
    "def wind(clock):\n    clock.weight = clock.height\n    return clock",
)
ALONE = (
    PROSE,
    # a name, an option, a label or a quoted word in lower case begins a sentence
    "relayd is a daemon that forwards mail. It reads its rules at start.",
    "-q, --quiet\n       Print nothing but errors. The exit code is 1 where there was one.",
    "basin gates\n\nThe gates of a tide mill open inwards. The ebb shuts them.",
    '"for" loops expect an iterable, and stop at its end.',
    "- check that the weight hangs free, and wind the clock\n- oil the pivots once a year.",
    # where else something is said is no part of what is said
    "The bowl narrows towards the bottom, as shown above. Its walls are steep.",
    "- Held mail is now sent in order of age. (#6781)",
    "水時計は容器から水が流れ出る速さで時間を測る。",
)


@pytest.mark.parametrize("text", NO_SENTENCE)
def test_lists_tables_and_code_hold_no_full_sentence(text: str) -> None:
    verdict = judge_chunk(text)
    assert (verdict.self_containment, verdict.not_metadata) == (1, 0)
    assert verdict.reason == "By rule: holds no full sentence."


@pytest.mark.parametrize("text", ALONE)
def test_prose_passes(text: str) -> None:
    verdict = judge_chunk(text)
    assert (verdict.self_containment, verdict.not_metadata) == (1, 1)
    assert verdict.reason == "By rule: holds full sentences."


def test_references_are_metadata_and_get_the_lowest_grades() -> None:
    verdict = judge_chunk(REFERENCES)
    assert verdict.not_metadata == 0
    assert verdict.reason.startswith("By rule: references: ")
    scores = score_chunk(REFERENCES)
    assert (scores.clarity, scores.depth, scores.structure, scores.relevance) == (1, 1, 1, 1)


def test_what_passes_gets_the_highest_grades() -> None:
    scores = score_chunk(PROSE)
    assert (scores.clarity, scores.depth, scores.structure, scores.relevance) == (3, 3, 3, 3)
