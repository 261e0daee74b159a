import re

import pytest

from ragset.generation.offline.support import judge_support
from ragset.generation.offline.unanswerable import draft_unanswerable

DATED = "Charles Dowd proposed belts of equal time in 1870. He was a teacher in Saratoga Springs."
BUILT = "The great clock of Westminster was built in 1859. It strikes the hours on a bell of 13 tonnes."
TERM = "Circular error is the change of a pendulum's period with the width of its swing. It grows with the arc."


def test_another_year_is_asked_for_that_the_passage_does_not_name() -> None:
    reply = draft_unanswerable(DATED)
    assert reply.query is not None
    year = re.fullmatch(r"What did Charles Dowd propose in (\d{4})\?", reply.query)
    assert year is not None
    assert year[1] not in DATED
    assert reply.missing == f"what Charles Dowd proposed in {year[1]}"


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


@pytest.mark.parametrize(
    ("passage", "query", "missing"),
    [
        (
            "The abbey of Fellbeck was founded in 1132. It lies in a narrow valley and was rich because of its sheep.",
            "Who founded the abbey of Fellbeck?",
            "who founded the abbey of Fellbeck",
        ),
        (
            "The Tarr viaduct is 410 m long. It crosses the river on fourteen arches and is still in use by trains.",
            "How wide is the Tarr viaduct?",
            "how wide the Tarr viaduct is",
        ),
        (
            "The Lyra telescope was designed by Ada Quill. She worked at the observatory of Bergen for thirty years.",
            "Where was Ada Quill born?",
            "where Ada Quill was born",
        ),
        (
            "The bell of Erfurt weighs 11 tonnes. It is rung on holidays and hangs in the middle tower of the church.",
            "How much did the bell of Erfurt cost?",
            "what the bell of Erfurt cost",
        ),
        (
            "El puente de Arrabal fue construido en 1852 sobre el río Tormes. El puente es de hierro y es muy bello.",
            "¿Cuánto costó construir el puente de Arrabal?",
            "¿Cuánto costó construir el puente de Arrabal?",
        ),
        (
            "Das Kloster Lorch wurde 1102 als Hauskloster gegründet. Es liegt auf einem Berg und ist sehr bekannt.",
            "Von wem wurde das Kloster Lorch gegründet?",
            "Von wem wurde das Kloster Lorch gegründet?",
        ),
        (
            "Le phare de Penn-Maen a été fondé en 1846. Le phare est haut et blanc, et les gardiens le quittèrent plus tard.",
            "Par qui le phare de Penn-Maen a-t-il été fondé ?",
            "Par qui le phare de Penn-Maen a-t-il été fondé ?",
        ),
    ],
)
def test_the_next_thing_one_would_ask_is_asked_where_the_passage_lacks_it(
    passage: str, query: str, missing: str
) -> None:
    reply = draft_unanswerable(passage)
    assert (reply.query, reply.missing) == (query, missing)


@pytest.mark.parametrize(
    "passage",
    [
        "The abbey of Fellbeck was founded in 1132. Its founder, Odo of Wells, is buried in the choir of the abbey.",
        "The Tarr viaduct is 410 m long. It is 9 m wide and crosses the river on fourteen arches.",
        "The Lyra telescope was designed by Ada Quill. She was born in Bergen and worked at its observatory.",
        "The Lyra telescope was designed by Zeiss Jena. The works are known for their lenses in many lands.",
        "Das Kloster Lorch wurde 1102 gegründet. Der Gründer war ein Herzog, der auch auf dem Berg wohnte.",
    ],
)
def test_what_the_passage_says_is_not_taken_for_missing(passage: str) -> None:
    assert draft_unanswerable(passage).query is None


def test_what_one_did_alone_is_asked_of_another_whom_the_passage_names_for_something_else() -> None:
    passage = (
        "Tom Rudge invented the pneumatic brake in 1868. Ellen Marsh, a lawyer from Leeds, ran the firm for years."
    )
    assert draft_unanswerable(passage).query == "When did Ellen Marsh invent the pneumatic brake?"
    shared = passage.replace("ran the firm", "improved the brake")
    assert "Marsh" not in (draft_unanswerable(shared).query or "")


def test_which_kind_comes_first_differs_from_passage_to_passage() -> None:
    texts = [
        f"The abbey of {name} was built in 1132. It lies in a valley near {name}."
        for name in ["Asby", "Orby", "Selby", "Corby", "Ulceby", "Kirby"]
    ]
    openings = {(draft_unanswerable(text).query or "").split()[0] for text in texts}
    assert openings == {"Who", "How"}
