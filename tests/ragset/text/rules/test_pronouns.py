import pytest

from ragset.text.rules.passage_references import unnamed


@pytest.mark.parametrize(
    ("query", "language", "pronoun"),
    [
        ("In what year did it open?", "en", "it"),
        ("What made them popular?", "en", "them"),
        ("To whom did they sell the mill?", "en", "they"),
        ("Wann starb er?", "de", "er"),
        ("¿Por qué ella?", "es", "ella"),
        ("Quand est-il mort ?", "fr", "il"),
    ],
)
def test_a_pronoun_before_anything_it_could_stand_for_is_found(query: str, language: str, pronoun: str) -> None:
    assert unnamed(query, language) == pronoun


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("What happens to water when it freezes?", "en"),
        ("When was the clock built that it replaced?", "en"),
        ("How did Hume live after they had left Paris?", "en"),
        ("Wie hoch ist die Brücke, die er baute?", "de"),
        ("", "en"),
    ],
)
def test_a_pronoun_after_what_it_stands_for_is_let_pass(query: str, language: str) -> None:
    assert unnamed(query, language) is None


@pytest.mark.parametrize(
    "query",
    [
        "How long does it take for new areas to produce oil?",
        "What does it mean for a knot to be indecomposable?",
        "What is it called when a government is overthrown?",
        "How was it determined how many of each camp were appointed?",
    ],
)
def test_a_pronoun_that_stands_for_nothing_is_let_pass(query: str) -> None:
    assert unnamed(query) is None


def test_a_language_without_pronouns_here_is_let_pass() -> None:
    assert unnamed("Kiedy on umarł?", "pl") is None
    assert unnamed("When did he die?", "pl") is None
