import pytest

from ragset.generation.stage import Case, Models, Stage
from ragset.generation.stages.draft import draft_near_miss
from ragset.llm.replies import NearMiss
from ragset.models import Candidate, Reject
from tests.samples import CHUNK, PLAIN_SETUP, candidate, prompts
from tests.scripted import Scripted

QUERY = "How much did the tower clock of Salisbury cost?"


async def drafted(*replies: NearMiss | str) -> tuple[Candidate | Reject, Scripted]:
    llm = Scripted({"draft_unanswerable": replies})
    case = Case(PLAIN_SETUP, prompts("draft_unanswerable"), Models(llm, llm, llm))
    (outcome,) = await Stage("draft", draft_near_miss).run(candidate(), case)
    return outcome, llm


def near_miss(query: str | None = QUERY, missing: str = "its price") -> NearMiss:
    return NearMiss(reason="It says when, and no price.", query=query, missing=missing)


async def test_a_near_miss_is_unanswerable_and_says_what_is_missing_near_which_chunk() -> None:
    outcome, _ = await drafted(near_miss())
    assert isinstance(outcome, Candidate)
    assert (outcome.query, outcome.kind, outcome.evidence) == (QUERY, "unanswerable", ())
    assert outcome.metadata == {"unanswerable": {"missing": "its price", "near": CHUNK.id}}
    assert [(step.stage, step.kind, step.query) for step in outcome.lineage] == [("draft", "near_miss", QUERY)]


async def test_a_chunk_that_nothing_comes_near_to_is_a_reject() -> None:
    outcome, _ = await drafted(near_miss(None, ""))
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason, outcome.detail) == ("draft", "nothing_to_ask", "It says when, and no price.")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (near_miss("What does the passage not say of the clock?"), "leans_on_passage"),
        (near_miss(missing=" "), "nothing_missing"),
        ("no JSON", "malformed_reply"),
    ],
)
async def test_what_cannot_be_used_is_asked_again_and_then_a_reject(reply: NearMiss | str, reason: str) -> None:
    outcome, llm = await drafted(reply, near_miss())
    assert isinstance(outcome, Candidate)
    assert len(llm.requests) == 2
    outcome, _ = await drafted(reply)
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason) == ("draft", reason)
