import pytest

from ragset.generation.query_samples import Samples
from ragset.generation.stage import Setup
from ragset.generation.styles import SHAPE_PROMPT
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import ContextDraft, QueryDraft
from ragset.models import Candidate, Reject
from ragset.settings import ContextWritingSettings, Persona
from tests.samples import TRAMS, outcome_of
from tests.scripted import Scripted

NURSE = Persona(name="night nurse", voice="no punctuation")


async def test_a_query_over_several_chunks_has_a_voice_and_is_held_to_all_its_passages() -> None:
    asked = "aldmoor horse trams or brill electric first"
    llm = Scripted({SHAPE_PROMPT: [ContextDraft(reason="x", query=asked, shape="comparison")]})
    samples = Samples(queries=("electric boiler or gas first", "horse riding lessons"))
    writing = ContextWritingSettings(shapes={"comparison": 1}, personas=(NURSE,))
    outcome = await outcome_of("draft", Candidate(chunks=TRAMS), llm, Setup(writing, samples=samples))
    assert isinstance(outcome, Candidate)
    assert outcome.metadata == {"seed": TRAMS[0].id, "shape": "comparison", "persona": "night nurse"}
    case = llm.requests[0].messages[-1].content
    assert case.index("<shape>comparison</shape>") < case.index("night nurse") < case.index("horse riding lessons")


async def over_several(*replies: ContextDraft | QueryDraft, wish: str) -> tuple[Candidate | Reject, Scripted]:
    llm = Scripted({SHAPE_PROMPT: replies})
    prompt = load_prompt(SHAPE_PROMPT)
    if isinstance(replies[0], QueryDraft):
        prompt = prompt.model_copy(update={"reply": "QueryDraft", "examples": ()})
    setup = Setup(ContextWritingSettings(shapes={wish: 1}))
    return await outcome_of("draft", Candidate(chunks=TRAMS), llm, setup, {SHAPE_PROMPT: prompt}), llm


ORDER = ContextDraft(reason="x", query="Did Aldmoor open its tramway before Brill?", shape="comparison")


@pytest.mark.parametrize(
    ("wish", "labels"),
    [
        ("comparison", {"shape": "comparison"}),
        ("bridge", {"shape": "comparison", "wished": "bridge"}),
        ("open", {"shape": "comparison", "wished": "open"}),
    ],
)
async def test_the_shape_is_the_one_that_was_made_and_a_wish_for_another_stays_beside_it(
    wish: str, labels: dict[str, str]
) -> None:
    outcome, _ = await over_several(ORDER, wish=wish)
    assert isinstance(outcome, Candidate)
    assert (outcome.metadata, outcome.lineage[-1].kind) == ({"seed": TRAMS[0].id, **labels}, "comparison")


async def test_a_query_without_its_shape_is_asked_for_once_more_and_then_rejected() -> None:
    bare = ORDER.model_copy(update={"shape": None})
    outcome, llm = await over_several(bare, ORDER, wish="bridge")
    assert isinstance(outcome, Candidate)
    assert "You gave no shape" in llm.requests[1].messages[-1].content
    outcome, _ = await over_several(bare, wish="bridge")
    assert isinstance(outcome, Reject)
    assert outcome.reason == "no_shape"


async def test_no_query_needs_no_shape() -> None:
    outcome, llm = await over_several(ContextDraft(reason="They touch nowhere.", query=None, shape=None), wish="open")
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.detail, len(llm.requests)) == ("nothing_to_ask", "They touch nowhere.", 1)


async def test_of_a_prompt_of_ones_own_that_tells_no_shape_the_wish_is_what_is_known() -> None:
    outcome, _ = await over_several(QueryDraft(reason="x", query="Was Brill before Aldmoor?"), wish="bridge")
    assert isinstance(outcome, Candidate)
    assert outcome.metadata == {"seed": TRAMS[0].id, "shape": "bridge"}
