import pytest

from ragset.generation.offline.screening import judge_query, rewrite_query

TRAMWAY = (
    "The Aldmoor tramway opened in 1902. It carried coal because the roads were too steep for carts. The depot of Brill burnt"
    " down in 1911."
)


def bits(query: str) -> tuple[int, int, int]:
    said = judge_query(query)
    return said.independent, said.clear, said.verdict


@pytest.mark.parametrize(
    "query",
    [
        "Who invented the pendulum clock?",
        "Why does green tea turn bitter in water above 80 °C?",
        "What is trial division?",
        "Define reserved matters.",
        "pendulum clock inventor",
        "What happens to water when it freezes?",
        "How does inflation affect the economy?",
        "When and where was Bach born?",
        "What term referred to middle class citizens leaving the suburbs?",
        "¿Quién inventó el reloj de péndulo?",
        "Warum schmeckt beschatteter Tee süßer?",
        "Comment fonctionne une horloge à pendule?",
    ],
)
def test_a_query_that_names_its_subject_and_asks_one_thing_passes(query: str) -> None:
    assert bits(query) == (1, 1, 1)


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        ("What does the passage say about tea?", "leans on something"),
        ("When was this edict declared?", "leans on something"),
        ("In what year did it open?", 'who or what "it" is'),
        ("How many schools does the university run?", "say which university is meant"),
        ("Which player had the most interceptions for the season?", "say which season is meant"),
        ("What is it?", 'who or what "it" is'),
        ("What is the method?", "name its subject"),
        ("¿Cuánto duraría esta coalición?", "leans on something"),
    ],
)
def test_a_query_that_leaves_its_subject_open_is_told_what_to_name(query: str, hint: str) -> None:
    said = judge_query(query)
    assert (said.independent, said.verdict) == (0, 0)
    assert said.feedback.startswith("By rule: ")
    assert hint in said.feedback


@pytest.mark.parametrize(
    "query",
    [
        "What is kintsugi, and where did kintsugi begin?",
        "What happened in 1914?",
        "¿Qué es el té verde y dónde se cultiva?",
    ],
)
def test_a_query_of_two_questions_or_of_none_in_particular_is_not_clear(query: str) -> None:
    assert bits(query) == (1, 0, 0)


@pytest.mark.parametrize(
    ("query", "better"),
    [
        ("When did it open?", "When did the Aldmoor tramway open?"),
        ("According to the passage, when did the Aldmoor tramway open?", "When did the Aldmoor tramway open?"),
        (
            "When did the Aldmoor tramway open, and when did the depot of Brill burn down?",
            "When did the Aldmoor tramway open?",
        ),
    ],
)
def test_what_a_query_lacks_is_taken_from_the_passage_where_that_is_sure(query: str, better: str) -> None:
    assert not judge_query(query).verdict
    assert rewrite_query(TRAMWAY, query).query == better
    assert judge_query(better).verdict


def test_a_pronoun_that_may_stand_for_two_things_is_left_alone() -> None:
    both = "The Aldmoor tramway opened in 1902. The harbour of Brill opened in 1911."
    assert rewrite_query(both, "When did it open?").query is None


@pytest.mark.parametrize("query", ["What did she refuse?", "What is it?", "Who cast the bell that the text mentions?"])
def test_what_the_passage_does_not_name_is_not_made_up(query: str) -> None:
    reply = rewrite_query(TRAMWAY, query)
    assert reply.query is None
    assert "does not say for sure" in reply.reason
