import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.generation.offline.keyphrases import keyphrases, ranked


def test_runs_of_words_between_small_words_are_phrases() -> None:
    text = "The bascule bridge is lifted with a counterweight, and the bascule bridge has a wind limit."
    assert "bascule bridge" in keyphrases(text)
    assert "wind limit" in keyphrases(text)


def test_a_single_word_counts_only_if_it_is_said_again() -> None:
    assert keyphrases("The counterweight is there.") == ()
    assert keyphrases("The counterweight is there. It is the counterweight.") == ("counterweight",)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_there_are_at_most_six(text: str) -> None:
    assert len(keyphrases(text)) <= 6


@pytest.mark.parametrize(
    ("text", "there", "not_there"),
    [
        (
            "Edinburgh added a time gun in 1861, and Zhang Sixun drove a water wheel. A falling weight drives the tower clock, which is the oldest of them.",
            {"time gun", "Zhang Sixun", "water wheel", "falling weight", "tower clock"},
            {"Edinburgh added", "Zhang Sixun drove", "falling weight drives"},
        ),
        (
            "The English word clock comes from the Latin clocca, and the anchor bolt prevents a fall from the mast.",
            {"English word clock", "Latin clocca", "anchor bolt"},
            {"English word clock comes", "anchor bolt prevents"},
        ),
        (
            "To gain them, the committee voted. The ropes were set up around the old mast, and others burned.",
            set(),
            {"gain them", "others burned", "set up around"},
        ),
        (
            "Der Bau begann im Jahr 1976 in der neuen Siedlung am Weiher. Die alten Kohlekessel wurden durch Gaskessel ersetzt.",
            {"neuen Siedlung", "alten Kohlekessel"},
            {"Bau begann", "Gaskessel ersetzt"},
        ),
        (
            "La empresa eléctrica lanzó una nueva turbina en Bilbao, y el consejo escolar publicó un informe anual.",
            {"empresa eléctrica", "nueva turbina", "consejo escolar", "informe anual"},
            {"empresa eléctrica lanzó", "consejo escolar publicó"},
        ),
        (
            "Le vieux phare dominait la petite rade, et les gardiens quittèrent la tour blanche en 1992.",
            {"vieux phare", "petite rade", "tour blanche"},
            {"vieux phare dominait", "gardiens quittèrent"},
        ),
    ],
)
def test_a_phrase_has_no_verb(text: str, there: set[str], not_there: set[str]) -> None:
    found = set(ranked(text))
    assert there <= found
    assert not found & not_there


def test_words_said_once_come_last() -> None:
    assert ranked("The bascule bridge has a counterweight.") == ("bascule bridge", "counterweight")
