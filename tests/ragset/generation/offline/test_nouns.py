import pytest

from ragset.generation.offline.nouns import full_name, in_sentence, standing


@pytest.mark.parametrize(
    ("phrase", "past", "rank"),
    [
        ("Christiaan Huygens", True, 3),
        ("The Grainger Market", True, 3),
        ("A prime number", False, 2),
        ("Pendulum clocks", False, 2),
        ("The anchor escapement", False, 2),
        ("The device", False, 0),
        ("The pendulum", False, 0),
        ("The Sun", False, 3),
        ("The equator", False, 2),
        ("Holden's announcement", True, 0),
        ("Multiple maps", True, 0),
        ("The device", True, 0),
        ("A large team of writers", True, 0),
        ("Some scholars", False, 0),
        ("His brother", True, 0),
        ("Many of them", True, 0),
        ("In London", True, 0),
        ("The clock that stopped", True, 0),
    ],
)
def test_a_phrase_stands_alone_by_a_name_or_as_a_kind(phrase: str, past: bool, rank: int) -> None:
    assert standing(phrase.split(), phrase, past=past) == rank


@pytest.mark.parametrize(
    ("phrase", "chunk", "written"),
    [
        ("The Grainger Market", "", "the Grainger Market"),
        ("Pendulum clocks", "", "pendulum clocks"),
        ("Norman mercenaries", "", "Norman mercenaries"),
        ("Greek dials", "", "Greek dials"),
        ("Construction", "", "construction"),
        ("Nepal", "", "Nepal"),
        ("Sand", "Sand runs. The sand is fine.", "sand"),
        ("Ctesibius of Alexandria", "", "Ctesibius of Alexandria"),
        ("William the Conqueror", "", "William the Conqueror"),
    ],
)
def test_only_names_keep_their_capital_in_a_sentence(phrase: str, chunk: str, written: str) -> None:
    assert in_sentence(phrase.split(), chunk) == written


def test_a_surname_is_completed_from_the_chunk() -> None:
    assert full_name("Davis", "Thomas Davis ran. When Davis fell, he rose.") == "Thomas Davis"


def test_a_peoples_name_is_no_first_name() -> None:
    assert full_name("Plague", "The Italian Plague came in 1629.") == "Plague"


@pytest.mark.parametrize("first", ["Christiaan", "Brian", "Adrian", "Norman", "Susan", "Herman"])
def test_a_first_name_may_end_as_a_peoples_name_does(first: str) -> None:
    assert full_name("Huygens", f"{first} Huygens built it. Huygens was pleased.") == f"{first} Huygens"
