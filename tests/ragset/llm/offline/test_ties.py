from ragset.llm.offline.ties import tied

TIED = "A pendulum is tied to the strength of gravity where it stands."
RETURNS = "A pendulum depends on gravity for its return, and a foliot on the wheel."


def test_two_sentences_about_the_same_two_things_are_asked_for_together() -> None:
    assert [found.query for found in tied(TIED, RETURNS)] == ["What does gravity have to do with a pendulum?"]


def test_one_of_the_two_is_not_enough() -> None:
    assert list(tied(TIED, RETURNS.replace("A pendulum", "A balance"))) == []
    assert list(tied(TIED, RETURNS.replace("gravity", "magnetism"))) == []
