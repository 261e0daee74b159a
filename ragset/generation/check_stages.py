"""The checks that settings switch on, and where each stands in a pipeline. One entry adds one."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from ragset.generation.stage import Setup, Stage, search_only
from ragset.generation.stages import closed_book, judge_chunk, judge_query, round_trip, score_chunk, support
from ragset.settings.registry import Registry

Place = Literal["chunk", "query", "golden"]
"""What a check looks at: the chunks, the drafted query, or the finished golden."""


class Check(NamedTuple):
    """A check in a pipeline."""

    place: Place
    build: Callable[[Setup], Stage | None]
    """Its stage, or None where the settings switch it off."""
    advice: str = ""
    """What to do where it rejects most of the candidates."""


CHECKS = Registry[Check]("checks")
"""By the names of their stages, in the order of the stages of a place."""


def checks_of(place: Place, setup: Setup) -> Sequence[Stage]:
    """The stages of the checks of that place that are switched on."""
    built = (check.build(setup) for check in CHECKS.values() if check.place == place)
    return [stage for stage in built if stage is not None]


def _judge(setup: Setup) -> Stage | None:
    stage = Stage(judge_chunk.STAGE, judge_chunk.judge_chunks, {judge_chunk.JUDGE: 1}, per_chunk=True)
    return stage if setup.checks.judge_chunks else None


def _score(setup: Setup) -> Stage | None:
    stage = Stage(score_chunk.STAGE, score_chunk.score_chunk, {score_chunk.SCORE: 1})
    return stage if setup.checks.score_chunks else None


def _screen(setup: Setup) -> Stage | None:
    asks = {judge_query.JUDGE: 1.2, judge_query.REWRITE: 0.2}
    return Stage(judge_query.STAGE, judge_query.screen_query, asks) if setup.checks.judge_queries else None


def _find(setup: Setup) -> Stage | None:
    used = setup.looks_for_passages or setup.checks.round_trip != "off"
    return Stage(round_trip.STAGE, search_only, searches=True) if used else None


def _support(setup: Setup) -> Stage | None:
    calls = (1.0 if setup.checks.holes else setup.unanswerable) * 2 * setup.checks.pool / support.MOST_PASSAGES
    stage = Stage(support.STAGE, support.judge_support, {support.SUPPORT: calls}, shows=support.MOST_PASSAGES)
    return stage if setup.looks_for_passages else None


def _closed_book(setup: Setup) -> Stage | None:
    stage = Stage(closed_book.STAGE, closed_book.closed_book, {closed_book.READ: 1, closed_book.JUDGE: 1})
    return stage if setup.checks.closed_book != "off" else None


CHECKS.update(
    {
        judge_chunk.STAGE: Check(
            "chunk",
            _judge,
            "most chunks were judged as metadata or as not self-contained: add documents, or cut larger chunks",
        ),
        score_chunk.STAGE: Check(
            "chunk", _score, "most chunks have little to ask about: add documents, or lower checks.min_chunk_score"
        ),
        judge_query.STAGE: Check(
            "query", _screen, "most drafts need outside context or are vague: try a stronger --model"
        ),
        round_trip.STAGE: Check(
            "golden",
            _find,
            "a search by most queries does not find their evidence: label them instead (checks.round_trip)",
        ),
        support.STAGE: Check(
            "golden",
            _support,
            "the corpus does answer most of the unanswerable queries: lower writing.unanswerable",
        ),
        closed_book.STAGE: Check(
            "golden",
            _closed_book,
            "the reader knows most answers without the passage: label them instead (checks.closed_book)",
        ),
    }
)
