import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.text.query_forms import OPENINGS, QueryForm, form_of, mix_of, quartiles


@pytest.mark.parametrize(
    ("query", "language", "form"),
    [
        ("Who lit the Skarv Point lighthouse?", "en", QueryForm("factoid", 6, True)),
        ("In which year was it lit?", "en", QueryForm("factoid", 6, True)),
        ("How many keepers did it have?", "en", QueryForm("factoid", 6, True)),
        ("how long is the pier", "en", QueryForm("factoid", 5, False)),
        ("Does the lamp turn?", "en", QueryForm("factoid", 4, True)),
        ("Why did the lamp go out?", "en", QueryForm("open", 6, True)),
        ("how do keepers trim a wick", "en", QueryForm("open", 6, False)),
        ("skarv point lamp range", "en", QueryForm("keyphrase", 4, False)),
        ("¿Por qué se apagó el faro?", "es", QueryForm("open", 6, True)),
        ("altura del faro", "es", QueryForm("keyphrase", 3, False)),
        ("Wie viele Stufen hat der Turm?", "de", QueryForm("factoid", 6, True)),
    ],
)
def test_a_form_is_opening_length_and_question_mark(query: str, language: str, form: QueryForm) -> None:
    assert form_of(query, language) == form


def test_a_mix_counts_forms() -> None:
    forms = [QueryForm("factoid", 4, True), QueryForm("factoid", 6, True), QueryForm("keyphrase", 2, False)]
    mix = mix_of(forms)
    assert mix.shares == {"factoid": pytest.approx(2 / 3), "open": 0, "keyphrase": pytest.approx(1 / 3)}
    assert mix.words == (3, 4, 5)  # of 2, 4, 6
    assert mix.question_marks == pytest.approx(2 / 3)
    assert quartiles([7]) == (7, 7, 7)


@given(st.lists(st.text(max_size=40), min_size=1, max_size=8))
def test_shares_of_any_queries_add_up_to_one(queries: list[str]) -> None:
    mix = mix_of(map(form_of, queries))
    assert sum(mix.shares.values()) == pytest.approx(1)
    assert set(mix.shares) == set(OPENINGS)
