from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.generation.checks import STANDARD
from ragset.generation.personas import PLAIN, WritingStyle, complain_of_writing_style, notice, writing_style_of
from ragset.generation.query_samples import NO_SAMPLES, Samples
from ragset.generation.stage import Setup
from ragset.llm.protocol import Request
from ragset.llm.replies import EvolvedQuery, QueryDraft, QueryVerdict
from ragset.models import Candidate, Chunk, Reject
from ragset.settings import ContextWritingSettings, Persona, WritingSettings
from tests.samples import TEXT, TRAMS, candidate, outcome_of
from tests.scripted import Scripted

NURSE = Persona(name="night nurse", voice="types on a phone in a hurry, no punctuation")
CLERK = Persona(name="clerk", voice="formal, whole sentences", weight=3)
SAMPLES = Samples(queries=("clock runs fast why", "boiler lockout code F28", "Where can I park near the station?"))


def chunk(number: int) -> Chunk:
    return Chunk(doc_id=f"{number:016x}", start=0, end=len(TEXT), text=TEXT)


def persona_of(number: int, seed: int = 0) -> str:
    return writing_style_of(candidate(chunk=chunk(number)), (NURSE, CLERK), NO_SAMPLES, seed=seed, model="m").metadata[
        "persona"
    ]


def test_personas_are_drawn_by_weight_from_seed_and_chunk() -> None:
    drawn = [persona_of(number) for number in range(400)]
    # three quarters of 400 is 300; four standard deviations of a binomial are 4 * sqrt(400 * 0.75 * 0.25) = 35
    assert abs(Counter(drawn)["clerk"] - 300) < 35
    assert drawn == [persona_of(number) for number in range(399, -1, -1)][::-1]
    assert drawn != [persona_of(number, seed=1) for number in range(400)]


def test_a_voice_is_told_to_the_prompt_and_of_it_the_dataset_has_the_personas_name_alone() -> None:
    voice = writing_style_of(candidate(), (NURSE,), SAMPLES, seed=0, model="m")
    assert voice.inputs["persona"] == "night nurse: types on a phone in a hurry, no punctuation"
    assert voice.inputs["samples"][0] == "clock runs fast why"
    assert set(voice.inputs["samples"]) == set(SAMPLES.queries)
    assert voice.metadata == {"persona": "night nurse"}


def test_without_voices_nothing_is_told() -> None:
    assert writing_style_of(candidate(), (), NO_SAMPLES, seed=0, model="m") == PLAIN
    assert (PLAIN.inputs, PLAIN.metadata) == ({}, {})


def test_rules_imitate_nobody_and_say_so() -> None:
    assert writing_style_of(candidate(), (NURSE,), SAMPLES, seed=0, model="offline") == PLAIN
    asked = WritingSettings(personas=(NURSE,))
    said = notice(asked, "offline")
    assert said is not None
    assert "do not imitate personas or samples" in said
    assert notice(WritingSettings(samples="q.txt"), "offline") == said
    assert notice(asked, "m") is None
    assert notice(WritingSettings(), "offline") is None


def test_two_personas_of_one_name_are_an_error() -> None:
    with pytest.raises(ValueError, match="personas: night nurse is there twice"):
        WritingSettings(personas=(NURSE, NURSE))


def complaint(query: str, voice: WritingStyle, text: str = TEXT, language: str = "en") -> str | None:
    found = complain_of_writing_style(query, voice, [text], language)
    return found.reason if found else None


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("As a night nurse I want to know who built the clock", "en"),
        ("as an evening guard i need to know who built the clock of Salisbury", "en"),
        ("I'm a nurse, who built the tower clock of Salisbury", "en"),
        ("which clock should a night nurse read", "en"),
        ("As a nurse on duty, which clock is right?", "en"),
        ("Soy una enfermera, ¿quién construyó el reloj?", "es"),
        ("Como enfermera de noche, necesito saber quién construyó el reloj", "es"),
        ("Als Nachtschwester möchte ich wissen, wer die Uhr gebaut hat", "de"),
        ("En tant qu'infirmière, je veux savoir qui a construit l'horloge", "fr"),
        ("als night nurse: wie heet de klok", "nl"),
    ],
)
def test_a_query_that_says_who_asks_is_refused(query: str, language: str) -> None:
    assert complaint(query, WritingStyle(NURSE), language=language) == "speaks_of_persona"


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("who built salisbury tower clock", "en"),
        ("how long does the foliot take at night", "en"),
        ("As a weight gets heavier, how does the clock change?", "en"),
        ("como funciona el reloj de Salisbury", "es"),
        ("Cómo cambio la pesa si mi reloj adelanta", "es"),
        ("Als was diente das Foliot?", "de"),
        ("comment marche l'horloge de Salisbury", "fr"),
    ],
)
def test_a_query_that_only_sounds_like_the_persona_is_fine(query: str, language: str) -> None:
    assert complaint(query, WritingStyle(NURSE), language=language) is None


def test_a_persona_that_the_passage_speaks_of_may_be_named() -> None:
    text = "Every night nurse winds the clock at ten, and writes down how far it was off."
    assert complaint("when does a night nurse wind the clock", WritingStyle(NURSE), text) is None


SHOWN = WritingStyle(samples=SAMPLES.queries)


def test_a_query_in_the_manner_of_samples_is_fine() -> None:
    assert complaint("salisbury clock builders delft", SHOWN) is None
    assert complaint("clock of salisbury runs fast why", SHOWN) is None
    assert complain_of_writing_style(None, SHOWN, [TEXT]) is None


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("tower clock lockout code", '"lockout", "code"'),
        ("clock of Salisbury F28", '"F28"'),
        ("who built the clock at the station park", '"station", "park"'),
    ],
)
def test_a_name_a_number_or_two_words_of_a_sample_that_the_passage_does_not_have_are_refused(
    query: str, named: str
) -> None:
    found = complain_of_writing_style(query, SHOWN, [TEXT])
    assert found is not None
    assert found.reason == "copies_sample"
    assert named in found.message


@pytest.mark.parametrize("query", ["which side of the tower has a lockout", "who were the two smiths of the clock"])
def test_a_single_ordinary_word_is_nobodys(query: str) -> None:
    assert complaint(query, WritingStyle(samples=("two lamps, lockout code", "left side rattles"))) is None


def test_words_of_manner_may_come_from_a_sample() -> None:
    voice = WritingStyle(samples=("which is near here first, the bakery or the museum", "best way to fix a tap please"))
    assert complaint("please explain best way a clock is built, smiths or weight first", voice) is None
    assert complaint("best way to a bakery near the museum, by clock", voice) == "copies_sample"


def test_a_copy_of_a_sample_is_refused_even_where_the_passage_has_all_its_words() -> None:
    assert complaint("Clock runs fast, why?", SHOWN) == "copies_sample"
    assert complaint("clocks run fast why", SHOWN) == "copies_sample"


def test_other_forms_of_a_word_of_the_passage_are_its_words() -> None:
    assert complaint("building a tower clock", WritingStyle(samples=("building permit cost",))) is None


def test_words_are_not_looked_at_where_the_passage_is_in_another_language() -> None:
    spanish = "El reloj de la torre de Salisbury fue construido en 1386 por tres herreros que llegaron de Delft."
    assert complaint("who built the clock at the station park", SHOWN, spanish) is None
    assert complaint("clock runs fast why", SHOWN, spanish) == "copies_sample"


@given(st.lists(st.text(max_size=40), min_size=1, max_size=3), st.text(max_size=60))
def test_every_sample_itself_is_a_copy(samples: list[str], passage: str) -> None:
    for query in filter(None, samples):
        assert complaint(query, WritingStyle(samples=tuple(samples)), passage) == "copies_sample"


async def drafted(setup: Setup, prompt: str, given: Candidate, model: str = "m") -> Request:
    """What the generator is asked by the stage `draft`."""
    llm = Scripted({prompt: [QueryDraft(reason="x", query=None)]})
    llm.model = model
    await outcome_of("draft", given, llm, setup)
    return llm.requests[0]


async def test_both_pipelines_give_the_generator_its_voice() -> None:
    single = WritingSettings(styles={"open": 1}, personas=(NURSE,), samples="q.txt")
    asked = await drafted(Setup(single, samples=SAMPLES), "draft_open_query", candidate())
    voice = writing_style_of(candidate(), (NURSE,), SAMPLES, seed=0, model="m").inputs
    assert {"chunk": TEXT, "title": "Tower clocks", **voice}.items() <= asked.inputs.items()
    several = ContextWritingSettings(personas=(NURSE,), samples="q.txt")
    context = Candidate(chunks=TRAMS)
    asked = await drafted(Setup(several, samples=SAMPLES), "draft_multi_query", context)
    assert {"persona", "samples"} < set(asked.inputs)
    # a query that is to be widened is drafted from one chunk, in the same voice
    widening = several.model_copy(update={"evolutions": {"multi_context": 1.0}})
    widened = await drafted(Setup(widening, samples=SAMPLES), "draft_open_query", context)
    assert widened.inputs["samples"] == asked.inputs["samples"]


async def test_rules_are_asked_as_always() -> None:
    writing = WritingSettings(styles={"open": 1}, personas=(NURSE,), samples="q.txt")
    asked = await drafted(Setup(writing, samples=SAMPLES), "draft_open_query", candidate(), model="offline")
    assert not {"persona", "samples"} & set(asked.inputs)


@pytest.mark.parametrize(
    ("name", "query", "text"),
    [
        ("customer", "How long can a customer return goods?", "Customers may return goods within thirty days."),
        ("user", "where does a user change the password", "Passwords are changed by users in the portal."),
        ("nurse", "which nurse winds the clock at night", "Nursing staff wind the clock at night."),
        ("tourist", "what do tourists pay at the gate", "Visitors pay five euros at the gate."),
        ("Student", "Which student council meets in May?", "The council of the students meets in May."),
        ("gardener", "How much does a gardener earn in spring?", "Gardeners are paid by the hour in spring."),
        ("pilot", "may a pilot smoke on board", "Smoking is forbidden to everybody on board."),
        ("office worker", "when may an office worker leave early", "Office workers may leave at four on Fridays."),
        ("night nurse", "what does a night nurse check first", "Nurses who work at night check the drips first."),
    ],
)
def test_a_query_about_such_people_is_not_one_of_theirs(name: str, query: str, text: str) -> None:
    assert complaint(query, WritingStyle(Persona(name=name, voice="x")), text) is None


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("customer", "As a customer, how long may I keep goods?"),
        ("user", "I am a user and want to know where passwords are changed"),
        ("nurse", "as nurse on duty, which clock is right"),
        ("tourist", "I'm a tourist, what does the tower cost?"),
        ("gardener", "speaking as a gardener, which rose is hardy?"),
        ("pilot", "I work as a pilot: which clock is right?"),
        ("office worker", "which tower can an office worker climb"),
    ],
)
def test_how_it_opens_and_a_name_of_several_words_give_a_persona_away(name: str, query: str) -> None:
    assert complaint(query, WritingStyle(Persona(name=name, voice="x"))) == "speaks_of_persona"


def test_the_style_of_a_drafted_query_is_known_by_its_metadata() -> None:
    written = candidate().model_copy(update={"metadata": {"persona": "clerk"}})
    assert writing_style_of(written, (NURSE, CLERK), NO_SAMPLES, seed=0, model="m").persona == CLERK
    assert writing_style_of(written, (CLERK,), SAMPLES, seed=0, model="offline") == PLAIN


async def test_both_pipelines_look_for_the_voice_in_what_they_rewrite() -> None:
    leak = EvolvedQuery(reason="x", query="As a night nurse I want to know who built the tower clock of Salisbury")
    vague = QueryVerdict(feedback="Say more.", independent=0, clear=1, verdict=0)
    llm = Scripted({"evolve_reasoning": [leak], "rewrite_query": [leak], "judge_query": [vague]})
    llm.model = "m"
    checks = STANDARD.model_copy(update={"judge_queries": True})
    given = candidate("Who built the clock?").model_copy(update={"metadata": {"persona": "night nurse"}})
    for writing in (WritingSettings, ContextWritingSettings):
        setup = Setup(writing(personas=(NURSE,), evolutions={"reasoning": 1.0}), checks)
        for name in ("screen", "evolve"):
            outcome = await outcome_of(name, given, llm, setup)
            assert isinstance(outcome, Reject)
            assert (outcome.stage, outcome.reason) == (name, "speaks_of_persona")
