import pytest

from ragset.rules.languages import TABLES, notice, settle_languages, without_rules
from ragset.rules.leaning import leans

GERMAN = "Die Uhr wurde von einem Schmied für den Turm der Stadt gebaut und wird seitdem von Hand aufgezogen."
POLISH = "Zegar na wieży został zbudowany przez kowala z miasta i nie zatrzymał się do dziś."


@pytest.mark.parametrize("language", ["en", "es", "de", "fr"])
def test_every_rule_has_words_for_english_spanish_german_and_french(language: str) -> None:
    assert without_rules(language) == ()
    assert notice(language) is None


def test_a_notice_names_the_language_and_what_is_not_checked() -> None:
    said = notice("pl")
    assert said is not None
    assert said.startswith("No rules for Polish (pl), only for English, Spanish, German and French: ")
    assert "leaning on the passage" in said
    assert "second question mark" in said
    # There is a model of Polish sentences.
    assert "as in English" not in said
    assert "as in English" in str(notice("ko"))


def test_a_notice_for_a_language_without_a_name_gives_its_code() -> None:
    assert str(notice("xx")).startswith("No rules for the language xx, ")


def test_the_table_says_what_the_rule_does() -> None:
    assert leans("Laut dem Text: wann begann es?", "de")
    assert "pl" not in TABLES["leaning"].languages
    assert leans("Według tekstu, kiedy to się zaczęło?", "pl") is None


def test_queries_are_in_the_language_of_the_documents_unless_another_is_asked_for() -> None:
    assert settle_languages([GERMAN])[:2] == ("de", "de")
    assert settle_languages([GERMAN], queries="fr")[:2] == ("de", "fr")
    assert settle_languages([GERMAN], documents="es")[:2] == ("es", "es")


def test_texts_are_not_read_where_the_language_is_named() -> None:
    texts = iter([GERMAN])
    assert settle_languages(texts, documents="es").documents == "es"
    assert next(texts) == GERMAN


def test_documents_that_do_not_tell_their_language_are_taken_for_english_and_a_notice_says_so() -> None:
    settled = settle_languages([GERMAN, POLISH])
    assert settled.documents == "en"
    assert "taken for English" in settled.notices[0]


def test_notices_are_given_for_documents_and_queries_each_once() -> None:
    assert settle_languages([GERMAN]).notices == ()
    assert len(settle_languages([POLISH]).notices) == 1
    assert len(settle_languages([POLISH], queries="ko").notices) == 2
