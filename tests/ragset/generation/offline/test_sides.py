import pytest

from ragset.generation.offline.joined import is_joined
from ragset.generation.offline.sides import sides


@pytest.mark.parametrize(
    ("query", "words", "need"),
    [
        ("How does a raft differ from a glider?", [{"raft"}, {"glider"}], "subject"),
        ("Did Hamar burn before Voss did?", [{"hamar", "burn"}, {"voss"}], "date"),
        ("Which came first, the lock or the canal?", [{"lock"}, {"canal"}], "date"),
        ("How does the height of Ulriken compare with that of Fanaråken?", [{"ulriken"}, {"fanaråken"}], "number"),
        ("How many years after Hamar burned did Voss burn?", [{"hamar", "burn"}, {"voss", "burn"}], "date"),
        ("What do Voss and Hamar each have to do with salt?", [{"voss", "salt"}, {"hamar", "salt"}], "words"),
        ("What does Voss have to do with Hamar?", [{"voss", "hamar"}], "words"),
    ],
)
def test_a_query_has_sides_that_are_stated_apart(query: str, words: list[set[str]], need: str) -> None:
    assert is_joined(query)
    assert [side.words for side in sides(query)] == words
    assert {side.need for side in sides(query)} == {need}


def test_another_query_has_none() -> None:
    assert sides("Why did Hamar burn?") == ()


@pytest.mark.parametrize(
    ("query", "sentence", "stated"),
    [
        ("Did Hamar burn before Voss did?", "Hamar burned in 1702, to the ground.", True),
        ("Did Hamar burn before Voss did?", "Hamar burned to the ground.", False),
        ("Did Hamar burn before Voss did?", "Hamar lost 1,702 houses and burned down.", False),
        ("How does a kite differ from a glider?", "A kite flies on a line that somebody holds.", True),
        ("How does a kite differ from a glider?", "Children fly a kite on a line in autumn.", False),
        ("How does the height of Ulriken compare with that of Fanaråken?", "Ulriken is 643 metres high.", True),
        ("How does the height of Ulriken compare with that of Fanaråken?", "Ulriken is high.", False),
    ],
)
def test_a_side_is_stated_by_what_says_what_is_needed_of_it(query: str, sentence: str, stated: bool) -> None:
    assert sides(query)[0].is_stated(sentence, sentence) is stated
