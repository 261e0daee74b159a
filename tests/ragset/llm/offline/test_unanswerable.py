import re

from ragset.llm.offline.support import judge_support
from ragset.llm.offline.unanswerable import draft_unanswerable

DATED = "Charles Dowd proposed belts of equal time in 1870. He was a teacher in Saratoga Springs."
BUILT = "The great clock of Westminster was built in 1859. It strikes the hours on a bell of 13 tonnes."
TERM = "Circular error is the change of a pendulum's period with the width of its swing. It grows with the arc."


def test_another_year_is_asked_for_that_the_passage_does_not_name() -> None:
    reply = draft_unanswerable(DATED)
    assert reply.query is not None
    year = re.fullmatch(r"What did Charles Dowd propose in (\d{4})\?", reply.query)
    assert year is not None
    assert year[1] not in DATED
    assert reply.missing == f"what happened in {year[1]}"


def test_a_price_is_asked_for_where_none_is_told() -> None:
    assert draft_unanswerable(BUILT).query == "How much did it cost to build the great clock of Westminster?"
    told = draft_unanswerable(BUILT + " It cost £22,000.")
    assert told.query is None or "cost" not in told.query


def test_who_coined_a_term_is_asked_for_where_it_is_only_defined() -> None:
    assert draft_unanswerable(TERM).query == 'Who coined the term "circular error"?'


def test_what_is_drafted_is_not_answered_by_its_own_passage() -> None:
    for passage in (DATED, BUILT, TERM):
        query = draft_unanswerable(passage).query
        assert query is not None
        assert judge_support(query, "", (passage,)).passages[0].verdict in {"part", "none"}


def test_a_passage_that_nothing_can_be_turned_of_gives_no_query() -> None:
    reply = draft_unanswerable("1 Water ... 3   2 Leaves ... 9")
    assert (reply.query, reply.missing) == (None, "")
