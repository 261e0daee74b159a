from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.llm.offline.keyphrases import keyphrases


def test_runs_of_words_between_small_words_are_phrases() -> None:
    text = "The bascule bridge is lifted with a counterweight, and the bascule bridge has a wind limit."
    assert "bascule bridge" in keyphrases(text)
    assert "wind limit" in keyphrases(text)


def test_a_single_word_counts_only_if_it_is_said_again() -> None:
    assert keyphrases("The counterweight is there.") == ()
    assert keyphrases("The counterweight is there. It is the counterweight.") == ("counterweight",)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_there_are_at_most_six(text: str) -> None:
    assert len(keyphrases(text)) <= 6
