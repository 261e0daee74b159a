import pytest

from ragset.generation.offline.things import led_over

LEVER = "The lever escapement lets one tooth pass at each tick."
WHY = "The lever escapement needs a trace of oil because its pallets are made of ruby."


def test_a_thing_is_described_by_what_the_other_chunk_says() -> None:
    found = next(iter(led_over(LEVER, WHY)))
    assert found.query == "Why does the escapement that lets one tooth pass at each tick need a trace of oil?"
    assert found.answer == f"{LEVER} {WHY}"


def test_a_description_that_the_question_holds_already_leads_nowhere() -> None:
    assert list(led_over(LEVER, "The lever escapement loses a tooth because steel breaks.")) == []


def test_another_thing_is_not_meant() -> None:
    assert list(led_over(LEVER, WHY.replace("lever", "anchor"))) == []


RANKED = [
    (
        "Bergen is the largest city of Vestland, and the wettest.",
        "Bergen burned in 1702 because sparks flew from a smithy.",
        "the largest city of Vestland",
    ),
    (
        "Ada Lindqvist was the founder of the Skarv Lifeboat Institution.",
        "Ada Lindqvist left Norway in 1921 because her boats had sunk.",
        "the founder of the Skarv Lifeboat Institution",
    ),
    (
        "Hamar is the only town in Innlandet with a glass cathedral.",
        "Hamar was founded in 1849, at a good harbour.",
        "the only town in Innlandet with a glass cathedral",
    ),
]


@pytest.mark.parametrize(("first", "second", "phrase"), RANKED)
def test_what_there_is_but_one_of_need_not_be_named(first: str, second: str, phrase: str) -> None:
    queries = [found.query for found in led_over(first, second)]
    assert queries
    assert all(phrase in query and first.split()[0] not in query for query in queries)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # only what was said before tells of whom
        ("Bergen is the first to be named.", RANKED[0][1]),
        ("Bergen is the largest of them all.", RANKED[0][1]),
        # the name is a part of another
        (RANKED[0][0], "The Royal Bergen Company failed in 1702 because its ships sank."),
        (RANKED[0][0], "Holberg's Bergen Chronicle failed in 1702 because nobody read it."),
        (RANKED[2][0], "Bergen was founded in 1070, at a good harbour."),
    ],
)
def test_a_rank_or_a_name_that_is_not_whole_leads_nowhere(first: str, second: str) -> None:
    assert list(led_over(first, second)) == []


def test_a_place_is_described_by_what_was_made_there() -> None:
    (found,) = led_over(
        "The gate of Skarv harbour was cast at the Ravn foundry.", "The Ravn foundry closed in 1921, after a fire."
    )
    assert found.query == "When did the foundry at which the gate of Skarv harbour was cast close?"
