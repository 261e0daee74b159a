import pytest

from ragset.generation.offline.verbs import PARTICIPLE, PAST, SINGULAR, is_finite, past_of_participle, singular


@pytest.mark.parametrize(
    ("past", "base"),
    [("invented", "invent"), ("wrote", "write"), ("carried", "carry"), ("planned", "plan"), ("caused", "cause"), ("found", "find")],
)  # fmt: skip
def test_the_past_leads_back_to_the_base_form(past: str, base: str) -> None:
    assert PAST[past] == base


def test_a_form_that_equals_its_base_says_nothing_of_the_past() -> None:
    assert "set" not in PAST
    assert "put" not in PAST


@pytest.mark.parametrize(
    ("base", "form"), [("drive", "drives"), ("carry", "carries"), ("push", "pushes"), ("play", "plays")]
)
def test_the_third_person_takes_s(base: str, form: str) -> None:
    assert singular(base) == form
    assert SINGULAR[form] == base


def test_a_participle_becomes_a_past() -> None:
    assert past_of_participle("written") == "wrote"
    assert past_of_participle("designed") == "designed"
    assert past_of_participle("blorped") is None
    assert PARTICIPLE["driven"] == "drive"


def test_finite_forms_are_told_from_participles() -> None:
    assert is_finite("was")
    assert is_finite("wrote")
    assert not is_finite("written")
