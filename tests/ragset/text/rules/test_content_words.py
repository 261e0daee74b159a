import pytest

from ragset.text.rules import LANGUAGES
from ragset.text.rules.content_words import folded_words, names_in, stem, wording_of, words_of
from ragset.text.rules.tables import small_words


@pytest.mark.parametrize(
    ("query", "language", "kind", "detail"),
    [
        ("When was it built?", "en", "time", ""),
        ("In what year was it built?", "en", "time", "year"),
        ("How many moons has Mars?", "en", "amount", ""),
        ("How tall is the arch?", "en", "degree", "tall"),
        ("How does a heat pump work?", "en", "manner", ""),
        ("What is the reason for it?", "en", "reason", ""),
        ("Is tin toxic?", "en", "polar", ""),
        ("What is glass?", "en", "thing", ""),
        ("¿Por qué flota el corcho?", "es", "reason", ""),
        ("¿En qué año nació?", "es", "time", "year"),
        ("In welchem Jahr wurde er geboren?", "de", "time", "year"),
        ("Wie lange dauert es?", "de", "degree", "lange"),
        ("Combien de ponts compte Lyon ?", "fr", "amount", ""),
        ("Qu'est-ce qu'un levain ?", "fr", "thing", ""),
    ],
)
def test_what_is_asked_for(query: str, language: str, kind: str, detail: str) -> None:
    found = wording_of(query, language, frozenset())
    assert (found.kind, found.detail) == (kind, detail)


def test_names_are_words_written_with_a_capital_where_none_is_due() -> None:
    queries = ["When was Ravenna sacked?", "who sacked ravenna", "Was Ravenna sacked?", "Bees make wax. Wax melts?"]
    assert names_in(queries) == {"ravenna"}


def test_names_and_numbers_are_known_in_any_case_and_as_numerals() -> None:
    found = wording_of("two sieges of ravenna in 1512", "en", frozenset({"ravenna"}))
    assert found.names == {"2", "ravenna", "1512"}


def test_inflection_and_spelling_make_no_difference() -> None:
    assert stem("organised", "en") == stem("organizes", "en")
    assert stem("colour", "en") == stem("colors", "en")
    assert stem("built", "en") == stem("builds", "en")
    assert stem("universe", "en") != stem("university", "en")


def test_words_are_folded_and_sorted_and_a_text_without_words_is_itself() -> None:
    assert folded_words("Tin, or LEAD?") == ("lead", "or", "tin")
    assert folded_words(" ? ") == ("?",)


def test_a_word_of_question_is_never_a_word_of_content() -> None:
    for table in map(small_words, LANGUAGES):
        assert not set(table.asking) - table.empty - {"whether", "adónde", "wieviel", "wieviele"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("C++, C# or C?", ("c++", "c#", "or", "c")),
        ("exit code -1, –2 or −3", ("exit", "code", "-1", "-2", "or", "-3")),
        ("re-paved 3–5 mm - or not", ("re", "paved", "3", "5", "mm", "or", "not")),
        ("$HOME, 5 € and --force", ("$home", "5", "€", "and", "--force")),
        ("x<5 and y != 10 %", ("x", "<", "5", "and", "y", "!=", "10", "%")),
        ("🚲 or 🚌?", ("🚲", "or", "🚌")),
        ("20 °C", ("20", "c")),
        ("राम, रोम", ("राम", "रोम")),
        ("?!", ("?!",)),
    ],
)
def test_signs_count_where_they_are_part_of_what_is_named(text: str, words: tuple[str, ...]) -> None:
    assert words_of(text) == words
    assert folded_words(text) == tuple(sorted(words))
