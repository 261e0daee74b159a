import pytest

from ragset.generation.offline.draft import draft, draft_keyphrase, draft_multi, typed

PENDULUM = (
    "A pendulum clock is a clock that uses a pendulum. The pendulum clock was invented by Christiaan Huygens in 1656. A pendulum"
    " clock loses time in summer because the rod grows longer."
)
WATER = "A water clock is a clock that measures time by the flow of water. The Karnak bowl was found in 1904."
NO_PLAIN_FACT = (
    "The bell was heard in every street, and nobody minded.",
    "If the queue is full, mail is held back. Raise the limit, or add a spool.",
    "Call `wind()` once a day.\n\n    >>> wind(clock)\n    True",
    "-q, --quiet\n    Print nothing but errors.\n\n-v, --verbose\n    Print each rule as it is read.",
    "Thanks to all who sent us clocks. We could not have opened without them.",
)
WITHOUT_RULES = {
    "振り子時計は1656年に発明された。": "Japanese",
    "塔楼的钟由城里的铁匠建造。": "Chinese",
    "Το ρολόι του πύργου κατασκευάστηκε από έναν σιδερά.": "Greek",
    "De klok van de toren werd door een smid uit de stad gebouwd en is niet meer stilgezet.": "Dutch",
    "Zegar na wieży został zbudowany przez kowala z miasta i nie zatrzymał się do dziś.": "Polish",
}


@pytest.mark.parametrize(
    ("style", "query"),
    [
        ("open", "Why does a pendulum clock lose time in summer?"),
        ("factoid", "When was the pendulum clock invented?"),
        ("exam", "Why does a pendulum clock lose time in summer?"),
    ],
)
def test_a_style_takes_the_kind_of_fact_that_suits_it(style: str, query: str) -> None:
    assert draft(PENDULUM, style).query == query


def test_any_style_takes_any_fact_rather_than_none() -> None:
    assert draft("The Longitude Act was passed in July 1714.", "open").query == "When was the Longitude Act passed?"


def test_a_chunk_without_a_plain_fact_is_refused_with_the_reason() -> None:
    for text in NO_PLAIN_FACT:
        found = draft(text, "open")
        assert found.query is None, text
        assert found.reason.startswith("By rule: no sentence plainly states"), text


@pytest.mark.parametrize(("text", "language"), WITHOUT_RULES.items())
def test_of_a_language_without_rules_the_reason_gives_the_name(text: str, language: str) -> None:
    assert draft(text, "open").reason == f"By rule: there are no rules for {language}."


def test_key_phrases_begin_with_what_the_query_is_about() -> None:
    found = draft_keyphrase(PENDULUM)
    assert found.query == "what is pendulum clock"
    assert found.keyphrases[:2] == ("pendulum clock", "Christiaan Huygens")
    assert 3 <= len(found.keyphrases) <= 5


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("When was the Forth Bridge opened?", "Forth Bridge opened when"),
        ("Who built the tower clock of Salisbury?", "built tower clock of Salisbury who"),
        ("Why does a heavier weight on an old foliot make it run fast?", "heavier weight on old foliot make it"),
    ],
)
def test_a_question_is_typed_in_at_most_seven_words(question: str, query: str) -> None:
    assert typed(question) == query


def test_two_definitions_of_one_kind_are_compared() -> None:
    (found,) = draft_multi((PENDULUM, WATER.split(". ")[0] + ".")).drafts
    assert (found.query, found.shape) == ("How does a pendulum clock differ from a water clock?", "comparison")


def test_of_two_dated_events_it_is_asked_which_came_first() -> None:
    chunks = (
        "Nobody minded the bells of the town.",
        "The Forth Bridge was opened in 1890.",
        "Ely Cathedral was built in 1083.",
    )
    (found,) = draft_multi(chunks).drafts
    assert found.query == "Which came first, the construction of Ely Cathedral or the opening of the Forth Bridge?"
    assert found.chunks == (2, 3)


def test_events_that_may_be_of_one_year_and_things_of_two_kinds_are_not_compared() -> None:
    century = ("Ely Cathedral was built in the eleventh century.", "The Tower of Brill was built in 1083.")
    kinds = ("A sundial is an instrument that shows the time.", "A bascule is a bridge that lifts its deck.")
    for chunks in (century, kinds, (PENDULUM, NO_PLAIN_FACT[0])):
        assert not draft_multi(chunks).drafts
