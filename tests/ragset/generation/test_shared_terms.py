"""Which terms chunks share, and how much they weigh."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.generation.shared_terms import SharedTerms


def shared(*texts: str) -> list[dict[int, float]]:
    return SharedTerms(texts).shared(range(len(texts)))


def test_a_term_of_two_chunks_weighs_one_and_a_name_counts_beside_its_words() -> None:
    # of four chunks two hold each of: zirconium; and "Anna Vesterholm", whose words are terms too
    found = shared("zirconium melts", "we bought zirconium", "by Anna Vesterholm", "as Anna Vesterholm said")
    assert found[0] == {0: 1.0, 1: 1.0}
    # "melts" is in one chunk and links nothing; anna, vesterholm and the name weigh 1 each
    assert found[2] == {2: 3.0, 3: 3.0}


def test_a_rarer_term_weighs_more() -> None:
    # of eight chunks "torc" is in two: 1; "ring" in four: (ln(8/4) / ln(8/2)) ** 2 = 0.25
    texts = ["torc ring", "torc ring", "ring", "ring", "iron", "gold", "clay", "wood"]
    found = shared(*texts)
    assert found[0][1] == pytest.approx(1 + (math.log(2) / math.log(4)) ** 2)
    assert found[2][3] == pytest.approx(0.25)


def test_what_more_than_a_small_share_of_the_chunks_hold_links_nothing() -> None:
    assert shared(*["common words"] * 6) == [{}] * 6


def test_quantities_and_scripts_without_spaces_have_terms() -> None:
    found = shared(
        "heated to 85 °C first", "cooled from 85 °C again", "量子计算机", "新的量子理论", "others", "nothing"
    )
    assert found[0].keys() == {0, 1}
    assert found[2].keys() == {2, 3}


def test_no_chunk_and_empty_chunks_share_nothing() -> None:
    assert SharedTerms([]).totals.tolist() == []
    assert shared("", "") == [{}, {}]


@given(st.lists(st.lists(st.sampled_from(["torc", "fibula", "Anna Berg", "12 kg", "greave", "a"])), max_size=12))
def test_sharing_is_mutual_and_at_most_all_that_a_chunk_has(texts: list[list[str]]) -> None:
    terms = SharedTerms(" ".join(words) for words in texts)
    found = terms.shared(range(len(texts)))
    for one, others in enumerate(found):
        for other, weight in others.items():
            assert found[other][one] == pytest.approx(weight)
            assert weight <= min(terms.totals[one], terms.totals[other]) + 1e-9
