import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.text.overlap import longest_run, overlap_of


def test_the_longest_run_its_share_and_the_shared_words_of_content() -> None:
    found = overlap_of("When does green tea turn bitter?", ["Green tea turns bitter above 80 °C."])
    # "green tea", of 6 words; stems green, tea, turn, bitter of the query are all there; 6 in the evidence with above, 80, c
    assert (found.longest, found.share) == (2, 0.3333)
    assert found.covered == 1.0
    assert found.jaccard == round(4 / 7, 4)


def test_a_run_does_not_go_from_one_passage_to_the_next() -> None:
    assert overlap_of("copper and tin", ["made of copper", "and tin melts"]).longest == 2


def test_nothing_in_common_is_nought() -> None:
    found = overlap_of("¿Qué es el adobe?", ["Bees."], "es")
    assert (found.longest, found.share, found.jaccard, found.covered) == (0, 0.0, 0.0, 0.0)
    assert overlap_of("?", []).share == 0.0


@pytest.mark.parametrize(
    ("query", "evidence", "language", "covered"),
    [
        ("How long does the tropical year last?", "The tropical year lasts 365.2422 days.", "en", 1.0),
        ("How many columns does the bowl have?", "The bowl has twelve columns.", "en", 1.0),
        ("How tall was the mast of Selm?", "The mast of Selm rose to 30 m.", "en", 1.0),
        ("Wie lange dauert der Umbau?", "Der Umbau dauert zwei Jahre.", "de", 1.0),
        ("Combien de temps dure le trajet ?", "Le trajet dure une heure.", "fr", 1.0),
        # In other places the same words say something: of 4 one is not there.
        ("How is long wave radio sent?", "The wave of the radio is sent by a mast.", "en", 0.75),
    ],
)
def test_what_how_asks_for_is_no_word_of_content(query: str, evidence: str, language: str, covered: float) -> None:
    assert overlap_of(query, [evidence], language).covered == covered


words = st.lists(st.sampled_from("abc"), max_size=12)


@given(words, words)
def test_the_longest_run_is_that_of_brute_force(left: list[str], right: list[str]) -> None:
    runs = {tuple(left[i:j]) for i in range(len(left)) for j in range(i + 1, len(left) + 1)}
    there = {tuple(right[i:j]) for i in range(len(right)) for j in range(i + 1, len(right) + 1)}
    assert longest_run(left, right) == max(map(len, runs & there), default=0) == longest_run(right, left)


def test_a_query_is_copied_where_nearly_all_its_words_and_a_long_run_stand_in_the_text() -> None:
    text = ["The fall storm of 1931 destroyed the lamp of Skarv Point."]
    # "destroyed the lamp of skarv point": 6 of 8 words in one run, and every word of content
    assert overlap_of("What destroyed the lamp of Skarv Point?", text).copied
    # every word of content, but no run of five
    assert not overlap_of("Lamp destroyed, Skarv Point?", text).copied
    assert not overlap_of("Why did the Skarv lighthouse go dark?", text).copied
