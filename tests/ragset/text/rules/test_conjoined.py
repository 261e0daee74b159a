import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.text.rules.conjoined import conjoined
from tests.conjoined_queries import HELD_OUT, QUERIES

LANGUAGES = ("en", "es", "de", "fr")


@pytest.mark.parametrize(("language", "least"), [("en", 0.95), ("es", 0.9), ("de", 0.9), ("fr", 0.9)])
def test_finds_nearly_all_conjoined_queries_and_hardly_any_other(
    language: str, least: float, record_property: Callable[[str, object], None]
) -> None:
    labelled = QUERIES[language] + HELD_OUT[language]
    found = [query for query, _ in labelled if conjoined(query, language)]
    right = [query for query, two in labelled if two and query in found]
    mistaken = [query for query in found if query not in right]
    missed = [query for query, two in labelled if two and query not in found]
    precision, recall = len(right) / len(found), len(right) / (len(right) + len(missed))
    record_property(
        f"conjoined queries ({language})", f"precision {precision:.2f}, recall {recall:.2f} over {len(labelled)}"
    )
    assert precision >= least, mistaken
    assert recall >= least, missed


@pytest.mark.parametrize(("language", "least"), [("en", 160), ("es", 40), ("de", 40), ("fr", 40)])
def test_the_labelled_queries_are_many_and_none_stands_twice(language: str, least: int) -> None:
    queries = [query for query, _ in QUERIES[language] + HELD_OUT[language]]
    assert len(queries) >= least
    assert len(set(queries)) == len(queries)


@pytest.mark.parametrize(
    ("query", "language", "words"),
    [
        ("What is kintsugi, and where did it begin?", "en", "and where did it begin"),
        ("What causes hail? Why is it rare in the tropics?", "en", "Why is it rare in"),
        ("Who built the bridge, and in what year?", "en", "and in what year"),
        ("Explain how tides form and describe a spring tide.", "en", "and describe a spring tide"),
        ("¿Qué es el adobe y cómo se fabrica?", "es", "y cómo se fabrica"),
        ("Wer gewann das Endspiel und wann?", "de", "und wann"),
        ("Qu'est-ce qu'un levain et à quoi sert-il ?", "fr", "et à quoi sert-il"),
    ],
)
def test_tells_the_words_at_which_the_second_question_begins(query: str, language: str, words: str) -> None:
    assert conjoined(query, language) == words


def test_the_earliest_of_several_further_questions_is_told() -> None:
    assert conjoined("What is lye, how is it made and who sells it?") == "how is it made and"


def test_a_question_in_quotation_marks_is_not_asked() -> None:
    assert conjoined("Who wrote “What is art and why does it matter?” in 1897?") is None


def test_quotation_marks_around_the_whole_query_hide_nothing() -> None:
    assert conjoined("“What is art and why does it matter?”") == "and why does it matter"


def test_white_space_hides_nothing() -> None:
    assert conjoined(" What is lye\n and  how is it made? ") == "and how is it made"


def test_english_is_known_in_queries_of_any_language() -> None:
    assert conjoined("What is lye and how is it made?", "es") == "and how is it made"


def test_of_an_unknown_language_a_second_question_mark_counts() -> None:
    assert conjoined("Cos'è la liscivia? Come si produce?", "it") == "Come si produce"
    assert conjoined("Cos'è la liscivia?", "it") is None


def test_a_known_language_is_recognised_where_an_unknown_one_is_named() -> None:
    assert conjoined("Was ist Lauge und wie wird sie hergestellt?", "nl") == "und wie wird sie hergestellt"


@pytest.mark.parametrize("query", ["", " ", "?", "??", "What is lye???", "and", "and what", "tea", "¿", "what", "“”"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_or_tiny_query_is_one_question(query: str, language: str) -> None:
    assert conjoined(query, language) is None


def test_a_question_mark_in_an_address_ends_no_question() -> None:
    assert conjoined("What does https://example.org/?page=2 show?") is None


UNITS = (
    *(
        "and what ",
        "what is it ",
        ", ",
        "? ",
        "and ",
        "a",
        '"',
        "“",
        "What A ",
        "explain the ",
        "y qué ",
        ", wie ",
        "et ",
    ),
    *("how many are ", "in ", "*", "'", "(", "What? Are We ", "-il ", "is the, and does "),
)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("language", [*LANGUAGES, "it"])
def test_a_query_without_end_is_read_all_the_same(unit: str, language: str) -> None:
    found = conjoined("what is " + unit * 20_000, language)  # exponential would not end
    assert found is None or found


PIECES = st.sampled_from(
    (
        *("What", "what", "Who", "how", "why", "when", "and", "or", "explain", "Explain", "describe", "state", "the"),
        *("is", "does", "it", "if", "to", "in", "X", "Paris", "y", "si", "qué", "cómo", "und", "wie", "was", "warum"),
        *("et", "que", "qui", "comment", "quand", "?", "¿", ",", ";", "–", ".", "“", "”", '"', "'", "(", ")"),
    )
)


@given(
    st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=30).map(" ".join)), st.sampled_from([*LANGUAGES, "it"])
)
def test_any_query_gets_words_of_its_own_or_none(query: str, language: str) -> None:
    found = conjoined(query, language)
    plain = " ".join(unicodedata.normalize("NFC", query).replace("’", "'").split())
    assert found is None or (found and found in plain)
