from ragset.llm.offline.things import led_over

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


def test_a_place_is_described_by_what_was_made_there() -> None:
    (found,) = led_over(
        "The gate of Skarv harbour was cast at the Ravn foundry.", "The Ravn foundry closed in 1921, after a fire."
    )
    assert found.query == "When did the foundry at which the gate of Skarv harbour was cast close?"
