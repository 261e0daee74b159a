import pytest

from ragset.generation.offline.answer import answer_query
from ragset.generation.offline.candidates import candidates
from ragset.generation.offline.evolve import evolve
from ragset.text.rules.conjoined import conjoined
from ragset.text.rules.passage_references import leans

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


NEW = ("constraints", "deepen", "concretise", "more_steps", "complicate_input", "broaden")
METALS = (
    "Metals, such as brass, were used for the plates. Metals expand when they are warm because their atoms swing more "
    "widely. Wood swells in damp air."
)
HISTORY = (
    "The Riefler clock was built by Sigmund Riefler in 1889. In 1921, William Shortt invented the free pendulum clock. "
    "The deadbeat escapement was invented by George Graham about 1715."
)


@pytest.mark.parametrize(
    ("passage", "query", "narrower"),
    [
        (
            "The anchor escapement was invented by Robert Hooke in December 1657 and sold the next year.",
            "Who invented the anchor escapement?",
            "Who invented the anchor escapement in December 1657?",
        ),
        (
            "In 1942, the Tower Building was renovated because its roof had rotted.",
            "Why was the Tower Building renovated?",
            "Why was the Tower Building renovated in 1942?",
        ),
    ],
)
def test_constraints_binds_the_query_to_what_the_answering_sentence_says(
    passage: str, query: str, narrower: str
) -> None:
    assert evolve(passage, query, "constraints").query == narrower


def test_a_condition_of_a_second_verb_is_none_of_the_query() -> None:
    passage = (
        "Philip II of Spain ordered Pedro Menéndez to protect his interest by attacking the French at Fort Caroline."
    )
    assert evolve(passage, "Who ordered Pedro Menéndez?", "constraints").query is None


def test_what_is_asked_for_is_no_condition() -> None:
    passage = "In 1942, the Tower Building was renovated."
    assert evolve(passage, "When was the Tower Building renovated?", "constraints").query is None


def test_deepen_asks_why_for_what_the_answer_states() -> None:
    passage = "Edinburgh added a gun in 1861, because fog hid the ball."
    assert evolve(passage, "When did Edinburgh add a gun?", "deepen").query == "Why did Edinburgh add a gun in 1861?"


def test_deepen_does_not_go_to_what_others_did() -> None:
    passage = (
        "The physician Rabban Sauma founded the Office of Western Medicine in 1263. "
        "Chinese physicians opposed Western medicine because it contradicted their philosophy."
    )
    query = "When did the physician Rabban Sauma found the Office of Western Medicine?"
    assert evolve(passage, query, "deepen").query is None


def test_concretise_puts_a_case_in_the_place_of_its_kind() -> None:
    passage = "Dividing cells, such as lymph cells, are found in blood. Other cells are rarer."
    assert evolve(passage, "Where are dividing cells found?", "concretise").query == "Where are lymph cells found?"


def test_concretise_keeps_a_query_whose_kind_has_no_case() -> None:
    passage = "Dividing cells are found in blood. Lymph cells are rarer."
    assert evolve(passage, "Where are dividing cells found?", "concretise").query is None


def test_more_steps_sets_two_dates_against_each_other() -> None:
    found = evolve(HISTORY, "Who built the Riefler clock?", "more_steps")
    assert found.query is not None
    assert " before " in found.query
    reply = answer_query(HISTORY, found.query)
    assert reply.answer is not None
    assert reply.answer.startswith(("Yes. ", "No. "))
    assert len(reply.quotes) == 2


def test_complicate_input_leaves_the_answer_out_of_a_table() -> None:
    found = evolve(HISTORY, "Who built the Riefler clock?", "complicate_input")
    assert found.query is not None
    assert found.query.splitlines()[:4] == [
        "Which value is missing from this table?", "", "| Fact | Value |", "| --- | --- |",
    ]  # fmt: skip
    assert "| Who built the Riefler clock | ? |" in found.query.splitlines()
    assert "Sigmund" not in found.query
    assert answer_query(HISTORY, found.query).answer == "Sigmund Riefler"
    assert (leans(found.query), conjoined(found.query)) == (None, None)


def test_a_table_takes_no_second_table() -> None:
    once = evolve(HISTORY, "Who built the Riefler clock?", "complicate_input").query
    assert once is not None
    assert evolve(HISTORY, once, "complicate_input").query is None


def test_broaden_asks_about_another_thing_by_another_sentence() -> None:
    found = evolve(HISTORY, "Who built the Riefler clock?", "broaden")
    assert found.query is not None
    assert "Riefler" not in found.query
    assert answer_query(HISTORY, found.query).verdict == "answered"


@pytest.mark.parametrize("kind", NEW)
def test_one_bare_fact_is_not_evolved(kind: str) -> None:
    found = evolve("Nepal is a state in Asia.", "What is Nepal?", kind)
    assert found.query is None
    assert found.reason.startswith("By rule: ")


@pytest.mark.parametrize("kind", NEW)
@pytest.mark.parametrize("passage", [PASSAGE, METALS, HISTORY])
def test_what_a_rule_makes_of_a_query_can_be_answered_and_stands_alone(kind: str, passage: str) -> None:
    for candidate in candidates(passage):
        found = evolve(passage, candidate.question.text, kind).query
        if found:
            assert found != candidate.question.text
            assert answer_query(passage, found).verdict == "answered"
            assert (leans(found), conjoined(found)) == (None, None)
