import pytest

from ragset.generation.offline.european import european_questions


def asked(sentence: str) -> list[str]:
    return [question.text for question in european_questions(sentence, "es")]


@pytest.mark.parametrize(
    ("sentence", "query"),
    [
        (
            "Los médicos chinos se opusieron a la medicina occidental porque su sistema era otro.",
            "¿Por qué se opusieron los médicos chinos a la medicina occidental?",
        ),
        (
            "En 1656, Christiaan Huygens inventó el reloj de péndulo.",
            "¿Cuándo inventó Christiaan Huygens el reloj de péndulo?",
        ),
        ("Christiaan Huygens inventó el reloj de péndulo.", "¿Quién inventó el reloj de péndulo?"),
        (
            "Los medicamentos antiinflamatorios se utilizan para controlar la inflamación.",
            "¿Para qué se utilizan los medicamentos antiinflamatorios?",
        ),
        ("El ritmo de un péndulo depende de su longitud y de la gravedad.", "¿De qué depende el ritmo de un péndulo?"),
        ("La Universidad de Harvard fue fundada en 1636.", "¿Cuándo fue fundada la Universidad de Harvard?"),
        ("La sede de Harvard se encuentra en la ciudad de Cambridge.", "¿Dónde se encuentra la sede de Harvard?"),
        ("La ciudad de Newcastle tiene ocho museos sobre el Tyne.", "¿Cuántos museos tiene la ciudad de Newcastle?"),
        ("La ciudad de Newcastle tiene dos universidades.", "¿Cuántas universidades tiene la ciudad de Newcastle?"),
        ("La extensión del Muro de Adriano era de 117 km.", "¿Cuál era la extensión del Muro de Adriano?"),
        ("La propiedad de ser primo se llama primalidad.", "¿Cómo se llama la propiedad de ser primo?"),
    ],
)
def test_the_verb_goes_before_its_subject(sentence: str, query: str) -> None:
    assert query in asked(sentence)


def test_a_date_is_the_short_answer() -> None:
    found = european_questions("Groenlandia firmó el Tratado de Bruselas en 1985.", "es")
    assert [question.answer for question in found if question.kind == "when"] == ["En 1985"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Este reloj fue construido en 1656 por Huygens.",
        "El mercado se encuentra en su estado original.",
        "El vídeo restaurado contiene mejoras digitales conservadoras.",
        "El anuncio de Holden se produjo en mayo de 2013.",
        "La mayoría de las especies tienen ocho tiras.",
        "Carolina tuvo dos lanzamientos más.",
        "El economista Joseph Stiglitz presentó pruebas en 2009 de que la desigualdad crece.",
        "No se sabe porque nadie lo escribió.",
    ],
)
def test_what_a_reader_cannot_place_is_not_asked(sentence: str) -> None:
    assert asked(sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Tampoco es reciente tal uso de la cultura porque los reyes lo conocían.",
        "También abrió Iberia una escuela en Toledo en 1911.",
        "Antiguamente fundó Carlos Ruiz la escuela de Toledo en 1911.",
        "Ni abrió Iberia la escuela de Toledo en 1911.",
        "Quizá construyó Iberia la escuela de Toledo en 1911.",
    ],
)
def test_an_adverb_in_front_is_no_subject(sentence: str) -> None:
    assert [question.text for question in european_questions(sentence, "es")] == []
