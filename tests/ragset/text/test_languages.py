import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.settings.languages import is_language, language_name
from ragset.text.languages import detect_language, guess_language

CORPORA = Path(__file__).parents[4] / "shared" / "corpora"

TEXTS = {
    "en": (
        "The clock of the tower was built by a smith in the town, and it has been wound by hand ever since.",
        "Tide mills need a basin that fills when the sea rises. At low water the gate is opened and the wheel turns.",
        "How to descale a kettle: fill it with water and vinegar, let it stand for an hour, and rinse it.",
        "Members who have not paid by the end of March lose their right to vote until they do.",
    ),
    "es": (
        "El reloj de la torre fue construido por un herrero de la ciudad y se le da cuerda a mano desde entonces.",
        "Los molinos de marea necesitan una balsa que se llena cuando sube el mar y se vacía con la marea baja.",
        "Para quitar la cal del hervidor, llénelo con agua y vinagre, espere una hora y enjuáguelo.",
        "Los socios que no hayan pagado antes de fin de marzo pierden el derecho al voto hasta que lo hagan.",
    ),
    "de": (
        "Die Uhr wurde von einem Schmied für den Turm der Stadt gebaut und wird seitdem von Hand aufgezogen.",
        "Gezeitenmühlen brauchen ein Becken, das sich füllt, wenn das Meer steigt, und das Wasser treibt dann das Rad.",
        "Zum Entkalken den Kessel mit Wasser und Essig füllen, eine Stunde stehen lassen und dann ausspülen.",
        "Mitglieder, die bis Ende März nicht gezahlt haben, verlieren ihr Stimmrecht, bis sie es tun.",
    ),
    "fr": (
        "L'horloge de la tour a été construite par un forgeron de la ville et on la remonte à la main depuis.",
        "Les moulins à marée ont besoin d'un bassin qui se remplit quand la mer monte et se vide à marée basse.",
        "Pour détartrer la bouilloire, la remplir avec de l'eau et du vinaigre, attendre une heure et rincer.",
        "Les membres qui n'ont pas payé avant la fin du mois de mars perdent le droit de vote.",
    ),
}
OTHERS = {
    "pt": "O relógio da torre foi construído por um ferreiro da cidade e não parou desde então, como os outros.",
    "it": "L'orologio della torre è stato costruito da un fabbro della città e non si è mai fermato.",
    "ca": "El rellotge de la torre va ser construït per un ferrer de la ciutat i és el més antic amb els seus pesos.",
    "nl": "De klok van de toren werd door een smid uit de stad gebouwd en is niet meer stilgezet.",
    "sv": "Klockan i tornet byggdes av en smed från staden och har inte stannat, som den är ett mästerverk för.",
    "pl": "Zegar na wieży został zbudowany przez kowala z miasta i nie zatrzymał się do dziś.",
    "ja": "塔の時計は町の鍛冶屋によって作られた。",
    "zh": "塔楼的钟由城里的铁匠建造",
    "ko": "탑의 시계는 마을의 대장장이가 만들었다.",
    "el": "Το ρολόι του πύργου κατασκευάστηκε από έναν σιδερά.",
}


@pytest.mark.parametrize(("language", "text"), [(code, text) for code, texts in TEXTS.items() for text in texts])
def test_the_small_words_tell_the_language(language: str, text: str) -> None:
    assert guess_language(text) == language


@pytest.mark.parametrize(("language", "text"), OTHERS.items())
def test_neighbours_and_other_scripts_are_not_taken_for_a_language_with_rules(language: str, text: str) -> None:
    assert guess_language(text) == language


@pytest.mark.parametrize(
    "text", ["", "1984 – 2020", "Kaffee Espresso Cappuccino Latte", "Тауэрские часы построил кузнец."]
)
def test_what_no_small_words_hold_together_is_in_no_language_known_here(text: str) -> None:
    assert guess_language(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "If `spool` is given, a path is returned; otherwise a `Queue` is returned.",
        "Relay 2.4 is a stable branch and no longer reads spools of Relay 1.",
        "Use the `--queue` option to bind a rule to a spool.",
    ],
)
def test_english_of_manuals_is_english(text: str) -> None:
    assert guess_language(text) == "en"


@pytest.mark.parametrize(
    "text",
    [
        ">>> s = relay.s(2, 2)\n>>> s.freeze()\n>>> (s | relay.s(4))()",  # "s" is a word of Czech
        "100m\n    100 Mbit/s\n\n1g\n    1 Gbit/s\n\n2g\n    2 Gbit/s",
        "relay [-v] [-s spool] [-i if] [-o out] [-a]",
        "for (i = 0; i < n; i++) { o[i] = a[i]; }",
    ],
)
def test_single_letters_of_code_are_words_of_no_language(text: str) -> None:
    assert guess_language(text) in {None, "en"}


def test_a_corpus_is_in_the_language_of_three_fifths_of_it() -> None:
    german, english = TEXTS["de"][0], TEXTS["en"][0]
    # 99 characters of German against 98 of English: 3 of 4 and then 2 of 4
    assert detect_language([german, german, german, english]) == "de"
    assert detect_language([german, german, english, english]) is None


def test_a_corpus_without_texts_is_in_no_language() -> None:
    assert detect_language([]) is None
    assert detect_language(["", "…"]) is None


def test_a_corpus_in_a_language_without_small_words_here_is_in_none_even_if_some_of_it_is_known() -> None:
    russian = "Тауэрские часы построил кузнец, и с тех пор их заводят вручную. " * 2
    assert detect_language([russian, russian, TEXTS["en"][0]]) is None


@given(st.lists(st.text(max_size=200), max_size=8))
def test_any_texts_have_a_known_language_or_none(texts: list[str]) -> None:
    found = detect_language(texts)
    assert found is None or is_language(found)


def test_a_language_has_a_name_or_is_called_by_its_code() -> None:
    assert language_name("de") == "German"
    assert language_name("xx") == "the language with ISO 639-1 code xx"


@pytest.mark.skipif(not CORPORA.is_dir(), reason="needs the shared corpora")
@pytest.mark.parametrize("language", ["en", "es"])
def test_two_hundred_pages_are_told_within_a_second(language: str) -> None:
    data = json.loads((CORPORA / "xquad" / f"xquad.{language}.json").read_text(encoding="utf-8"))["data"]
    texts = [paragraph["context"] for article in data for paragraph in article["paragraphs"]]
    began = time.process_time()
    assert detect_language(texts) == language
    assert time.process_time() - began < 1
    assert sum(guess_language(text) == language for text in texts) >= 0.98 * len(texts)
