import json
from pathlib import Path

import pytest

from ragset.generation.offline.facts import facts

XQUAD = Path(__file__).resolve().parents[5] / "shared" / "corpora" / "xquad"


def asked(text: str) -> list[str]:
    return [fact.query for fact in facts(text)]


def test_nobody_is_asked_about_a_name_in_lower_case_or_the_rest_of_a_sentence() -> None:
    assert asked("spool is a folder that holds mail until the relay sends it.") == []
    assert asked("of the tower is a clock that strikes the quarters of the hour.") == []


@pytest.mark.parametrize(
    ("sentence", "query"),
    [
        ("A sundial is an instrument that shows the time by a shadow.", "What is a sundial?"),
        ("Big Ben is the name of the hour bell of Westminster.", "What is Big Ben?"),
        ("John Harrison was a carpenter from the county of Lincolnshire.", "Who was John Harrison?"),
        ("Korean economist Hoesung Lee is the chair of the panel on climate.", "Who is Korean economist Hoesung Lee?"),
        ("A water clock, or clepsydra, is a clock that measures time by the flow of water.", "What is a water clock?"),
        ("The Longitude Act was passed in July 1714.", "When was the Longitude Act passed?"),
        ("In 1186, Temüjin was elected khan of the Mongols.", "When was Temüjin elected khan of the Mongols?"),
        ("Queen Anne died on 1 August 1714.", "When did Queen Anne die?"),
        (
            "In 1917, Little Rock built a fire station in MacArthur Park.",
            "When did Little Rock build a fire station in MacArthur Park?",
        ),
        ("Isaac Newton was born in Woolsthorpe in 1642.", "When was Isaac Newton born?"),
        (
            "The great clock of Westminster was designed by Edmund Denison.",
            "Who designed the great clock of Westminster?",
        ),
        ("The pendulum clock was first invented by Christiaan Huygens.", "Who invented the pendulum clock?"),
        ("Ambrogio Lorenzetti painted the Siena fresco for the town.", "Who painted the Siena fresco?"),
        ("The old Tyrell bridge is closed because its piers have sunk into the mud.", ""),
        (
            "The Tyrell bridge was closed to carts because the piers had sunk.",
            "Why was the Tyrell bridge closed to carts?",
        ),
        ("Greenwich Park lost many trees because a storm crossed it.", "Why did Greenwich Park lose many trees?"),
    ],
)
def test_each_kind_of_plain_fact_has_its_question(sentence: str, query: str) -> None:
    assert asked(sentence)[:1] == ([query] if query else [])


@pytest.mark.parametrize(
    "sentence",
    [
        "It was built in 1889 by Gustave Eiffel.",
        "The bridge was completed in 1902 after two years.",
        "The result was a treaty that nobody signed.",
        "His first clock was finished in 1735 in Barrow.",
        "The tower is a tall building that stands near the river.",
        "One of the clocks was restored in 1956 by a smith.",
        "Construction was completed in 1908 after two years of work.",
        "The first European settlement was established in 1564.",
        "Steam is the main reason that the seals of watches fail.",
        "They opposed the plan because it was dear and slow.",
        "When the railway was built in 1846, the town grew.",
        "The pendulum is 4.4 metres long and carries a pile of pennies.",
        "Tesla moved there in 1884 and stayed for years.",
        "Jupiter's moons were seen by him in 1610.",
        "In 1917, Little Rock built a fire station in the park.",
        "USS Atlanta was a casemate ironclad that served in two navies.",
    ],
)
def test_a_sentence_that_does_not_name_its_subject_or_says_nothing_plain_is_left_alone(sentence: str) -> None:
    assert asked(sentence) == []


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Un número primo es un número natural mayor que 1 que no tiene divisores.", "¿Qué es un número primo?"),
        ("Eine Sonnenuhr ist ein Gerät, das die Zeit durch den Schatten zeigt.", "Was ist eine Sonnenuhr?"),
        ("Le cadran solaire est un instrument qui montre l'heure par une ombre.", "Qu'est-ce que le cadran solaire ?"),
        ("La ciudad es un centro de comercio para la región del norte.", ""),
        ("Słońce jest gwiazdą, która świeci i ogrzewa ziemię od bardzo dawna.", ""),
    ],
)
def test_other_languages_have_definitions_alone_or_nothing(text: str, query: str) -> None:
    assert asked(text) == ([query] if query else [])


def test_a_fact_stands_where_its_sentence_does() -> None:
    text = "# Clocks\n\nNobody knows more.\n\n- The gridiron pendulum was invented\n  by John Harrison in 1726 [1]."
    when, who = facts(text)
    assert (when.query, who.query) == (
        "When was the gridiron pendulum invented?",
        "Who invented the gridiron pendulum?",
    )
    assert text[when.sentence.start : when.sentence.end] == when.sentence.text
    assert when.answer == "The gridiron pendulum was invented by John Harrison in 1726."


@pytest.mark.skipif(not XQUAD.exists(), reason="the shared corpora are not here")
@pytest.mark.parametrize(("file", "least"), [("xquad.en.json", 20), ("xquad.es.json", 5)])
def test_articles_that_the_rules_were_not_made_for_give_a_few_questions(file: str, least: int) -> None:
    articles = json.loads((XQUAD / file).read_text(encoding="utf-8"))["data"]
    found = [asked(paragraph["context"]) for article in articles for paragraph in article["paragraphs"]]
    assert sum(map(bool, found)) >= least
