import pytest

from ragset.draft import STYLES, complain_of_query, draft_query
from ragset.models import Candidate, Reject, Step
from ragset.prompt import load_prompt
from ragset.replies import KeyphraseDraft, QueryDraft
from tests.ragset.samples import CHUNK, QUERY, candidate
from tests.scripted import Scripted

GOOD = QueryDraft(reason="States who built it.", query=f"  {QUERY} ")
LEANING = QueryDraft(reason="x", query="Who built the clock according to the text?")
NONE = QueryDraft(reason="It only lists names.", query=None)


async def drafted(
    *replies: QueryDraft | KeyphraseDraft | str, style: str = "open"
) -> tuple[Candidate | Reject, Scripted]:
    name = STYLES[style]
    llm = Scripted({name: replies})
    return await draft_query(candidate(), load_prompt(name), llm, style=style), llm


@pytest.mark.parametrize("style", ["open", "factoid", "exam"])
async def test_a_query_is_taken_with_its_style_and_step(style: str) -> None:
    outcome, _ = await drafted(GOOD, style=style)
    step = Step(stage="draft", kind=style, prompt=load_prompt(STYLES[style]).id, model="scripted", query=QUERY)
    assert outcome == Candidate(chunks=(CHUNK,), query=QUERY, lineage=(step,), metadata={"style": style})


async def test_key_phrases_are_kept_with_the_query() -> None:
    reply = KeyphraseDraft(reason="x", keyphrases=("tower clock", "foliot"), query=QUERY)
    outcome, _ = await drafted(reply, style="keyphrase")
    assert isinstance(outcome, Candidate)
    assert outcome.metadata == {"style": "keyphrase", "keyphrases": ["tower clock", "foliot"]}


@pytest.mark.parametrize("query", [None, "", "  "])
async def test_nothing_to_ask_is_a_reject_with_the_models_reason(query: str | None) -> None:
    outcome, llm = await drafted(NONE.model_copy(update={"query": query}))
    assert outcome == Reject(stage="draft", reason="nothing_to_ask", detail=NONE.reason, chunks=(CHUNK.id,))
    assert len(llm.requests) == 1


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
