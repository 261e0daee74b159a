import pytest

from ragset.generation.offline.order import ordered

WESTMINSTER = "Clocks of London are many. The great clock of Westminster started on 31 May 1859."
ANCHOR = "The anchor escapement appeared in London about 1670."
LEVER = "The lever escapement was invented by Thomas Mudge about 1755."


@pytest.mark.parametrize(
    ("first", "second", "query", "verdict"),
    [
        (
            ANCHOR,
            LEVER,
            "Which came first, the anchor escapement or the lever escapement?",
            "The anchor escapement came first.",
        ),
        (
            "The suspension bridge of Conwy was opened in 1826.",
            "The tubular bridge of Conwy was completed in 1848.",
            "Which came first, the suspension bridge of Conwy or the tubular bridge of Conwy?",
            "The suspension bridge of Conwy came first.",
        ),
        (
            "The upper lock of Trollhättan was rebuilt late. The upper lock of Trollhättan was built in 1844.",
            "The great lock of Ijmuiden was finished in 1930.",
            "Which came first, the great lock of Ijmuiden or the upper lock of Trollhättan?",
            "The upper lock of Trollhättan came first.",
        ),
    ],
)
def test_of_two_things_of_one_kind_it_is_asked_which_came_first(
    first: str, second: str, query: str, verdict: str
) -> None:
    found = [one for pair in ((first, second), (second, first)) for one in ordered(*pair)]
    found = [one for one in found if " many years " not in one.query]
    assert [one.query for one in found] == [query]
    assert found[0].answer.startswith(f"{verdict} ")
    assert found[0].shape == "comparison"


@pytest.mark.parametrize(
    ("first", "second", "query", "verdict"),
    [
        (
            "Hamar bought the Skibladner in 1856, and repaired it.",
            "The Skibladner sank at its moorings in 1937.",
            "Did Hamar buy the Skibladner before the Skibladner sank at its moorings?",
            "Yes",
        ),
        (
            "Lego opened a park in Windsor in 1996.",
            "Lego bought a share in Merlin in 2005.",
            "Did Lego open a park in Windsor before Lego bought a share in Merlin?",
            "Yes",
        ),
    ],
)
def test_two_events_that_name_one_thing_are_put_in_order(first: str, second: str, query: str, verdict: str) -> None:
    found = next(ordered(first, second))
    assert (found.query, found.answer) == (query, f"{verdict}. {first} {second}")


@pytest.mark.parametrize(
    ("first", "second", "query", "years"),
    [
        (
            "The suspension bridge of Conwy was opened in 1826.",
            "The tubular bridge of Conwy was completed in 1848.",
            "How many years after the suspension bridge of Conwy was opened was the tubular bridge of Conwy completed?",
            "Twenty-two years.",
        ),
        (
            "The upper lock of Trollhättan was built in 1844.",
            "The great lock of Ijmuiden was finished on 29 April 1930.",
            "About how many years after the upper lock of Trollhättan was built was the great lock of Ijmuiden finished?",
            "About eighty-six years.",
        ),
        (
            "Lego opened a park in Windsor in 1896.",
            "Lego bought a share in Merlin in 2005.",
            "How many years after Lego opened a park in Windsor did Lego buy a share in Merlin?",
            "A hundred and nine years.",
        ),
    ],
)
def test_of_two_years_that_are_known_the_time_between_is_asked(first: str, second: str, query: str, years: str) -> None:
    found = [one for pair in ((first, second), (second, first)) for one in ordered(*pair)]
    (one,) = (one for one in found if " many years " in one.query)
    assert one.query == query
    assert one.answer.startswith(f"{years} ")


def test_a_rough_date_leaves_the_time_between_open() -> None:
    assert not any(" many years " in found.query for found in ordered(ANCHOR, LEVER))


def test_a_matter_in_common_and_few_years_apart_are_put_in_order() -> None:
    first = "Railways needed one time. The Great Western Railway ordered London time in 1840."
    second = "Railways of the west crossed many towns. Charles Dowd proposed belts of equal time in 1870."
    (found,) = ordered(second, first)
    assert (
        found.query
        == "Did Charles Dowd propose belts of equal time before the Great Western Railway ordered London time?"
    )
    assert found.answer.startswith("No. ")


def test_dates_that_may_be_the_same_are_not_compared() -> None:
    again = WESTMINSTER.replace("on 31 May 1859", "in 1859").replace("Westminster", "Salisbury")
    assert list(ordered(WESTMINSTER, again)) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # nothing in common but that they are dated
        ("Barack Obama visited Kenya in 2015.", "Internet2 retired Abilene in 2007."),
        ("The first leap second was inserted on 30 June 1972.", "Egypt attacked Israel in 1973. Oil prices rose."),
        ("Warsaw opened its first stock exchange in 1817.", "Quebec sent 500 men south in 1754."),
        # a place in common
        ("Robert Peel founded a police force in London in 1829.", "Ruth Belville retired in London in 1940."),
        # one kind, too far apart to be asked about in one breath
        ("The bridge of Arta was built about 1606.", "The bridge of Normandy was opened in 1995."),
        # a kind, and one of its own
        ("The pendulum clock was invented in 1656.", "The last pendulum clock was made by William Shortt in 1921."),
        # it goes without saying
        ("Cicely Barker died in 1973.", "Cicely Barker published eight postcards in 1923."),
    ],
)
def test_what_nobody_would_put_in_order_is_left(first: str, second: str) -> None:
    assert [*ordered(first, second), *ordered(second, first)] == []
