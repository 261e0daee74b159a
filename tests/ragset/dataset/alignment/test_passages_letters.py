import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.alignment.passages import letters_of


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("Tea, at 80 °C!", "teaat80c"),
        ("ﬁve oﬃces", "fiveoffices"),
        ("Café CAFE\u0301", "cafecafe"),
        ("Straße", "strasse"),
        ("five-\nminute min\u00adute", "fiveminuteminute"),
        ("１２ ① ½", "12112"),
        ("水钟。한국", "水钟한국"),
        ("😀 a😀b", "ab"),
        ("", ""),
    ],
)
def test_letters_are_casefolded_and_plain(text: str, letters: str) -> None:
    assert letters_of(text).text == letters


def test_each_letter_knows_where_it_came_from() -> None:
    found = letters_of("a ﬁ-x")
    assert (found.text, found.places.tolist()) == ("afix", [0, 2, 2, 4])


@given(st.text())
def test_letters_and_places_go_together(text: str) -> None:
    found = letters_of(text)
    assert len(found.text) == len(found.places)
    assert found.places.tolist() == sorted(found.places.tolist())
    # each place has one text, whatever stands around it
    assert found.text == "".join(letters_of(character).text for character in text)
