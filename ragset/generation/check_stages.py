"""The checks that settings switch on, and where each stands in a pipeline. One entry adds one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ragset.generation.stage import Setup, Stage, search_only
from ragset.generation.stages import closed_book, judge_chunk, judge_query, round_trip, support
from ragset.settings.registry import Registry


@dataclass(frozen=True)
class Check:
    """A check in a pipeline."""

    place: Literal["chunk", "query", "golden"]
    """What it looks at: the chunks, the drafted query, or the finished golden."""
    on: Callable[[Setup], bool]
    stage: Callable[[Setup], Stage]
    advice: str = ""
    """What to do where it rejects most of the candidates."""


CHECKS = Registry[Check]("checks")
"""By the names of their stages, in the order of the stages of a place."""


def checks_of(place: str, setup: Setup) -> Sequence[Stage]:
    """The stages of the checks of that place that are switched on."""
    return [check.stage(setup) for check in CHECKS.values() if check.place == place and check.on(setup)]


def _support(setup: Setup) -> Stage:
    calls = (1.0 if setup.checks.holes else setup.unanswerable) * 2 * setup.checks.pool / support.MOST_PASSAGES
    return Stage("support", support.judge_support, {support.SUPPORT: calls}, shows=support.MOST_PASSAGES)


CHECKS["judge"] = Check(
    "chunk",
    lambda setup: setup.checks.judge_chunks,
    lambda _: Stage("judge", judge_chunk.judge_chunks, {judge_chunk.JUDGE: 1}, per_chunk=True),
    "most chunks were judged as metadata or as not self-contained: add documents, or cut larger chunks",
)
CHECKS["score"] = Check(
    "chunk",
    lambda setup: setup.checks.score_chunks,
    lambda _: Stage("score", judge_chunk.score_chunk, {judge_chunk.SCORE: 1}),
    "most chunks have little to ask about: add documents, or lower checks.min_chunk_score",
)
CHECKS["screen"] = Check(
    "query",
    lambda setup: setup.checks.judge_queries,
    lambda _: Stage("screen", judge_query.screen_query, {judge_query.JUDGE: 1.2, judge_query.REWRITE: 0.2}),
    "most drafts need outside context or are vague: try a stronger --model",
)
CHECKS["find"] = Check(
    "golden",
    lambda setup: setup.looks_for_passages or setup.checks.round_trip != "off",
    lambda _: Stage(round_trip.STAGE, search_only, searches=True),
    "a search by most queries does not find their evidence: label them instead (checks.round_trip)",
)
CHECKS["support"] = Check(
    "golden",
    lambda setup: setup.looks_for_passages,
    _support,
    "the corpus does answer most of the unanswerable queries: lower writing.unanswerable",
)
CHECKS["closed_book"] = Check(
    "golden",
    lambda setup: setup.checks.closed_book != "off",
    lambda _: Stage(closed_book.STAGE, closed_book.closed_book, {closed_book.READ: 1, closed_book.JUDGE: 1}),
    "the reader knows most answers without the passage: label them instead (checks.closed_book)",
)
