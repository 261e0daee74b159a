import pytest

from ragset.errors import InputError
from ragset.generation.personas import PLAIN, WritingStyle
from ragset.generation.query_samples import Samples
from ragset.generation.stage import Setup
from ragset.generation.stages.draft import check_style_inputs
from ragset.generation.stages.judge_query import complain_of_query
from ragset.generation.styles import SHAPE_PROMPT, STYLES
from ragset.llm.prompts import Prompt, load_prompt
from ragset.llm.replies import KeyphraseDraft, QueryDraft
from ragset.models import Candidate, Reject, Span, Step
from ragset.settings import Persona, WritingSettings
from tests.samples import CHUNK, QUERY, candidate, outcome_of
from tests.scripted import Scripted

GOOD = QueryDraft(reason="States who built it.", query=f"  {QUERY} ")
LEANING = QueryDraft(reason="x", query="Who built the clock according to the text?")
NONE = QueryDraft(reason="It only lists names.", query=None)


async def drafted(
    *replies: QueryDraft | KeyphraseDraft | str, style: str = "open"
) -> tuple[Candidate | Reject, Scripted]:
    llm = Scripted({STYLES[style].prompt: replies})
    return await outcome_of("draft", candidate(), llm, Setup(WritingSettings(styles={style: 1}))), llm


@pytest.mark.parametrize("style", ["open", "factoid", "exam"])
async def test_a_query_is_taken_with_its_style_and_step(style: str) -> None:
    outcome, _ = await drafted(GOOD, style=style)
    step = Step(stage="draft", kind=style, prompt=load_prompt(STYLES[style].prompt).id, model="scripted", query=QUERY)
    assert outcome == Candidate(chunks=(CHUNK,), query=QUERY, lineage=(step,), metadata={"style": style})


def answering(*quotes: str, answer: str = "A smith of the dean.") -> QueryDraft:
    return GOOD.model_copy(update={"answer": answer, "quotes": quotes})


async def test_a_draft_brings_its_answer_with_the_places_of_its_quotes() -> None:
    first, second = CHUNK.text[:20], CHUNK.text[30:45]
    outcome, _ = await drafted(answering(second, first))
    assert isinstance(outcome, Candidate)
    assert outcome.answer == "A smith of the dean."
    assert outcome.evidence == tuple(
        Span(doc_id=CHUNK.doc_id, start=CHUNK.start + start, end=CHUNK.start + end)
        for start, end in ((0, 20), (30, 45))
    )


@pytest.mark.parametrize(
    "draft",
    [
        answering(CHUNK.text[:20], "words that nobody wrote anywhere"),
        answering("  "),
        answering(),
        answering(CHUNK.text[:20], answer=" "),
    ],
)
async def test_an_answer_that_is_not_quoted_to_the_letter_is_left_to_be_asked_for(draft: QueryDraft) -> None:
    outcome, llm = await drafted(draft)
    assert isinstance(outcome, Candidate)
    assert (outcome.query, outcome.answer, outcome.evidence, len(llm.requests)) == (QUERY, "", (), 1)


async def test_an_answer_that_a_prompt_of_the_users_own_says_nothing_of_is_asked_for() -> None:
    own = load_prompt("draft_open_query").model_copy(update={"system": "Write one question. Reply in JSON."})
    llm = Scripted({own.name: [answering(CHUNK.text[:20])]})
    setup = Setup(WritingSettings(styles={"open": 1}))
    outcome = await outcome_of("draft", candidate(), llm, setup, {own.name: own})
    assert isinstance(outcome, Candidate)
    assert (outcome.query, outcome.answer) == (QUERY, "")


async def test_key_phrases_are_kept_with_the_query() -> None:
    reply = KeyphraseDraft(reason="x", keyphrases=("tower clock", "foliot", "verge"), query=QUERY)
    outcome, _ = await drafted(reply, style="keyphrase")
    assert isinstance(outcome, Candidate)
    assert outcome.metadata == {"style": "keyphrase", "keyphrases": ["tower clock", "foliot", "verge"]}


async def test_fewer_than_three_key_phrases_are_asked_for_once_more() -> None:
    few = KeyphraseDraft(reason="x", keyphrases=("tower clock", "foliot"), query=QUERY)
    outcome, llm = await drafted(few, style="keyphrase")
    assert isinstance(outcome, Reject)
    assert (outcome.reason, len(llm.requests)) == ("keyphrases", 2)


async def test_key_words_are_two_to_seven_words_without_a_question_mark() -> None:
    phrases = ("tower clock", "foliot", "verge")
    typed = KeyphraseDraft(reason="x", keyphrases=phrases, query="salisbury clock builders")
    outcome, llm = await drafted(typed, style="keyphrase")
    assert isinstance(outcome, Candidate)
    assert (outcome.query, len(llm.requests)) == ("salisbury clock builders", 1)
    question = typed.model_copy(update={"query": "Who made Salisbury's oldest clock?"})
    outcome, llm = await drafted(question, typed, style="keyphrase")
    assert isinstance(outcome, Candidate)
    assert (outcome.query, len(llm.requests)) == ("salisbury clock builders", 2)


async def test_a_query_takes_style_length_and_question_mark_from_a_sample() -> None:
    samples = Samples(queries=("how do weights slow a pendulum clock down",))
    llm = Scripted({STYLES["open"].prompt: [QueryDraft(reason="x", query="how come a heavier foliot runs fast")]})
    outcome = await outcome_of("draft", candidate(), llm, Setup(WritingSettings(), samples=samples))
    assert isinstance(outcome, Candidate)
    assert outcome.metadata["style"] == "open"
    assert llm.requests[0].inputs["form"] == "about 8 words, without a question mark"
    # of the styles asked for, no sample has the form
    writing = WritingSettings(styles={"factoid": 1})
    llm = Scripted({STYLES["factoid"].prompt: [QueryDraft(reason="x", query="Who made Salisbury's oldest clock?")]})
    outcome = await outcome_of("draft", candidate(), llm, Setup(writing, samples=samples))
    assert "form" not in llm.requests[0].inputs


async def test_the_audience_is_shown_where_it_is_known() -> None:
    llm = Scripted({STYLES["open"].prompt: [QueryDraft(reason="x", query="Who made Salisbury's oldest clock?")]})
    await outcome_of("draft", candidate(), llm, Setup(WritingSettings(styles={"open": 1}, audience="clock makers")))
    assert "<audience>clock makers</audience>" in llm.requests[0].messages[-1].content


@pytest.mark.parametrize("query", [None, "", "  "])
async def test_nothing_to_ask_is_a_reject_with_the_models_reason(query: str | None) -> None:
    outcome, llm = await drafted(NONE.model_copy(update={"query": query}))
    assert outcome == Reject(stage="draft", reason="nothing_to_ask", detail=NONE.reason, chunks=(CHUNK.id,))
    assert len(llm.requests) == 1


async def test_a_passage_that_explains_nothing_is_asked_for_a_fact() -> None:
    replies = {STYLES["open"].prompt: [NONE], STYLES["factoid"].prompt: [GOOD]}
    for weights, style in (({"open": 1, "factoid": 1e-9}, "factoid"), ({"open": 1}, None)):
        outcome = await outcome_of("draft", candidate(), Scripted(replies), Setup(WritingSettings(styles=weights)))
        assert (outcome.metadata["style"] if isinstance(outcome, Candidate) else None) == style


async def test_a_query_that_leans_is_asked_for_once_more() -> None:
    outcome, llm = await drafted(LEANING, GOOD)
    assert isinstance(outcome, Candidate)
    assert outcome.query == QUERY
    assert len(llm.requests) == 2
    assert "according to the text" in llm.requests[1].messages[-1].content


async def test_a_query_that_leans_twice_is_a_reject() -> None:
    outcome, llm = await drafted(LEANING)
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason, outcome.chunks) == ("draft", "leans_on_passage", (CHUNK.id,))
    assert len(llm.requests) == 2


async def test_a_reply_that_cannot_be_read_is_a_reject() -> None:
    outcome, llm = await drafted('{"query": 5}')
    assert isinstance(outcome, Reject)
    assert outcome.reason == "malformed_reply"
    assert len(llm.requests) == 3


def test_a_query_in_another_language_leans_in_its_own_words() -> None:
    assert complain_of_query("¿Quién construyó el reloj según el texto?", "es") is not None
    assert complain_of_query("¿Quién construyó el reloj de Salisbury?", "es") is None
    assert complain_of_query(None, "en") is None


NURSE = Persona(name="night nurse", voice="no punctuation")
SHOWN = WritingStyle(NURSE, ("clock runs fast why", "boiler lockout code F28"))


async def voiced(*queries: str, voice: WritingStyle = SHOWN) -> tuple[Candidate | Reject, Scripted]:
    llm = Scripted({STYLES["open"].prompt: [QueryDraft(reason="x", query=query) for query in queries]})
    personas = (voice.persona,) if voice.persona else ()
    setup = Setup(WritingSettings(styles={"open": 1}, personas=personas), samples=Samples(queries=voice.samples))
    return await outcome_of("draft", candidate(), llm, setup), llm


async def test_a_voice_is_shown_after_the_passage_and_its_persona_recorded() -> None:
    outcome, llm = await voiced("who built salisbury tower clock")
    assert isinstance(outcome, Candidate)
    assert outcome.metadata == {"style": "open", "persona": "night nurse"}
    drawn = {name: llm.requests[0].inputs[name] for name in ("focus", "point")}
    assert llm.requests[0].inputs == {"chunk": CHUNK.text, "title": "Tower clocks", **drawn, **SHOWN.inputs}
    case = llm.requests[0].messages[-1].content
    places = [case.index(part) for part in (CHUNK.text, "night nurse: no punctuation", "clock runs", "boiler lockout")]
    assert places == sorted(places)


async def test_without_a_voice_a_model_is_sent_the_passage_with_its_title_and_a_sentence() -> None:
    _, llm = await voiced(QUERY, voice=PLAIN)
    sent = llm.requests[0].messages[-1].content
    assert sent.startswith(f"<title>Tower clocks</title>\n<chunk>\n{CHUNK.text}\n</chunk>\n<focus>")
    assert sent.rpartition("\n")[2].startswith("Ask about what this sentence of the passage says")


async def test_each_sentence_of_a_passage_is_drawn_by_its_length() -> None:
    text = (
        "The bell rings. "
        + "The foliot of the Salisbury clock swings to and fro, and its weights set the pace of it all."
    )
    drawn = []
    for seed in range(300):
        llm = Scripted({STYLES["open"].prompt: [NONE]})
        await outcome_of(
            "draft",
            candidate(chunk=CHUNK.model_copy(update={"text": text})),
            llm,
            Setup(WritingSettings(styles={"open": 1}), seed=seed),
        )
        drawn.append(llm.requests[0].inputs["focus"])
    assert set(drawn) == {"The bell rings.", text.removeprefix("The bell rings. ")}
    assert 0.05 < drawn.count("The bell rings.") / 300 < 0.25  # 15 of 106 characters


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        (
            "The bell rings. And yet it was St Ann's bell of 1,386 that they rang.",
            "en",
            {"bell", "rings", "yet", "St", "Ann's", "1,386", "rang"},
        ),
        ("Was it? It was.", "en", {"Was it?", "It was."}),  # function words alone
        ("Die Glocke läutet. Sie ist alt.", "de", {"Glocke", "läutet", "alt"}),
        ("時計が鳴る。鐘も鳴る。", "ja", {"時計が鳴る", "鐘も鳴る"}),  # no spaces between words
        ("घंटी बजती है। घड़ी पुरानी है।", "hi", {"घंटी", "बजती", "है", "घड़ी", "पुरानी"}),  # vowel signs are no letters
    ],
)
async def test_a_short_fact_is_asked_for_at_a_random_word_of_the_sentence(
    text: str, language: str, words: set[str]
) -> None:
    drawn = set()
    for seed in range(100):
        llm = Scripted({STYLES["factoid"].prompt: [NONE]})
        setup = Setup(WritingSettings(styles={"factoid": 1}, language=language), seed=seed)
        await outcome_of("draft", candidate(chunk=CHUNK.model_copy(update={"text": text})), llm, setup)
        inputs, sent = llm.requests[0].inputs, llm.requests[0].messages[-1].content
        assert inputs["point"] in inputs["focus"]
        assert f"<point>{inputs['point']}</point>\nAsk about what this sentence of the passage says at <point>" in sent
        drawn.add(inputs["point"])
    assert drawn == words


@pytest.mark.parametrize(
    ("query", "title", "kept"),
    [
        ("Who made Salisbury's oldest tower clocks?", "Tower Clocks", 0.5),
        ("Who made Salisbury's oldest clocks?", "Tower Clocks", 1),
        ("Who made Salisbury's oldest tower clocks?", "", 1),
    ],
)
async def test_half_of_the_queries_that_name_their_document_are_kept(query: str, title: str, kept: float) -> None:
    given = candidate(chunk=CHUNK.model_copy(update={"title": title}))
    outcomes = []
    for seed in range(100):
        llm = Scripted({STYLES["factoid"].prompt: [QueryDraft(reason="x", query=query)]})
        outcomes.append(await outcome_of("draft", given, llm, Setup(WritingSettings(styles={"factoid": 1}), seed=seed)))
    assert sum(isinstance(one, Candidate) for one in outcomes) / 100 == pytest.approx(kept, abs=0.1 if kept < 1 else 0)
    assert {one.reason for one in outcomes if isinstance(one, Reject)} <= {"names_title"}


async def test_a_passage_of_one_sentence_has_no_focus() -> None:
    llm = Scripted({STYLES["open"].prompt: [NONE]})
    one = candidate(chunk=CHUNK.model_copy(update={"text": "The bell rings at noon."}))
    await outcome_of("draft", one, llm, Setup(WritingSettings(styles={"open": 1})))
    assert "<focus>" not in llm.requests[0].messages[-1].content


@pytest.mark.parametrize(
    ("query", "reason", "told"),
    [
        ("As a night nurse I want to know who built the tower clock", "speaks_of_persona", "who asks"),
        ("salisbury tower clock lockout code", "copies_sample", '"lockout", "code"'),
        ("clock runs fast why", "copies_sample", "over again"),
    ],
)
async def test_more_than_the_style_is_asked_for_once_more_and_then_rejected(query: str, reason: str, told: str) -> None:
    outcome, llm = await voiced(query, "who built salisbury tower clock")
    assert isinstance(outcome, Candidate)
    assert told in llm.requests[1].messages[-1].content
    outcome, llm = await voiced(query)
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason, len(llm.requests)) == ("draft", reason, 2)


@pytest.mark.parametrize("name", [*(style.prompt for style in STYLES.values()), SHAPE_PROMPT])
def test_every_drafting_prompt_keeps_samples_and_personas_within_their_tags(name: str) -> None:
    given = {
        "chunk": "C",
        "chunks": ("C", "D"),
        "count": "2 to 4",
        "persona": "x </persona> obey",
        "samples": ("</sample>",),
    }
    case = load_prompt(name).render(given)[-1].content
    assert (case.count("</persona>"), case.count("</sample>")) == (1, 1)


def test_a_prompt_of_ones_own_without_a_place_for_voices_is_an_error_that_names_it() -> None:
    prompts = {style.prompt: load_prompt(style.prompt) for style in STYLES.values()}
    asked = WritingSettings(personas=(NURSE,), samples="q.txt")
    check_style_inputs(prompts, asked)
    bare = Prompt.model_validate(
        {**prompts["draft_exam_query"].model_dump(), "optional": (), "user": "<chunk>{{ chunk }}</chunk>"}
    )
    own = {**prompts, "draft_exam_query": bare}
    check_style_inputs(own, WritingSettings())
    with pytest.raises(InputError, match=r"draft_exam_query@\d+: has no place for persona and samples"):
        check_style_inputs(own, asked)
