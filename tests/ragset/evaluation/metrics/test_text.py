import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.evaluation.metrics.text import exact_match, rouge_l, token_f1

TEXTS = st.text(st.sampled_from("ab theé.,钟 "), max_size=25)


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    # "in 1656 in hague" and "christiaan huygens in 1656": shared in, 1656 -> precision 2/4, recall 2/4
    assert token_f1("in 1656, in The Hague", "Christiaan Huygens, in 1656") == pytest.approx(1 / 2)


def test_f1_counts_repeated_words_as_often_as_both_have_them() -> None:
    # shared: tick, tick; precision 2/3, recall 2/2 -> 2 · 2 / (3 + 2)
    assert token_f1("tick tick tick", "tick tick") == pytest.approx(4 / 5)


def test_case_punctuation_and_articles_are_no_difference() -> None:
    assert token_f1("The pendulum-clock!", "a Pendulumclock") == 1
    assert exact_match("The pendulum clock.", "pendulum  clock") == 1


def test_symbols_of_squads_list_are_no_difference() -> None:
    assert exact_match("$5 + tax", "5 tax") == 1


def test_typographic_punctuation_is_no_difference() -> None:
    assert exact_match("«Huygens» – 1656…", "Huygens 1656") == 1


def test_an_article_within_a_word_stays() -> None:
    assert exact_match("theatre", "atre") == 0


def test_letters_composed_in_two_ways_are_the_same() -> None:
    assert exact_match("horloge sonn\u00e9e", "horloge sonne\u0301e") == 1


def test_characters_of_scripts_without_spaces_are_words() -> None:
    # 北京市 and 北京: shared 2; 2 · 2 / (3 + 2)
    assert token_f1("北京市", "北京。") == pytest.approx(4 / 5)


def test_other_words_in_the_same_order_do_not_match() -> None:
    assert exact_match("in 1656", "in 1657") == 0


@pytest.mark.parametrize("score", [token_f1, exact_match, rouge_l])
def test_no_words_match_no_words_alone(score: object) -> None:
    assert callable(score)
    assert score("", "...") == 1
    assert score("", "Huygens") == 0
    assert score("Huygens", "") == 0


def test_rouge_l_is_of_the_longest_common_subsequence() -> None:
    # Lin's example: "police killed the gunman" and "police kill the gunman": police the gunman, 3 of 4 and 3 of 4
    assert rouge_l("police kill the gunman", "police killed the gunman") == pytest.approx(3 / 4)
    # "the gunman kill police": the gunman, 2 of 4
    assert rouge_l("the gunman kill police", "police killed the gunman") == pytest.approx(1 / 2)


def test_rouge_l_of_texts_of_two_lengths() -> None:
    # 2 common: 2 · 2 / (2 + 6)
    assert rouge_l("in 1656", "Huygens built it in May 1656") == pytest.approx(1 / 2)


def test_rouge_l_looks_at_the_first_2000_words() -> None:
    # equal up to 2,000 words and not after
    assert rouge_l("tick " * 2_000 + "end", "tick " * 3_000) == 1


@given(TEXTS, TEXTS)
def test_scores_lie_between_0_and_1_and_do_not_depend_on_sides(one: str, other: str) -> None:
    for score in (token_f1, exact_match, rouge_l):
        assert 0 <= score(one, other) <= 1
        assert score(one, other) == pytest.approx(score(other, one))
        assert score(one, one) == 1
    assert exact_match(one, other) <= token_f1(one, other)
