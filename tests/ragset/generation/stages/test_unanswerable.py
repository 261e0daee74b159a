import pytest

from ragset.generation.stages.unanswerable import draft_unanswerable_query, unanswerable_shortfall
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import NearMiss
from ragset.models import Candidate, Golden, Reject
from tests.samples import CHUNK, candidate
from tests.scripted import Scripted

PROMPT = load_prompt("draft_unanswerable")
QUERY = "How much did the tower clock of Salisbury cost?"


async def drafted(*replies: NearMiss | str) -> tuple[Candidate | Reject, Scripted]:
    llm = Scripted({"draft_unanswerable": replies})
    return await draft_unanswerable_query(candidate(), PROMPT, llm), llm


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


@pytest.mark.parametrize(("made", "told"), [(4, False), (2, False), (1, True), (0, True)])
def test_far_fewer_than_asked_for_are_told(made: int, told: bool) -> None:
    ordinary = Golden.of(candidate(QUERY, "Smiths."))
    unanswerable = ordinary.model_copy(update={"kind": "unanswerable"})
    # a fifth of 20 are four
    said = unanswerable_shortfall([unanswerable] * made + [ordinary] * (20 - made), 0.2)
    assert bool(said) is told
    assert not told or said.startswith(f"Of 20 goldens 4 were to be unanswerable, and {made} ")
