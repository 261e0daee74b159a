from collections.abc import Mapping

import pytest

from ragset.generation.stage import Setup
from ragset.llm.replies import Criticism, Critique, Grounding, QueryCritique
from ragset.models import Candidate, Chunk, Document, Reject, Span
from ragset.settings import ContextWritingSettings, WritingSettings
from ragset.settings.writing import Thresholds
from ragset.text.context_window import in_place
from tests.samples import CHUNK, QUERY, TEXT, TRAMS, candidate, outcome_of, stages_of
from tests.scripted import Scripted

TOGETHER, ALONE = "critique_golden", "critique_query"
ANSWER = "Three smiths from Delft."
FIRST, LAST = TEXT[:74], TEXT[75:]
"""Its two sentences."""


def of_chunk(start: int, end: int) -> Span:
    return Span(doc_id=CHUNK.doc_id, start=CHUNK.start + start, end=CHUNK.start + end)


DEFAULT = Thresholds()
ANSWERED = candidate(QUERY, ANSWER).model_copy(update={"evidence": (CHUNK.span,)})


def score(value: int, reason: str = "fine") -> Criticism:
    return Criticism.model_validate({"reason": reason, "score": value})


def grounding(value: int, *needed: int) -> Grounding:
    return Grounding.model_validate({"reason": "g", "needed": needed or (1,), "score": value})


def together(groundedness: int, relevance: int, clarity: int, *needed: int) -> Critique:
    return Critique(
        groundedness=grounding(groundedness, *needed), relevance=score(relevance, "r"), clarity=score(clarity, "c")
    )


def alone(clarity: int, relevance: int = 4) -> QueryCritique:
    return QueryCritique(clarity=score(clarity, "bare name"), relevance=score(relevance, "nobody asks"))


async def judged(
    llm: Scripted,
    thresholds: Thresholds = DEFAULT,
    given: Candidate = ANSWERED,
    *,
    min_chunks: int = 1,
) -> Candidate | Reject:
    writing = WritingSettings(thresholds=thresholds)
    return await outcome_of("critique", given, llm, Setup(writing, portrait="clockmakers", min_chunks=min_chunks))


async def test_scores_at_the_thresholds_pass() -> None:
    llm = Scripted({TOGETHER: [together(5, 4, 5)]})
    outcome = await judged(llm)
    assert isinstance(outcome, Candidate)
    assert outcome.scores == {"groundedness": 5, "relevance": 4, "clarity": 5}
    assert [step.stage for step in outcome.lineage] == ["critique"]
    assert llm.requests[0].inputs == {
        "audience": "clockmakers",
        "title": "Tower clocks",
        "chunks": [CHUNK.text],
        "before": [""],
        "after": [""],
        "query": QUERY,
        "answer": ANSWER,
        "quotes": [FIRST, LAST],
    }


@pytest.mark.parametrize(
    ("scores", "reason", "detail"),
    [
        ((3, 5, 5), "low_groundedness", "groundedness 3: g"),
        ((5, 5, 3), "low_clarity", "clarity 3: c"),
        ((3, 1, 2), "low_clarity", "groundedness 3: g; clarity 2: c"),
        ((3, 2, 3), "low_groundedness", "groundedness 3: g; clarity 3: c"),
    ],
)
async def test_a_score_below_its_threshold_is_a_reject_named_by_the_lowest(
    scores: tuple[int, int, int], reason: str, detail: str
) -> None:
    outcome = await judged(Scripted({TOGETHER: [together(*scores)]}))
    assert outcome == Reject(
        stage="critique", reason=reason, detail=detail, chunks=(CHUNK.id,), query=QUERY, answer=ANSWER
    )


@pytest.mark.parametrize(("relevance", "clarity"), [(4, 4), (3, 5), (1, 4)])
@pytest.mark.parametrize(
    ("scores", "counts"),
    [
        ((5, 4), {"relevance": 4}),
        ((4, 5), {"clarity": 4, "relevance": 5}),
        ((3, 5), "clarity 3: bare name"),
        ((4, 3), "relevance 3: nobody asks"),
    ],
)
async def test_in_doubt_the_query_alone_is_judged_and_the_lower_clarity_counts(
    relevance: int, clarity: int, scores: tuple[int, int], counts: Mapping[str, int] | str
) -> None:
    llm = Scripted({TOGETHER: [together(5, relevance, clarity)], ALONE: [alone(*scores)]})
    outcome = await judged(llm)
    assert llm.requests[1].inputs == {"query": QUERY, "audience": "clockmakers"}
    if isinstance(counts, str):
        assert isinstance(outcome, Reject)
        assert (outcome.reason, outcome.detail) == (f"low_{counts.partition(' ')[0]}", counts)
    else:
        assert isinstance(outcome, Candidate)
        assert outcome.scores == {"groundedness": 5, "clarity": clarity, **counts}
        assert [(step.prompt or "").partition("@")[0] for step in outcome.lineage] == [TOGETHER, ALONE]


async def test_the_query_alone_is_not_judged_where_that_would_change_nothing() -> None:
    for scores in ((3, 2, 4), (5, 1, 3), (5, 4, 5), (5, 5, 4)):
        llm = Scripted({TOGETHER: [together(*scores)]})
        await judged(llm)
        assert len(llm.requests) == 1
    llm = Scripted({TOGETHER: [together(5, 2, 4)]})
    assert isinstance(await judged(llm, Thresholds(clarity=5)), Reject)
    assert len(llm.requests) == 1
    assert isinstance(await judged(Scripted({TOGETHER: [together(5, 2, 5)]}), Thresholds(relevance=2)), Candidate)


async def test_what_was_judged_of_the_query_alone_is_not_asked_again() -> None:
    known = ANSWERED.model_copy(update={"scores": {"relevance": 3, "clarity": 4}})
    llm = Scripted({TOGETHER: [together(5, 2, 5)]})
    outcome = await judged(llm, given=known)
    assert isinstance(outcome, Candidate)
    assert outcome.scores == {"groundedness": 5, "relevance": 3, "clarity": 4}
    assert len(llm.requests) == 1


async def test_each_score_has_a_threshold_of_its_own() -> None:
    low = Scripted({TOGETHER: [together(3, 4, 4)], ALONE: [alone(4, 4)]})
    assert isinstance(await judged(low, Thresholds(groundedness=3)), Candidate)
    assert isinstance(await judged(low, Thresholds(groundedness=3, clarity=5)), Reject)
    assert isinstance(await judged(low, Thresholds(groundedness=3, relevance=5)), Reject)


@pytest.mark.parametrize(
    ("needed", "evidence"),
    [
        ((1,), (of_chunk(0, 74),)),
        ((2,), (of_chunk(75, len(TEXT)),)),
        ((2, 1), (CHUNK.span,)),  # sentences that follow each other become one again
    ],
)
async def test_the_quotes_that_the_answer_needs_become_its_evidence(
    needed: tuple[int, ...], evidence: tuple[Span, ...]
) -> None:
    outcome = await judged(Scripted({TOGETHER: [together(5, 5, 5, *needed)]}))
    assert isinstance(outcome, Candidate)
    assert outcome.evidence == evidence


@pytest.mark.parametrize("needed", [(3,), (0, 1)])
async def test_a_number_that_no_quote_has_is_asked_for_again_then_rejected(needed: tuple[int, ...]) -> None:
    wrong = together(5, 5, 5, *needed)
    outcome = await judged(Scripted({TOGETHER: [wrong]}))
    assert isinstance(outcome, Reject)
    assert outcome.reason == "wrong_quotes"
    assert isinstance(await judged(Scripted({TOGETHER: [wrong, together(5, 5, 5, 2)]})), Candidate)


async def test_the_critic_sees_what_stands_around_each_chunk() -> None:
    before, behind = "Before it. " * 100, " Behind it." * 100
    long, short = Document.of(before + TEXT + behind, source="long"), Document.of(TEXT, source="short")
    first = Chunk(doc_id=long.id, start=len(before), end=len(before) + len(TEXT), text=TEXT)
    last = Chunk(doc_id=short.id, start=0, end=len(TEXT), text=TEXT)
    drawn = Candidate(chunks=(first, last), query=QUERY, answer=ANSWER, evidence=(first.span,))
    given = in_place(drawn, {long.id: long, short.id: short}.__getitem__)
    llm = Scripted({TOGETHER: [together(5, 4, 5)]})
    await judged(llm, given=given)
    # 800 characters in front of it and 600 behind it
    shown = llm.requests[0].inputs
    assert (shown["before"], shown["after"]) == ([f"…{before[-800:]}", ""], [f"{behind[:600]}…", ""])


async def test_a_chunk_without_a_quote_that_is_needed_is_left_out() -> None:
    context = Candidate(chunks=TRAMS, query=QUERY, answer=ANSWER, evidence=tuple(chunk.span for chunk in TRAMS))
    two = await judged(Scripted({TOGETHER: [together(5, 5, 5, 1, 3)]}), given=context, min_chunks=2)
    assert isinstance(two, Candidate)
    # the quotes are in reading order: both of the first document before that of the second
    assert (two.chunks, two.spare) == ((TRAMS[0], TRAMS[1]), (TRAMS[2],))
    assert two.evidence == (TRAMS[0].span, TRAMS[1].span)
    one = await judged(Scripted({TOGETHER: [together(5, 5, 5, 1)]}), given=context, min_chunks=2)
    assert isinstance(one, Reject)
    assert one.reason == "needs_too_few_chunks"


async def test_a_critique_that_cannot_be_read_is_a_reject_and_no_score() -> None:
    outcome = await judged(Scripted({TOGETHER: ['{"groundedness": 5}']}))
    assert isinstance(outcome, Reject)
    assert outcome.reason == "malformed_reply"


def setup(relevance: int = 4) -> Setup:
    return Setup(WritingSettings(audience="clockmakers", thresholds=Thresholds(relevance=relevance)))


async def test_the_query_is_judged_by_itself_and_the_audience() -> None:
    llm = Scripted({ALONE: [alone(5, 4)]})
    outcome = await outcome_of("query", candidate(QUERY), llm, setup())
    assert isinstance(outcome, Candidate)
    assert outcome.scores == {"clarity": 5, "relevance": 4}
    assert outcome.lineage[-1].stage == "query"
    assert llm.requests[0].inputs == {"audience": "clockmakers", "query": QUERY}


async def test_below_4_is_a_reject_unless_another_threshold_is_given() -> None:
    outcome = await outcome_of("query", candidate(QUERY), Scripted({ALONE: [alone(5, 3)]}), setup())
    told = "relevance 3: nobody asks"
    assert outcome == Reject(stage="query", reason="low_relevance", detail=told, chunks=(CHUNK.id,), query=QUERY)
    assert isinstance(
        await outcome_of("query", candidate(QUERY), Scripted({ALONE: [alone(4, 3)]}), setup(3)), Candidate
    )
    unclear = await outcome_of("query", candidate(QUERY), Scripted({ALONE: [alone(3, 5)]}), setup())
    assert isinstance(unclear, Reject)
    assert unclear.reason == "low_clarity"


def test_it_comes_before_the_answer_of_a_query_over_several_chunks_and_where_the_user_describes_an_audience() -> None:
    for writing in (ContextWritingSettings(), WritingSettings(audience="clockmakers")):
        names = list(stages_of(Setup(writing)))
        assert names[names.index("answer") - 1] == "query"
    assert "query" not in stages_of(Setup(WritingSettings()))
