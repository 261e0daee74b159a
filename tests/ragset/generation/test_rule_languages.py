import pytest

from ragset.generation.rule_languages import notice, settle_languages
from ragset.text.rules.passage_references import leans


@pytest.mark.parametrize("language", ["en", "es", "de", "fr"])
def test_every_rule_has_words_for_english_spanish_german_and_french(language: str) -> None:
    assert notice(language) is None


def test_a_notice_names_the_language_and_what_is_not_checked() -> None:
    said = notice("pl")
    assert said is not None
    assert said.startswith("No rules for Polish (pl), only for English, Spanish, German and French: ")
    assert "leaning on the passage" in said
    assert "second question mark" in said


def test_a_notice_for_a_language_without_a_name_gives_its_code() -> None:
    assert str(notice("xx")).startswith("No rules for the language xx, ")


def test_the_table_says_what_the_rule_does() -> None:
    assert leans("Laut dem Text: wann begann es?", "de")
    assert leans("Według tekstu, kiedy to się zaczęło?", "pl") is None


def test_queries_are_in_the_language_of_the_documents_unless_another_is_asked_for() -> None:
    assert settle_languages("de")[:2] == ("de", "de")
    assert settle_languages("de", queries="fr")[:2] == ("de", "fr")
    assert settle_languages("de", documents="es")[:2] == ("es", "es")


def test_documents_that_do_not_tell_their_language_are_in_that_of_the_queries() -> None:
    assert settle_languages("", queries="es") == ("es", "es", [])


def test_documents_that_nothing_tells_the_language_of_are_taken_for_english_and_a_notice_says_so() -> None:
    documents, _, notices = settle_languages("")
    assert documents == "en"
    assert "taken for English" in notices[0]


def test_notices_are_given_for_documents_and_queries_each_once() -> None:
    assert settle_languages("de")[2] == []
    assert len(settle_languages("pl")[2]) == 1
    assert len(settle_languages("pl", queries="ko")[2]) == 2
