import pytest

from ragset.generation.offline.split import split_query

BINARY = "Binary counting works with two digits, zero and one."
DECIMAL = "The decimal system counts with ten digits."
NEITHER = "Bells were rung for other ends."


def parts(query: str) -> list[str]:
    return [part.query for part in split_query((BINARY, DECIMAL), query).parts]


@pytest.mark.parametrize(
    ("query", "pieces"),
    [
        (
            "How does binary counting work, and how does it differ from the decimal system?",
            ["How does binary counting work?", "How does binary counting differ from the decimal system?"],
        ),
        ("How do fish breathe and why do they sleep?", ["How do fish breathe?", "Why do fish sleep?"]),
        ("What are leap seconds? Why are they inserted?", ["What are leap seconds?", "Why are leap seconds inserted?"]),
        (
            "Who was Christiaan Huygens and what did he invent?",
            ["Who was Christiaan Huygens?", "What did Christiaan Huygens invent?"],
        ),
        (
            "How does a sundial show the time, and what limits its accuracy?",
            ["How does a sundial show the time?", "What limits a sundial's accuracy?"],
        ),
        (
            "When was the pendulum clock invented; by whom was it patented?",
            ["When was the pendulum clock invented?", "By whom was the pendulum clock patented?"],
        ),
        (
            "When and where was the Shortt clock built?",
            ["When was the Shortt clock built?", "Where was the Shortt clock built?"],
        ),
        (
            "How accurate is a sundial and how is a water clock filled?",
            ["How accurate is a sundial?", "How is a water clock filled?"],
        ),
    ],
)
def test_a_query_is_taken_apart_at_its_joint(query: str, pieces: list[str]) -> None:
    assert parts(query) == pieces


@pytest.mark.parametrize(
    "query",
    [
        "What is the law of supply and demand?",
        "How does a sundial differ from a water clock?",
        "How did the railway keep time and why did it matter?",
        "What limits the rate of a pendulum? Who found it?",
        "Which is heavier, lead or iron, and why?",
        "Did the great clock of Westminster start before Edinburgh added a gun?",
        "and",
        "",
    ],
)
def test_one_question_stays_one(query: str) -> None:
    assert parts(query) == [query]


def test_each_part_names_the_chunks_that_speak_of_it() -> None:
    split = split_query(
        (NEITHER, DECIMAL, BINARY), "How does binary counting work, and how does it differ from the decimal system?"
    )
    assert [part.chunks for part in split.parts] == [(3,), (2, 3)]


def test_a_part_that_no_chunk_speaks_of_names_all() -> None:
    split = split_query((NEITHER, DECIMAL), "Who was Galileo, and where did he die?")
    assert [part.chunks for part in split.parts] == [(1, 2), (1, 2)]
