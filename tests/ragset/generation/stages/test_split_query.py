"""A query that is two becomes two candidates, each with the chunks that it needs."""

from typing import Any

import pytest

from ragset.generation.stage import Setup
from ragset.llm.replies import QuerySplit
from ragset.models import Candidate, Reject
from ragset.settings import ContextWritingSettings
from tests.samples import TRAMS, outcomes_of
from tests.scripted import Scripted

WHOLE = "When did the Aldmoor tramway open, and how did it differ from the tramway of Brill?"
FIRST, SECOND = "When did the Aldmoor tramway open?", "How did the Aldmoor tramway differ from the tramway of Brill?"


def split(*parts: tuple[str, list[int]]) -> QuerySplit:
    return QuerySplit.model_validate(
        {"reason": "Two.", "parts": [{"query": query, "chunks": numbers} for query, numbers in parts]}
    )


GOOD = split((FIRST, [1]), (SECOND, [1, 2]))


async def parts_of(*replies: QuerySplit | str, query: str = WHOLE) -> tuple[Any, Scripted]:
    llm = Scripted({"split_query": replies})
    given = Candidate(chunks=TRAMS, query=query, origin=TRAMS[0].id)
    return await outcomes_of("split", given, llm, Setup(ContextWritingSettings())), llm


async def test_each_part_goes_on_with_the_chunks_that_the_reply_assigned() -> None:
    (first, second), llm = await parts_of(GOOD)
    assert (first.query, first.chunks, first.kind) == (FIRST, TRAMS[:1], "single-chunk")
    assert (second.query, second.chunks, second.kind) == (SECOND, TRAMS[:2], "multi-chunk")
    assert first.spare == TRAMS[1:]
    assert second.metadata["split_from"] == WHOLE
    assert [left["chunk"] for left in second.metadata["left_out"]] == [TRAMS[2].id]
    assert [step.kind for step in (*first.lineage, *second.lineage)] == ["part 1", "part 2"]
    assert len(llm.requests) == 1


@pytest.mark.parametrize("query", [FIRST, "How do supply and demand bear on the fares of the Aldmoor tramway?"])
async def test_one_question_is_left_alone_and_nobody_is_asked(query: str) -> None:
    parts, llm = await parts_of(GOOD, query=query)
    assert [part.query for part in parts] == [query]
    assert parts[0].chunks == TRAMS
    assert llm.requests == []


async def test_a_model_may_say_that_it_is_one_question_after_all() -> None:
    parts, _ = await parts_of(split((WHOLE, [1, 2])))
    assert [part.query for part in parts] == [WHOLE]
    assert parts[0].chunks == TRAMS


BAD = {
    "wrong_chunks": [split((FIRST, [1]), (SECOND, [1, 4])), split((FIRST, []), (SECOND, [1, 2]))],
    "part_not_self_contained": [split((FIRST, [1]), ("In what did it differ from the tramway of Brill?", [1, 2]))],
    "leans_on_passage": [split((FIRST, [1]), ("How does the passage compare Aldmoor with Brill's tramway?", [1, 2]))],
    "two_queries": [split((FIRST, [1]), (WHOLE, [1, 2]))],
    "same_parts": [split((SECOND, [1]), (SECOND, [1, 2]))],
    "lost_in_split": [split((FIRST, [1]), ("How long was the Aldmoor tramway?", [1])), split((FIRST, [1]))],
    "empty_part": [split((FIRST, [1]), (" ", [1, 2]))],
}


@pytest.mark.parametrize(("reason", "bad"), [(reason, bad) for reason, all_ in BAD.items() for bad in all_])
async def test_a_half_right_split_is_asked_for_again_with_the_reason_then_rejected(
    reason: str, bad: QuerySplit
) -> None:
    parts, llm = await parts_of(bad, GOOD)
    assert [part.query for part in parts] == [FIRST, SECOND]
    assert len(llm.requests[1].messages) == len(llm.requests[0].messages) + 2
    (rejected,), llm = await parts_of(bad, bad)
    assert isinstance(rejected, Reject)
    assert (rejected.stage, rejected.reason) == ("split", reason)
    assert rejected.query == WHOLE
    assert len(llm.requests) == 2


async def test_a_malformed_split_is_asked_for_twice_more() -> None:
    (rejected,), llm = await parts_of("no JSON at all")
    assert isinstance(rejected, Reject)
    assert rejected.reason == "malformed_reply"
    assert len(llm.requests) == 3
