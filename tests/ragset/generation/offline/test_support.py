import pytest

from ragset.generation.offline.support import judge_support

QUERY, ANSWER = "When was the Shortt clock invented?", "In 1921."
SAME = "William Shortt was a railway engineer. The Shortt clock was invented in 1921 by William Shortt."
OTHER_YEAR = "The Shortt clock was invented in 1923 by William Shortt."
ABOUT = "The Shortt clock has two pendulums, and one of them swings in a vacuum."
ELSEWHERE = "Incense burns evenly and tells the hours of the night."


@pytest.mark.parametrize(
    ("passage", "verdict"), [(SAME, "full"), (OTHER_YEAR, "differs"), (ABOUT, "part"), (ELSEWHERE, "none")]
)
def test_a_passage_answers_in_full_otherwise_in_part_or_not(passage: str, verdict: str) -> None:
    assert [one.verdict for one in judge_support(QUERY, ANSWER, (passage,)).passages] == [verdict]


def test_a_full_answer_quotes_the_sentence_to_the_letter() -> None:
    reply = judge_support(QUERY, ANSWER, (ELSEWHERE, SAME))
    assert [one.passage for one in reply.passages] == [1, 2]
    assert reply.passages[1].quotes == ("The Shortt clock was invented in 1921 by William Shortt.",)


def test_without_a_reference_a_passage_answers_only_the_very_year_that_is_asked_for() -> None:
    query = "What did Charles Dowd propose in 1881?"
    held = "In 1881, Charles Dowd proposed a railway museum."
    near = "Charles Dowd proposed belts of equal time in 1870."
    assert [one.verdict for one in judge_support(query, "", (held, near)).passages] == ["full", "part"]


def test_a_name_alone_does_not_answer_a_question_about_something_else() -> None:
    query, answer = "What is the third most populated megalopolis in the United States?", "Southern California"
    passage = "Southern California has the third busiest airport in the United States by international passengers."
    assert [one.verdict for one in judge_support(query, answer, (passage,)).passages] == ["part"]


@pytest.mark.parametrize(
    ("query", "answer", "passage", "verdict"),
    [
        # another maker
        (
            "Who designed the Tyrell bridge?",
            "Ada Quill",
            "The Tyrell bridge was designed by Tom Rudge in 1911.",
            "differs",
        ),
        (
            "Who designed the Tyrell bridge?",
            "Ada Quill",
            "The Tyrell bridge was designed by Ada Quill of Leeds.",
            "full",
        ),
        # another reason
        (
            "Why is the Selm kiln small?",
            "The Selm kiln is small because clay is dear.",
            "The Selm kiln is small because the potters moved it by hand.",
            "differs",
        ),
        # made of something else, however the subject is written
        (
            "What does a steam turbine consist of?",
            "A steam turbine consists of one or more rotors on a shaft.",
            "A steam turbine consists of discs and blades in a casing.",
            "differs",
        ),
        # used for something else
        (
            "What is the Orr basin used for?",
            "The Orr basin is used for the breeding of carp.",
            "The Orr basin is used for swimming lessons in June.",
            "differs",
        ),
        # the same at more length
        (
            "What is the Orr basin used for?",
            "The Orr basin is used for carp.",
            "The Orr basin is used for the breeding of trout and of carp.",
            "full",
        ),
    ],
)
def test_the_same_question_answered_otherwise_differs_whatever_it_asks_for(
    query: str, answer: str, passage: str, verdict: str
) -> None:
    assert [one.verdict for one in judge_support(query, answer, (passage,)).passages] == [verdict]


def test_a_capital_more_or_less_is_the_same_question() -> None:
    query = "Why is southern Tyria dry?"
    reply = judge_support(
        query,
        "Southern Tyria is dry because the hills hold the clouds.",
        ("Southern Tyria is dry because cold currents pass its coast. It has been so for a long time.",),
    )
    assert [one.verdict for one in reply.passages] == ["differs"]
