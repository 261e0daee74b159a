import json
from pathlib import Path

import pytest

from ragset.text.languages import in_another
from tests.conjoined_queries import HELD_OUT, QUERIES

CORPORA = Path(__file__).parents[5] / "shared" / "corpora"


@pytest.mark.parametrize("language", ["en", "es", "de", "fr"])
def test_no_genuine_query_is_taken_for_another_language(language: str) -> None:
    assert [query for query, _ in QUERIES[language] + HELD_OUT[language] if in_another(query, language)] == []


@pytest.mark.parametrize(("spoken", "wanted"), [("en", "de"), ("en", "fr"), ("en", "es"), ("de", "en"), ("fr", "de")])
def test_nearly_every_query_in_another_language_is_noticed(spoken: str, wanted: str) -> None:
    queries = [query for query, _ in QUERIES[spoken] + HELD_OUT[spoken]]
    assert sum(in_another(query, wanted) == spoken for query in queries) >= 0.9 * len(queries)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [("túneles Tyne and Wear Metro ubicación", "es"), ("Carl von Linde liquid oxygen method", "en")],
)
def test_one_small_word_in_a_name_is_no_other_language(query: str, wanted: str) -> None:
    assert in_another(query, wanted) is None


@pytest.mark.parametrize(
    ("query", "wanted", "found"),
    [
        ("What is the capital of the country of Nepal?", "pl", "en"),
        ("What is the capital of the country of Nepal?", "ru", "en"),
        ("Jaka jest stolica kraju, który leży w Azji?", "pl", None),
        ("Какой город является столицей Непала?", "ru", None),
        ("Wie heißt die Hauptstadt von Nepal und der Welt?", "ru", None),
        ("Kathmandu Nepal", "de", None),
        ("", "de", None),
    ],
)
def test_of_languages_without_small_words_here_english_alone_is_told(
    query: str, wanted: str, found: str | None
) -> None:
    assert in_another(query, wanted) == found


def test_letters_of_part_numbers_are_no_words_of_a_language() -> None:
    # "e", "a" and "o" are small words of Portuguese
    assert in_another("tower crane bolts E7-A0 O2", "en") is None
    assert in_another("tower crane e a bolts o", "en") is None
    assert in_another("a torre e o sino dos moleiros", "en") == "pt"


@pytest.mark.skipif(not CORPORA.is_dir(), reason="needs the shared corpora")
@pytest.mark.parametrize("language", ["en", "es"])
def test_none_of_xquads_questions_is_taken_for_another_language(language: str) -> None:
    data = json.loads((CORPORA / "xquad" / f"xquad.{language}.json").read_text(encoding="utf-8"))["data"]
    questions = [qa["question"] for article in data for part in article["paragraphs"] for qa in part["qas"]]
    assert len(questions) == 1190
    assert [question for question in questions if in_another(question, language)] == []
