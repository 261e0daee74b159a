import pytest

from ragset.evolve import EVOLUTIONS, evolve_query
from ragset.models import Candidate, Reject, Step
from ragset.prompt import load_prompt
from ragset.replies import EvolvedQuery
from tests.ragset.samples import CHUNK, QUERY, candidate
from tests.scripted import Scripted

HARDER = "Who made the oldest working clock of a cathedral in Wiltshire?"


def reply(query: str | None) -> EvolvedQuery:
    return EvolvedQuery(reason="As it seems.", query=query)


async def evolved(*replies: EvolvedQuery | str, kind: str = "generalise") -> tuple[Candidate | Reject, Scripted]:
    name = EVOLUTIONS[kind]
    llm = Scripted({name: replies})
    return await evolve_query(candidate(QUERY), load_prompt(name), llm, kind=kind), llm


@pytest.mark.parametrize("kind", list(EVOLUTIONS))
async def test_a_rewritten_query_takes_the_place_of_the_first(kind: str) -> None:
    outcome, llm = await evolved(reply(HARDER), kind=kind)
    step = Step(stage="evolve", kind=kind, prompt=load_prompt(EVOLUTIONS[kind]).id, model="scripted", query=HARDER)
    assert outcome == Candidate(chunks=(CHUNK,), query=HARDER, lineage=(step,), metadata={"evolution": kind})
    assert llm.requests[0].inputs == {"chunk": CHUNK.text, "query": QUERY}


@pytest.mark.parametrize("query", [None, " ", QUERY, f" {QUERY} "])
async def test_what_the_passage_does_not_carry_leaves_the_query_as_it_was(query: str | None) -> None:
    outcome, _ = await evolved(reply(query))
    assert isinstance(outcome, Candidate)
    assert (outcome.query, outcome.metadata) == (QUERY, {"evolution": "none"})
    assert [(step.kind, step.query) for step in outcome.lineage] == [("generalise", None)]


async def test_a_query_that_comes_to_lean_is_asked_for_once_more_then_a_reject() -> None:
    leaning = reply("What does this passage say about clocks?")
    outcome, llm = await evolved(leaning, reply(HARDER))
    assert isinstance(outcome, Candidate)
    assert len(llm.requests) == 2
    outcome, llm = await evolved(leaning)
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason, outcome.query) == ("evolve", "leans_on_passage", QUERY)
    assert len(llm.requests) == 2


async def test_a_reply_that_cannot_be_read_is_a_reject_with_the_query() -> None:
    outcome, _ = await evolved("null")
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.query, outcome.chunks) == ("malformed_reply", QUERY, (CHUNK.id,))
