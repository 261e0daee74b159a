import pytest

from ragset.llm.offline.contrasts import contrasted, measured

WATER = "A water clock, or clepsydra, measures time by the flow of water through a small opening."
INCENSE = "An incense clock tells time by the even burning of powder or sticks."
SUNDIAL = "A sundial shows the time by the shadow of a fixed edge, the gnomon."


@pytest.mark.parametrize(
    ("first", "second", "query"),
    [
        (WATER, INCENSE, "How does a water clock differ from an incense clock?"),
        (SUNDIAL, WATER, "How does a sundial differ from a water clock?"),
        (
            "An hourglass measures a fixed length of time by the fall of sand.",
            WATER,
            "How does an hourglass differ from a water clock?",
        ),
        (
            "A caesium fountain cools a cloud of atoms with lasers.",
            "A lattice clock traps strontium atoms in a standing wave made by lasers.",
            "How does a caesium fountain differ from a lattice clock?",
        ),
    ],
)
def test_kinds_that_can_be_compared_are_asked_for_their_difference(first: str, second: str, query: str) -> None:
    (found,) = contrasted(first, second)
    assert found.query == query
    assert [part.chunk for part in found.parts] == [0, 1]
    assert found.parts[0].sentences[0].text == first
    assert found.parts[1].sentences[0].text == second


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (SUNDIAL, "Longitude is the difference between local time and the time at a known place."),
        (WATER, WATER),
        ("Magnetism makes the coils of the hairspring cling together.", SUNDIAL),
        ("The heavier the weights are and the further out they hang, the more slowly the clock goes.", WATER),
        ("The clock is better than all others of its time.", WATER),
    ],
)
def test_what_has_nothing_to_be_compared_by_is_left(first: str, second: str) -> None:
    assert list(contrasted(first, second)) == []


@pytest.mark.parametrize(
    ("first", "second", "query"),
    [
        (
            "The Shortt clock erred by about one second in a year.",
            "Graham's clocks were good to one second a day.",
            "How does the accuracy of the Shortt clock compare with that of Graham's clocks?",
        ),
        (
            "The pendulum of Big Ben is 4.4 metres long.",
            "The pendulum of Salisbury is 2 metres long.",
            "How does the length of the pendulum of Big Ben compare with that of the pendulum of Salisbury?",
        ),
    ],
)
def test_measures_of_one_kind_are_compared(first: str, second: str, query: str) -> None:
    assert [found.query for found in measured(first, second)] == [query]


def test_measures_of_two_kinds_are_not() -> None:
    assert list(measured("The pendulum of Big Ben is 4.4 metres long.", "The bell of Wells weighs 2 tonnes.")) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("An outflow clock has a fault that its makers knew well.", WATER),
        ("A smeared clock runs slow by about 11.6 parts in a million during a whole day.", WATER),
    ],
)
def test_a_statement_that_says_too_little_of_a_kind_is_left(first: str, second: str) -> None:
    assert list(contrasted(first, second)) == []
