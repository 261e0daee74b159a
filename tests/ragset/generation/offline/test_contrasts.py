import pytest

from ragset.generation.offline.contrasts import contrasted, measured

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
            "A disc brake presses two pads against a steel disc on the hub.",
            "A drum brake pushes two curved shoes outwards against a drum.",
            "How does a disc brake differ from a drum brake?",
        ),
        (
            "A suspension bridge is a bridge that hangs its deck from cables.",
            "A viaduct is a bridge that carries a railway on many arches.",
            "How does a suspension bridge differ from a viaduct?",
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
        # two words in common, and nothing to compare
        (
            "A healthy hive swings through two degrees of warmth in a whole cold night.",
            "A caesium fountain throws a cloud of atoms through a cold cavity at night.",
        ),
        # a kind, and its own kind
        (
            "A paper kite lifts its tail by the wind that presses on a thin sheet.",
            "A box kite carries its load by two cells made of paper and thin sticks.",
        ),
        (
            "An electric car moves its wheels by a motor that a battery feeds.",
            "A racing car drives its wheels by an electric motor of great power.",
        ),
        # what one merely has or is like
        ("A gas lamp has no wick that anybody must trim.", "An oil lamp burns colza oil in a flat cotton wick."),
        # a sentence that sets two apart by itself
        ("A tide mill shows the hour of the sea, whereas a mill shows that of work.", SUNDIAL),
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


def test_measures_are_read_where_the_second_clause_or_the_past_states_them() -> None:
    first = "A pocket barograph is as thin as a book; it drifts by about a minute a week, which nobody minds."
    second = "A well-made sand timer was good to about a quarter of an hour a day."
    third = "A cheap regulator gains or loses up to 20 seconds a day, and a town clock must be wound."
    compared = "How does the accuracy of {} compare with that of {}?"
    assert [found.query for found in measured(first, second)] == [
        compared.format("a pocket barograph", "a well-made sand timer")
    ]
    assert [found.query for found in measured(third, first)] == [
        compared.format("a cheap regulator", "a pocket barograph")
    ]


def test_how_often_two_things_swing_is_compared() -> None:
    first = "The balance of the Omega calibre vibrates 28,800 times an hour."
    second = "The fork of the Accutron vibrates 360 times a second."
    (found,) = measured(first, second)
    assert found.query == (
        "How does the frequency of the balance of the Omega calibre compare with that of the fork of the Accutron?"
    )


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
