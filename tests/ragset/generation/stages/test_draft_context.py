import pytest

from ragset.generation.query_samples import Samples
from ragset.generation.stage import Setup
from ragset.generation.styles import SHAPE_PROMPT
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import ContextDraft, ContextDrafts, QueryDraft, Quote
from ragset.models import Candidate, Reject, Span
from ragset.settings import ContextWritingSettings, Persona
from tests.samples import TRAMS, outcome_of, outcomes_of
from tests.scripted import Scripted

NURSE = Persona(name="night nurse", voice="no punctuation")
ORDER = ContextDraft(reason="x", chunks=(2, 1), query="Did Aldmoor open its tramway before Brill?", shape="comparison")
NOTHING = ContextDrafts(reason="They touch nowhere.", drafts=())


def several(*drafts: ContextDraft) -> ContextDrafts:
    return ContextDrafts(reason="x", drafts=drafts)


async def over_several(
    *replies: ContextDraft | ContextDrafts | QueryDraft, cross_document: bool = False, max_chunks: int = 4
) -> tuple[Candidate | Reject, Scripted]:
    given = [several(reply) if isinstance(reply, ContextDraft) else reply for reply in replies]
    llm = Scripted({SHAPE_PROMPT: given})
    prompt = load_prompt(SHAPE_PROMPT)
    if isinstance(replies[0], QueryDraft):
        prompt = prompt.model_copy(update={"reply": "QueryDraft", "examples": ()})
    setup = Setup(ContextWritingSettings(), min_chunks=2, max_chunks=max_chunks, cross_document=cross_document)
    return await outcome_of("draft", Candidate(chunks=TRAMS), llm, setup, {SHAPE_PROMPT: prompt}), llm


async def test_a_query_over_several_chunks_has_a_voice_and_is_held_to_all_its_passages() -> None:
    asked = "aldmoor horse trams or brill electric first"
    llm = Scripted({SHAPE_PROMPT: [several(ORDER.model_copy(update={"query": asked}))]})
    samples = Samples(queries=("electric boiler or gas first", "horse riding lessons"))
    setup = Setup(ContextWritingSettings(personas=(NURSE,)), samples=samples)
    outcome = await outcome_of("draft", Candidate(chunks=TRAMS), llm, setup)
    assert isinstance(outcome, Candidate)
    assert outcome.metadata == {"shape": "comparison", "persona": "night nurse"}
    case = llm.requests[0].messages[-1].content
    assert case.index("<count>2 to 4</count>") < case.index("night nurse") < case.index("horse riding lessons")


async def test_the_writer_chooses_the_chunks_and_the_others_are_spare() -> None:
    outcome, llm = await over_several(ORDER)
    assert isinstance(outcome, Candidate)
    assert (outcome.chunks, outcome.spare) == (TRAMS[:2], TRAMS[2:])
    assert (outcome.metadata, outcome.lineage[-1].kind) == ({"shape": "comparison"}, "comparison")
    assert len(llm.requests) == 1


async def test_each_draft_that_fits_becomes_a_candidate() -> None:
    other = ORDER.model_copy(update={"query": "When did the depot of Aldmoor burn?", "chunks": (1, 3)})
    wrong = other.model_copy(update={"chunks": (1, 4)})
    llm = Scripted({SHAPE_PROMPT: [several(ORDER, wrong, other)]})
    setup = Setup(ContextWritingSettings(), min_chunks=2)
    outcomes = await outcomes_of("draft", Candidate(chunks=TRAMS), llm, setup)
    found = [(one.query, one.chunks) for one in outcomes if isinstance(one, Candidate)]
    assert found == [(ORDER.query, TRAMS[:2]), (other.query, (TRAMS[0], TRAMS[2]))]
    assert (len(outcomes), len(llm.requests)) == (2, 1)


async def test_of_a_reply_the_first_three_drafts_count_and_of_two_alike_one() -> None:
    queries = [ORDER.query, "Who was first?", "WHO was first?", "Which was last?", "Which was dearest?"]
    llm = Scripted({SHAPE_PROMPT: [several(*(ORDER.model_copy(update={"query": query}) for query in queries))]})
    outcomes = await outcomes_of("draft", Candidate(chunks=TRAMS), llm, Setup(ContextWritingSettings(), min_chunks=2))
    assert [one.query for one in outcomes] == [ORDER.query, "Who was first?", "Which was last?"]


async def test_a_draft_without_a_query_hides_no_complaint_about_another() -> None:
    bare = several(ORDER.model_copy(update={"query": None}), ORDER.model_copy(update={"shape": None}))
    outcome, llm = await over_several(bare, ORDER)
    assert isinstance(outcome, Candidate)
    assert "Say whether" in llm.requests[1].messages[-1].content


async def test_a_draft_that_quotes_too_few_of_its_chunks_is_left_to_the_answer_stage() -> None:
    quoted = (Quote(chunk=1, quote=TRAMS[0].text),)
    outcome, _ = await over_several(ORDER.model_copy(update={"answer": "Yes.", "quotes": quoted}))
    assert isinstance(outcome, Candidate)
    assert (outcome.chunks, outcome.answer, outcome.evidence) == (TRAMS[:2], "", ())


async def test_a_draft_brings_its_answer_with_the_chunks_that_it_quotes() -> None:
    drafted = ORDER.model_copy(
        update={
            "chunks": (2, 3),
            "answer": " In 1899. ",
            "quotes": (Quote(chunk=2, quote="opened in 1899"), Quote(chunk=3, quote=TRAMS[2].text)),
        }
    )
    outcome, _ = await over_several(drafted)
    assert isinstance(outcome, Candidate)
    assert (outcome.chunks, outcome.answer) == (TRAMS[1:], "In 1899.")
    at = TRAMS[1].start + TRAMS[1].text.index("opened in 1899")
    quoted = Span(doc_id=TRAMS[1].doc_id, start=at, end=at + len("opened in 1899"))
    assert outcome.evidence == (TRAMS[2].span, quoted)


@pytest.mark.parametrize("quote", [Quote(chunk=1, quote="opened in 1999"), Quote(chunk=3, quote=TRAMS[2].text)])
async def test_an_answer_with_a_quote_from_no_chunk_chosen_is_left_to_the_answer_stage(quote: Quote) -> None:
    drafted = ORDER.model_copy(update={"answer": "Yes.", "quotes": (quote,)})
    outcome, _ = await over_several(drafted)
    assert isinstance(outcome, Candidate)
    assert (outcome.chunks, outcome.answer, outcome.evidence) == (TRAMS[:2], "", ())


@pytest.mark.parametrize("chunks", [(), (1,), (0, 1), (1, 4), (1, 2, 3)])
async def test_other_numbers_than_those_shown_or_too_few_or_many_are_asked_for_once_more(
    chunks: tuple[int, ...],
) -> None:
    wrong = ORDER.model_copy(update={"chunks": chunks})
    outcome, llm = await over_several(wrong, ORDER, max_chunks=2)
    assert isinstance(outcome, Candidate)
    assert "2 to 2, by numbers from 1 to 3" in llm.requests[1].messages[-1].content
    outcome, _ = await over_several(wrong, max_chunks=2)
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.chunks) == ("wrong_chunks", tuple(chunk.id for chunk in TRAMS))


async def test_where_documents_must_differ_a_query_over_one_is_asked_for_once_more() -> None:
    one = ORDER.model_copy(update={"chunks": (1, 3)})
    outcome, llm = await over_several(one, ORDER, cross_document=True)
    assert isinstance(outcome, Candidate)
    assert llm.requests[0].messages[-1].content.count("<document>A</document>") == 2
    assert "of one document" in llm.requests[1].messages[-1].content
    outcome, _ = await over_several(one, cross_document=True)
    assert isinstance(outcome, Reject)
    assert outcome.reason == "one_document"
    outcome, _ = await over_several(one)
    assert isinstance(outcome, Candidate)


async def test_a_query_without_its_shape_is_asked_for_once_more_and_then_rejected() -> None:
    bare = ORDER.model_copy(update={"shape": None})
    outcome, llm = await over_several(bare, ORDER)
    assert isinstance(outcome, Candidate)
    assert "Say whether" in llm.requests[1].messages[-1].content
    outcome, _ = await over_several(bare)
    assert isinstance(outcome, Reject)
    assert outcome.reason == "no_shape"


async def test_no_query_needs_no_chunks_and_no_shape() -> None:
    outcome, llm = await over_several(NOTHING)
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.detail, len(llm.requests)) == ("nothing_to_ask", "They touch nowhere.", 1)


async def test_of_a_prompt_of_ones_own_that_chooses_nothing_all_chunks_are_joined() -> None:
    outcome, _ = await over_several(QueryDraft(reason="x", query="Was Brill before Aldmoor?"))
    assert isinstance(outcome, Candidate)
    assert (outcome.metadata, outcome.chunks) == ({}, TRAMS)
