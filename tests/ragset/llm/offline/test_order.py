from ragset.llm.offline.order import ordered

WESTMINSTER = "Clocks of London are many. The great clock of Westminster started on 31 May 1859."
EDINBURGH = "Clocks of Scotland are fewer. Edinburgh added a gun in 1861, because fog hid the ball."
SECOND = "Clocks of our time are exact. The first leap second was inserted on 30 June 1972."


def test_two_dated_events_are_put_in_order() -> None:
    (found,) = ordered(WESTMINSTER, EDINBURGH)
    assert found.query == "Did the great clock of Westminster start before Edinburgh added a gun?"
    assert found.answer == (
        "Yes. The great clock of Westminster started on 31 May 1859. "
        "Edinburgh added a gun in 1861, because fog hid the ball."
    )
    assert found.shape == "comparison"


def test_the_later_one_asked_first_is_answered_with_no() -> None:
    (found,) = ordered(SECOND, EDINBURGH)
    assert found.query == "Was the first leap second inserted before Edinburgh added a gun?"
    assert found.answer.startswith("No. ")


def test_a_verb_that_both_share_is_said_once() -> None:
    (found,) = ordered(
        "Graham's mercury pendulum of 1721 carries a jar of mercury.",
        "The Riefler clock of 1889 carries its pendulum in a sealed tank.",
    )
    assert found.query == "Was Graham's mercury pendulum introduced before the Riefler clock?"


def test_dates_that_may_be_the_same_are_not_compared() -> None:
    again = WESTMINSTER.replace("on 31 May 1859", "in 1859").replace("Westminster", "Salisbury")
    assert list(ordered(WESTMINSTER, again)) == []


def test_chunks_without_a_word_in_common_are_not_compared() -> None:
    stranger = "Syria and Egypt attacked Israel in 1973. Nixon asked Congress for money. Oil prices rose."
    assert list(ordered(SECOND, stranger)) == []
