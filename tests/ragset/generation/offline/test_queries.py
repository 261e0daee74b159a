import pytest

from ragset.generation.offline.queries import clarity, compress, judge_evolution, judge_query, same_query

ALDMOOR = "The Aldmoor Tramway opened in 1902. A tramway is a railway that runs in streets."


@pytest.mark.parametrize(
    "query",
    [
        "Who invented the pendulum clock?",
        "What happens to water when it freezes?",
        "When and where was Bach born?",
        "¿Quién inventó el reloj de péndulo?",
        "Warum schmeckt beschatteter Tee süßer?",
    ],
)
def test_a_query_that_names_its_subject_and_asks_one_thing_passes(query: str) -> None:
    said = judge_query(query)
    assert (said.independent, said.clear, said.verdict) == (1, 1, 1)
    assert clarity(query).score == 5


@pytest.mark.parametrize(
    ("query", "hint", "score"),
    [
        ("What does the passage say about tea?", "leans on something", 1),
        ("In what year did it open?", 'who or what "it" is', 2),
        ("¿Cuánto duraría esta coalición?", "leans on something", 1),
        ("Why is that?", "name its subject", 2),
    ],
)
def test_a_query_that_leaves_its_subject_open_is_told_what_to_name(query: str, hint: str, score: int) -> None:
    said = judge_query(query)
    assert (said.independent, said.verdict) == (0, 0)
    assert hint in said.feedback
    assert clarity(query).score <= 2


def test_two_questions_are_told_where_the_second_begins() -> None:
    said = judge_query("What is kintsugi, and where did kintsugi begin?")
    assert (said.independent, said.clear, said.verdict) == (1, 0, 0)
    assert "where did kintsugi begin" in said.feedback


@pytest.mark.parametrize(("query", "score"), [("pendulum clock inventor", 5), ("clock", 3)])
def test_key_words_are_clear_and_a_single_word_is_not(query: str, score: int) -> None:
    assert clarity(query).score == score


@pytest.mark.parametrize(
    ("query", "short"),
    [
        ("When was the pendulum clock invented?", "when pendulum clock invented"),
        ("What is a sundial?", "what is sundial"),
        ("Who designed the Forth Bridge?", "who designed Forth Bridge"),
        ("forth bridge opened", None),
    ],
)
def test_compressing_leaves_out_articles_and_forms_of_be(query: str, short: str | None) -> None:
    assert compress(query).query == short


@pytest.mark.parametrize(
    ("query", "evolved", "same"),
    [
        ("When was the Forth Bridge opened?", "In what year was the Forth Bridge opened?", 1),
        ("How long is tea steeped?", "How long is tea steeped at 60 °C?", 0),
        ("When was the Forth Bridge opened?", "Why was the Forth Bridge opened?", 0),
        ("Who defeated Napoleon?", "Who was defeated by Napoleon?", 0),
    ],
)
def test_names_numbers_and_what_is_asked_for_make_another_query(query: str, evolved: str, same: int) -> None:
    assert same_query(query, evolved).same == same


@pytest.mark.parametrize(
    ("query", "bits"),
    [
        ("When did the Aldmoor Tramway open?", (1, 1)),
        ("When did it open?", (0, 1)),
        ("When did the Skarv Tramway open?", (1, 0)),
    ],
)
def test_an_evolved_query_stands_where_it_names_its_subject_and_is_answered(query: str, bits: tuple[int, int]) -> None:
    said = judge_evolution((ALDMOOR,), query)
    assert (said.standalone, said.answerable) == bits
