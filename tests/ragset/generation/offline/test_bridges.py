import pytest

from ragset.generation.offline.bridges import bridged, is_person, owned

INVENTED = "The pendulum clock was invented by Christiaan Huygens in The Hague in December 1656."
TRIED = "Huygens tried to abolish circular error by hanging the pendulum between two curved cheeks."


def test_a_person_is_described_by_what_the_other_chunk_says() -> None:
    (found,) = bridged(INVENTED, TRIED)
    assert found.query == "How did the person who invented the pendulum clock try to abolish circular error?"
    assert found.answer == f"{INVENTED} {TRIED}"
    assert found.shape == "bridge"


MADE = "The electric clock was invented by Clara Immer in Hamar in December 1856."


@pytest.mark.parametrize(
    ("second", "query"),
    [
        (
            "Immer's clocks were good to one second a day, and cheap.",
            "How accurate were the clocks of the person who invented the electric clock?",
        ),
        (
            "Immer's balance of 1871 is kept in Hamar.",
            "When was the balance of the person who invented the electric clock introduced?",
        ),
    ],
)
def test_what_belongs_to_a_person_is_asked_about_without_the_name(second: str, query: str) -> None:
    (found,) = owned(MADE, second)
    assert found.query == query
    assert found.shape == "bridge"


@pytest.mark.parametrize("second", ["Graham's clocks were good to one second a day.", "Immer's clocks were sold."])
def test_what_belongs_to_another_or_is_not_measured_leads_nowhere(second: str) -> None:
    assert list(owned(MADE, second)) == []


def test_a_word_that_opens_the_sentence_is_no_first_name() -> None:
    queries = [found.query for found in bridged(INVENTED, f"When Huygens was ill, nobody worked. {TRIED}")]
    assert "How did the person who invented the pendulum clock try to abolish circular error?" in queries


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
