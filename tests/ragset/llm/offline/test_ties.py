from ragset.llm.offline.ties import shared, tied

TIED = "A pendulum is tied to the strength of gravity where it stands."
RETURNS = "A pendulum depends on gravity for its return, and a foliot on the wheel."


def test_two_sentences_about_the_same_two_things_are_asked_for_together() -> None:
    assert [found.query for found in tied(TIED, RETURNS)] == ["What does gravity have to do with a pendulum?"]


def test_one_of_the_two_is_not_enough() -> None:
    assert list(tied(TIED, RETURNS.replace("A pendulum", "A balance"))) == []
    assert list(tied(TIED, RETURNS.replace("gravity", "magnetism"))) == []


def test_names_are_tied_as_well() -> None:
    first = "Temüjin rescued her with the help of his friend and future rival, Jamukha, and his protector."
    second = "As Jamukha and Temüjin drifted apart, each began consolidating power."
    assert [found.query for found in tied(first, second)] == ["What does Jamukha have to do with Temüjin?"]


def test_half_a_name_is_no_name() -> None:
    first = "The Gambia withdrew from an under-19 World Cup, and it rested."
    assert list(tied(first, "The Gambia never won the Cup of its league.")) == []


def test_two_chunks_that_say_the_same_are_not_tied() -> None:
    assert list(tied(RETURNS, RETURNS.replace("its return", "its own return"))) == []


def test_two_subjects_that_share_a_name_are_asked_for_together() -> None:
    first = "A dial in Galway, nine degrees west of Greenwich, is 36 minutes behind."
    second = "India uses one time, five and a half hours ahead of Greenwich, across its width."
    assert [found.query for found in shared(first, second)] == [
        "What do a dial in Galway and India each have to do with Greenwich?"
    ]
