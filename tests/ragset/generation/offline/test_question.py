import pytest

from ragset.generation.offline.question import is_sound


@pytest.mark.parametrize(
    "text",
    [
        "How long is the pendulum?",
        "What caused the recoil?",
        "When did Congress make the zones law?",
        "Who translated the names of the months?",
        "Why did the expedition fail?",
        "What did the school board decide?",
        "What happens if the frequency of the microwaves is right?",
        "How did Webb begin his next attempt?",
        "What did Abbé Bernou translate in Paris twenty years later?",
        "Why do companies now pay more?",
    ],
)
def test_a_thing_that_only_the_passage_knows_is_not_sound(text: str) -> None:
    assert not is_sound(text)


@pytest.mark.parametrize(
    "text",
    [
        "Who invented the anchor escapement?",
        "Who introduced the metric system?",
        "When was the Sun formed?",
        "When was the equator crossed?",
        "When did the great clock of Westminster start?",
        "What does magnetism make the coils of the hairspring do?",
        "Why does incense burn evenly?",
    ],
)
def test_a_kind_or_a_name_is_sound(text: str) -> None:
    assert is_sound(text)
