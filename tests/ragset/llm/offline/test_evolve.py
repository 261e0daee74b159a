import pytest

from ragset.llm.offline.evolve import evolve

PASSAGE = (
    "The International Meridian Conference met in Washington in October 1884. Railway clocks were set daily because local time "
    "differed from town to town. If a railway clock stops, the station master sends for the time by telegraph."
)


def test_a_date_goes_when_a_query_is_generalised() -> None:
    found = evolve(PASSAGE, "Why did the Royal Navy adopt marine chronometers in 1825?", "generalise")
    assert found.query == "Why did the Royal Navy adopt marine chronometers?"


def test_a_place_goes_when_there_is_no_date() -> None:
    found = evolve(PASSAGE, "When did the International Meridian Conference meet in Washington?", "generalise")
    assert found.query == "When did the International Meridian Conference meet?"


def test_a_query_that_would_become_boundless_is_not_generalised() -> None:
    assert evolve(PASSAGE, "What did Greenland sign in 1985?", "generalise").query is None


def test_reasoning_asks_for_a_cause_of_the_same_subject() -> None:
    found = evolve(PASSAGE, "How often were railway clocks set?", "reasoning")
    assert found.query == "Why were railway clocks set daily?"


def test_conditional_asks_for_a_case_of_the_same_subject() -> None:
    found = evolve(PASSAGE, "Why were railway clocks set daily?", "conditional")
    assert found.query == "What happens if a railway clock stops?"


def test_compress_leaves_key_words() -> None:
    found = evolve(PASSAGE, "When did the International Meridian Conference meet in Washington?", "compress")
    assert found.query == "when International Meridian Conference met in Washington"


@pytest.mark.parametrize("kind", ["reasoning", "conditional"])
def test_what_the_passage_does_not_carry_is_null_with_a_reason(kind: str) -> None:
    found = evolve("Nepal is a state in Asia.", "What is Nepal?", kind)
    assert found.query is None
    assert found.reason.startswith("By rule: no ")


@pytest.mark.parametrize("kind", ["generalise", "reasoning", "conditional", "compress"])
def test_an_evolved_query_is_never_the_old_one(kind: str) -> None:
    query = "Why were railway clocks set daily?"
    assert evolve(PASSAGE, query, kind).query != query


@pytest.mark.parametrize(
    "query",
    [
        "When was daylight saving first ordered in Germany?",
        "What was the largest clock in Paris in 1900?",
        "Why did Bristol keep its own time until 1852?",
    ],
)
def test_what_ranks_or_bounds_is_not_generalised(query: str) -> None:
    assert evolve(PASSAGE, query, "generalise").query is None


def test_the_same_question_in_other_words_is_no_reasoning() -> None:
    assert evolve(PASSAGE, "Explain why railway clocks were set daily.", "reasoning").query is None


def test_reasoning_stays_with_its_kind_of_thing() -> None:
    passage = (
        "The verge escapement forces a pendulum to swing widely because its pallets are steep. "
        "The anchor escapement was invented about 1657 by Robert Hooke."
    )
    assert evolve(passage, "When was the anchor escapement invented?", "reasoning").query is None


def test_reasoning_does_not_cross_from_one_name_to_another() -> None:
    passage = "Bristol Clock Works closed in 1850 because coal was dear. Paris Clock Works opened in 1860."
    assert evolve(passage, "When did Paris Clock Works open?", "reasoning").query is None
