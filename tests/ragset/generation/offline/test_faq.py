import pytest

from ragset.generation.offline.answer import answer_query
from ragset.generation.offline.candidates import candidates
from ragset.generation.offline.draft import draft
from ragset.generation.offline.faq import posed_questions, stands_alone

POOL = """# Harbour Pool: questions

### How much does a day ticket for the Harbour Pool cost?

A day ticket costs 7 euros, and 4 euros after 18:00. Children under six swim for free.

### What do I do with a lost wristband?

- Go to the desk.
- Pay 10 euros.

Q: Why is the outdoor basin of the Harbour Pool heated only until October?
A: The heat comes from the waste incinerator, which is shut down for repairs every autumn.

**Can swimming goggles be hired at the Harbour Pool?** Goggles are hired out at the desk for 2 euros. Fins are
"""


def asked(chunk: str, language: str = "en") -> list[str]:
    return [one.question.text for one in posed_questions(chunk, language)]


def test_questions_in_bold_in_headings_and_after_a_mark_are_taken_as_they_are() -> None:
    assert asked(POOL) == [
        "How much does a day ticket for the Harbour Pool cost?",
        "Why is the outdoor basin of the Harbour Pool heated only until October?",
        "Can swimming goggles be hired at the Harbour Pool?",
    ]


def test_the_answer_is_the_paragraph_below_in_whole_sentences_with_exact_offsets() -> None:
    for one in posed_questions(POOL, "en"):
        for sentence in one.evidence:
            assert POOL[sentence.start : sentence.end] == sentence.text
    last = list(posed_questions(POOL, "en"))[-1]
    assert [sentence.text for sentence in last.evidence] == ["Goggles are hired out at the desk for 2 euros."]


def test_a_list_is_no_prose() -> None:
    assert "What do I do with a lost wristband?" not in asked(POOL)


@pytest.mark.parametrize(
    ("language", "chunk", "query"),
    [
        (
            "es",
            "**¿Cuánto cuesta una noche en el refugio de Valdehierro?**\nUna noche cuesta 22 euros con desayuno.",
            "¿Cuánto cuesta una noche en el refugio de Valdehierro?",
        ),
        (
            "de",
            "**Wo kann man Bücher der Bücherei Talheim zurückgeben?**\nNeben dem Eingang steht ein Kasten für Bücher.",
            "Wo kann man Bücher der Bücherei Talheim zurückgeben?",
        ),
        (
            "fr",
            "### Pourquoi la navette ne passe-t-elle pas le dimanche ?\n\nLa commune ne finance que six jours par semaine.",
            "Pourquoi la navette ne passe-t-elle pas le dimanche ?",
        ),
        (
            "fr",
            "Q : Où peut-on acheter un billet de la navette ?\nR : Les billets sont vendus à bord et au bureau de tabac.",
            "Où peut-on acheter un billet de la navette ?",
        ),
    ],
)
def test_in_other_languages_too(language: str, chunk: str, query: str) -> None:
    assert asked(chunk, language) == [query]


@pytest.mark.parametrize(
    ("language", "query"),
    [
        ("en", "Is it open?"),
        ("en", "Do you have lockers?"),
        ("en", "Where is our office in Leeds?"),
        ("en", "According to this page, what is forbidden in Leeds?"),
        ("en", "What does a ticket cost, and where is it sold?"),
        ("en", "I was charged twice for one ride. What now?"),
        ("es", "¿Aceptan perros en invierno?"),
        ("de", "Haben Sie samstags geöffnet?"),
        ("de", "Wo liegt Ihre Filiale in Ulm?"),
        ("fr", "Acceptez-vous les vélos ?"),
        ("fr", "Où se trouve votre bureau de Brest ?"),
    ],
)
def test_what_does_not_stand_alone_is_left(language: str, query: str) -> None:
    assert not stands_alone(query, language)


def test_a_question_without_its_answer_is_left() -> None:
    assert asked("**How is the Harbour Pool heated in winter?**\n\n**How deep is the Harbour Pool?**\nIt is 3 m deep at the jetty.") == [
        "How deep is the Harbour Pool?"
    ]  # fmt: skip


def test_it_is_drafted_first_and_answered_by_its_paragraph() -> None:
    chunk = (
        "**How do I get to the Harbour Pool by tram?**\nLine 4 stops at the gate of the pool. "
        "It runs every ten minutes, because the harbour is busy.\n"
    )
    query = "How do I get to the Harbour Pool by tram?"
    assert draft(chunk, "open").query == draft(chunk, "exam").query == query
    reply = answer_query(chunk, query)
    assert reply.quotes == (
        "Line 4 stops at the gate of the pool.",
        "It runs every ten minutes, because the harbour is busy.",
    )
    assert candidates(chunk)[0].answer == reply.answer
