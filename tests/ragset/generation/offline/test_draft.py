import pytest

from ragset.generation.offline.draft import draft, draft_keyphrase
from ragset.generation.offline.questions import questions
from ragset.generation.offline.wording import as_exam, as_keywords

PASSAGE = (
    "A water clock is a vessel that measures time by the flow of water. Water clocks run slow in winter because cold water is "
    "viscous. The water clock of Karnak was found in 1904."
)


def test_an_open_query_prefers_causes_to_dates() -> None:
    assert draft(PASSAGE, "open").query == "Why do water clocks run slow in winter?"


def test_a_factoid_query_prefers_dates_to_causes() -> None:
    assert draft(PASSAGE, "factoid").query == "When was the water clock of Karnak found?"


def test_an_exam_query_is_a_task() -> None:
    assert draft(PASSAGE, "exam").query == "Explain why water clocks run slow in winter."


def test_a_term_is_defined_in_an_exam() -> None:
    assert (
        draft("A water clock is a vessel that measures time by the flow of water.", "exam").query
        == "Define water clock."
    )


def test_a_keyphrase_query_is_about_one_of_its_phrases() -> None:
    found = draft_keyphrase(PASSAGE)
    assert found.query
    assert any(phrase.lower() in found.query.lower() for phrase in found.keyphrases)


def test_a_passage_without_a_usable_sentence_gives_none_with_a_reason() -> None:
    found = draft("He said that it had been so. They thought of the others, and this was that.", "open")
    assert found.query is None
    assert found.reason.startswith("By rule: ")


def test_a_language_without_rules_gives_none_and_says_so() -> None:
    found = draft("Det var en gång en klocka som gick för långsamt varje vinter, och ingen visste varför.", "open")
    assert (found.query, found.reason) == (None, "By rule: no rule for this language.")


def test_a_pronoun_is_resolved_from_the_sentence_before() -> None:
    passage = "The Karnak bowl is kept in Cairo. It was found in 1904 by French workers."
    assert draft(passage, "factoid").query == "When was the Karnak bowl found?"


def test_a_spanish_definition_becomes_a_question() -> None:
    passage = "Un reloj de agua es un recipiente que mide el tiempo por el flujo del agua. Es de los más antiguos."
    assert draft(passage, "open").query == "¿Qué es un reloj de agua?"


def test_a_spanish_passive_asks_for_the_maker_and_the_date() -> None:
    maker = "El reloj de péndulo fue inventado por Christiaan Huygens en la ciudad de La Haya."
    date = "El reloj de péndulo fue inventado en 1656 en la ciudad de La Haya por un científico."
    assert draft(maker, "factoid").query == "¿Por quién fue inventado el reloj de péndulo?"
    assert draft(date, "factoid").query == "¿Cuándo fue inventado el reloj de péndulo?"


def test_a_german_definition_becomes_a_question() -> None:
    passage = "Eine Wasseruhr ist ein Gefäß, das die Zeit mit dem Fluss des Wassers misst."
    assert draft(passage, "open").query == "Was ist eine Wasseruhr?"


def test_a_french_definition_becomes_a_question() -> None:
    passage = "Une clepsydre est un vase qui mesure le temps par la chute de l'eau dans un bassin."
    assert draft(passage, "open").query == "Qu'est-ce qu'une clepsydre ?"


def test_key_words_are_a_question_without_its_small_words() -> None:
    dated = questions("The water clock of Karnak was found in 1904.", "")[0]
    assert as_keywords(dated) == "when was water clock of Karnak found"
    caused = questions("Water clocks run slow in winter because cold water is viscous.", "")[0]
    assert as_keywords(caused) == "why water clocks run slow in winter"
    assert as_exam(dated) == "State when the water clock of Karnak was found."


@pytest.mark.parametrize(
    "passage",
    [
        "The Tyrell bridge was designed by Ada Quill in 1911. Iron rods hold a long deck, and stone piers carry iron rods.",
        "Incense burns evenly because a glowing front needs little air. Temple priests cut long sticks of dark wood, and the ash is white and fine.",
        "Die Honigpresse wurde am 1. April 2003 in Eupen gebaut. Junge Arbeiterinnen tragen den reifen Honig in neue Waben.",
        "El puente de Arrabal fue construido en 1852. Las piedras grises y los arcos romanos son de la vieja ciudad.",
    ],
)
def test_a_keyphrase_query_holds_a_phrase_that_is_shown(passage: str) -> None:
    found = draft_keyphrase(passage)
    assert found.query
    assert 3 <= len(found.keyphrases) <= 5
    assert any(phrase.lower() in found.query.lower() for phrase in found.keyphrases)
