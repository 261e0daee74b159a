import pytest

from ragset.llm.offline.bridges import bridged, is_person

INVENTED = "The pendulum clock was invented by Christiaan Huygens in The Hague in December 1656."
TRIED = "Huygens tried to abolish circular error by hanging the pendulum between two curved cheeks."


def test_a_person_is_described_by_what_the_other_chunk_says() -> None:
    (found,) = bridged(INVENTED, TRIED)
    assert found.query == "How did the person who invented the pendulum clock try to abolish circular error?"
    assert found.answer == f"{INVENTED} {TRIED}"
    assert found.shape == "bridge"


def test_another_bearer_of_the_surname_is_not_taken_for_the_person() -> None:
    assert list(bridged(INVENTED, TRIED.replace("Huygens", "Constantijn Huygens"))) == []


def test_nothing_leads_over_where_no_person_is_shared() -> None:
    assert list(bridged(INVENTED, TRIED.replace("Huygens", "George Graham"))) == []


@pytest.mark.parametrize(
    ("name", "text", "person"),
    [
        ("Christiaan Huygens", "Christiaan Huygens built it.", True),
        ("Great Western Railway", "The Great Western Railway ordered it.", False),
        ("Shortt Synchronome", "The Shortt Synchronome ran.", False),
        ("Huygens", "Huygens built it.", False),
        ("Royal Navy", "Royal Navy ships sailed.", False),
    ],
)
def test_a_person_has_two_names_and_no_article(name: str, text: str, person: bool) -> None:
    assert is_person(name, text) is person
