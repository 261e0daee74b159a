import pytest

from ragset.generation.stage import Setup
from ragset.llm.replies import Criticism, Critique
from ragset.models import Candidate, Reject
from ragset.settings import WritingSettings
from tests.samples import CHUNK, QUERY, candidate, outcome_of
from tests.scripted import Scripted

TOGETHER = "critique_golden"
SEPARATE = {name: f"critique_{name}" for name in ("groundedness", "relevance", "clarity")}
ANSWER = "Three smiths from Delft."


def score(value: int, reason: str = "fine") -> Criticism:
    return Criticism.model_validate({"reason": reason, "score": value})


def together(groundedness: int, relevance: int, clarity: int) -> Critique:
    return Critique(groundedness=score(groundedness, "g"), relevance=score(relevance, "r"), clarity=score(clarity, "c"))


async def judged(llm: Scripted, *, threshold: int = 4) -> Candidate | Reject:
    writing = WritingSettings(separate=len(llm._replies) > 1, audience="clockmakers", threshold=threshold)
    return await outcome_of("critique", candidate(QUERY, ANSWER), llm, Setup(writing))


async def test_scores_at_the_threshold_pass() -> None:
    llm = Scripted({TOGETHER: [together(5, 4, 4)]})
    outcome = await judged(llm)
    assert isinstance(outcome, Candidate)
    assert outcome.scores == {"groundedness": 5, "relevance": 4, "clarity": 4}
    assert [step.stage for step in outcome.lineage] == ["critique"]
    assert llm.requests[0].inputs == {"audience": "clockmakers", "chunk": CHUNK.text, "query": QUERY, "answer": ANSWER}


@pytest.mark.parametrize(
    ("scores", "reason", "detail"),
    [
        ((3, 5, 5), "low_groundedness", "groundedness 3: g"),
        ((5, 1, 5), "low_relevance", "relevance 1: r"),
        ((5, 5, 2), "low_clarity", "clarity 2: c"),
        ((3, 2, 3), "low_relevance", "groundedness 3: g; relevance 2: r; clarity 3: c"),
        ((3, 3, 3), "low_groundedness", "groundedness 3: g; relevance 3: r; clarity 3: c"),
    ],
)
async def test_a_score_below_the_threshold_is_a_reject_named_by_the_lowest(
    scores: tuple[int, int, int], reason: str, detail: str
) -> None:
    outcome = await judged(Scripted({TOGETHER: [together(*scores)]}))
    assert outcome == Reject(
        stage="critique", reason=reason, detail=detail, chunks=(CHUNK.id,), query=QUERY, answer=ANSWER
    )


async def test_another_threshold_judges_otherwise() -> None:
    assert isinstance(await judged(Scripted({TOGETHER: [together(3, 3, 3)]}), threshold=3), Candidate)
    assert isinstance(await judged(Scripted({TOGETHER: [together(4, 5, 5)]}), threshold=5), Reject)


async def test_separate_critiques_see_what_they_need_and_no_more() -> None:
    llm = Scripted(
        {SEPARATE["groundedness"]: [score(5)], SEPARATE["relevance"]: [score(4)], SEPARATE["clarity"]: [score(5)]}
    )
    outcome = await judged(llm)
    assert isinstance(outcome, Candidate)
    assert outcome.scores == {"groundedness": 5, "relevance": 4, "clarity": 5}
    assert len(outcome.lineage) == 3
    seen = {request.prompt: set(request.inputs) for request in llm.requests}
    assert seen == {
        "critique_groundedness": {"chunk", "query", "answer"},
        "critique_relevance": {"audience", "query", "chunk"},
        "critique_clarity": {"query"},
    }


async def test_one_of_the_separate_critiques_is_enough_to_reject() -> None:
    fine, low = [score(5)], [score(2, "Which clock?")]
    llm = Scripted({SEPARATE["groundedness"]: fine, SEPARATE["relevance"]: fine, SEPARATE["clarity"]: low})
    outcome = await judged(llm)
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.detail) == ("low_clarity", "clarity 2: Which clock?")


async def test_a_critique_that_cannot_be_read_is_a_reject_and_no_score() -> None:
    outcome = await judged(Scripted({TOGETHER: ['{"groundedness": 5}']}))
    assert isinstance(outcome, Reject)
    assert outcome.reason == "malformed_reply"
    fine = [score(5)]
    outcome = await judged(
        Scripted({SEPARATE["groundedness"]: fine, SEPARATE["relevance"]: ["6"], SEPARATE["clarity"]: fine})
    )
    assert isinstance(outcome, Reject)
    assert outcome.reason == "malformed_reply"
