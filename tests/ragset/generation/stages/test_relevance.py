"""Relevance for an audience that the user described: asked right after the draft, and not again at the end."""

import pytest

from ragset.generation.stage import Setup
from ragset.llm.replies import Criticism, Critique
from ragset.models import Candidate, Reject
from ragset.settings import ContextWritingSettings, WritingSettings
from ragset.settings.writing import Thresholds
from tests.samples import CHUNK, QUERY, candidate, outcome_of, stages_of
from tests.scripted import Scripted


def five(score: int = 5) -> Criticism:
    return Criticism.model_validate({"reason": "Clockmakers ask so.", "score": score})


def setup(relevance: int | None = None) -> Setup:
    return Setup(WritingSettings(audience="clockmakers", thresholds=Thresholds(relevance=relevance)))


async def test_it_is_asked_of_query_and_audience_alone() -> None:
    llm = Scripted({"critique_relevance": [five(4)]})
    outcome = await outcome_of("relevance", candidate(QUERY), llm, setup())
    assert isinstance(outcome, Candidate)
    assert outcome.scores == {"relevance": 4}
    assert outcome.lineage[-1].stage == "relevance"
    assert llm.requests[0].inputs == {"audience": "clockmakers", "query": QUERY}


async def test_below_4_is_a_reject_unless_another_threshold_is_given() -> None:
    outcome = await outcome_of("relevance", candidate(QUERY), Scripted({"critique_relevance": [five(3)]}), setup())
    told = "relevance 3: Clockmakers ask so."
    assert outcome == Reject(stage="relevance", reason="low_relevance", detail=told, chunks=(CHUNK.id,), query=QUERY)
    kept = await outcome_of("relevance", candidate(QUERY), Scripted({"critique_relevance": [five(3)]}), setup(3))
    assert isinstance(kept, Candidate)


@pytest.mark.parametrize("kind", [WritingSettings, ContextWritingSettings])
def test_it_follows_the_draft_where_the_user_describes_an_audience(
    kind: type[WritingSettings] | type[ContextWritingSettings],
) -> None:
    names = list(stages_of(Setup(kind(audience="clockmakers"))))
    assert names[names.index("draft") + 1] == "relevance"
    assert "relevance" not in stages_of(Setup(kind()))


async def test_the_critique_does_not_ask_it_again() -> None:
    known = candidate(QUERY, "Three smiths from Delft.").model_copy(
        update={"scores": {"relevance": 4}, "evidence": (CHUNK.span,)}
    )
    reply = Critique.model_validate(
        {"groundedness": {"reason": "g", "needed": [1], "score": 5}, "relevance": None, "clarity": five().model_dump()}
    )
    llm = Scripted({"critique_golden": [reply]})
    outcome = await outcome_of("critique", known, llm, setup())
    assert isinstance(outcome, Candidate)
    assert outcome.scores == {"relevance": 4, "groundedness": 5, "clarity": 5}
    assert llm.requests[0].inputs["audience"] == ""
