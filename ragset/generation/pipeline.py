"""The stages that a chunk or a context goes through to become a golden, in order; and the optional checks.

Each asks before what costs more: the draft declines chunks with nothing to ask, the critique drops most of the others and comes
as soon as there is an answer, and the filter judges only the chunks that a golden uses. One entry adds a check.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ragset.errors import InputError
from ragset.generation.evolutions import COMPRESS, EVOLUTIONS, MULTI_CONTEXT, NONE, WIDENING
from ragset.generation.stage import Question, Setup, Stage, search_only
from ragset.generation.stages import (
    answer,
    closed_book,
    converse,
    corpus_wide,
    critique,
    draft,
    draft_context,
    evolve,
    judge_chunk,
    judge_query,
    necessity,
    round_trip,
    split_query,
    support,
)
from ragset.generation.styles import OPEN, STYLES, usual_styles
from ragset.settings import ContextWritingSettings, ThemeWritingSettings
from ragset.settings.registry import Registry

_DRAWS = 100
"""Chains that are drawn to say how often each evolution is asked for."""
_REWRITTEN = 0.2
"""Drafts that the screen has rewritten."""
_NOT_QUOTED = 0.02
"""Drafts whose quotes are not in their passage to the letter."""
_UNSURE = 0.45
"""Candidates under critique about whose query the critic is in doubt."""


def pipeline(setup: Setup) -> tuple[Stage, ...]:
    """The stages of a golden that one chunk answers, that needs several, or that is about the whole corpus.

    Raises:
        InputError: a style or an evolution that there is none of.
    """
    if isinstance(setup.writing, ThemeWritingSettings):
        calls = math.ceil(setup.writing.passages / corpus_wide.GROUP)
        return (
            Stage("claims", corpus_wide.list_claims, {corpus_wide.LIST: calls}, shows=corpus_wide.GROUP),
            Stage("draft", corpus_wide.draft_corpus_query, {corpus_wide.DRAFT: 1.2}),
            *_judging_query(setup),
            Stage("confirm", corpus_wide.confirm_assertions, {corpus_wide.JUDGE: 1}),
        )
    several = isinstance(setup.writing, ContextWritingSettings)
    tested = isinstance(setup.writing, ContextWritingSettings) and setup.writing.necessity
    return (
        _drafting(setup),
        *([Stage("split", split_query.split_query, {split_query.SPLIT: 0.05})] if several else []),
        *checks_of("query", setup),
        *_evolving(setup),
        *_judging_query(setup),
        _answering(setup),
        _critiquing(setup),
        *([Stage("necessity", necessity.leave_one_out, necessity.ASKS, per_chunk=True)] if tested else []),
        *checks_of("chunk", setup),  # only those that the golden uses
        *checks_of("golden", setup),
        # Last, as it is drafted for goldens only and few fail.
        *([Stage("converse", converse.converse, converse.asks(setup))] if setup.conversations.share else []),
    )


def _judging_query(setup: Setup) -> list[Stage]:
    """Who asks decides before an answer is paid for; what joins several chunks is often asked by nobody."""
    wanted = setup.writing.audience or isinstance(setup.writing, ContextWritingSettings)
    return [Stage("query", critique.critique_query, {critique.ALONE: 1})] if wanted else []


def _drafting(setup: Setup) -> Stage:
    writing, share = setup.writing, setup.unanswerable
    assert not isinstance(writing, ThemeWritingSettings)
    if isinstance(writing, ContextWritingSettings):
        alone = {draft.styled(OPEN): 0.0} if writing.evolutions.get(MULTI_CONTEXT) else {}
        return Stage("draft", draft_context.draft_context_queries, {draft_context.SHAPED: 1.0, **alone})
    weights = writing.styles or (
        setup.samples.mix(writing.language).shares if setup.samples.queries else usual_styles()
    )
    styles = _shares("styles", weights, STYLES.names())
    asks: dict[Question[Any], float] = {draft.styled(style): part * (1 - share) for style, part in styles.items()}
    if share:
        asks[draft.NEAR_MISS] = share
    return Stage("draft", draft.draft_query, asks)


def _evolving(setup: Setup) -> list[Stage]:
    writing, checks = setup.writing, setup.checks
    assert not isinstance(writing, ThemeWritingSettings)
    widening = WIDENING.names() if isinstance(writing, ContextWritingSettings) else ()
    kinds = [kind for kind in _shares("evolutions", writing.evolutions, (*EVOLUTIONS, *widening, NONE)) if kind != NONE]
    if writing.compress and COMPRESS not in kinds:
        kinds.append(COMPRESS)
    if not kinds:
        return []
    drawn = Counter(kind for case in range(_DRAWS) for kind in setup.evolutions(str(case)))
    asks: dict[Question[Any], float] = {evolve.evolving(kind): drawn[kind] / _DRAWS for kind in kinds}
    if checks.same_query and kinds != [COMPRESS]:
        asks[evolve.SAME] = (drawn.total() - drawn[COMPRESS]) / _DRAWS
    if checks.judge_evolutions:
        asks[evolve.JUDGE] = drawn.total() / _DRAWS
    return [Stage("evolve", evolve.evolve_query, asks)]


def _answering(setup: Setup) -> Stage:
    # A draft brings its answer, which a query loses as it is rewritten.
    rewritten = sum(bool(setup.evolutions(str(case))) for case in range(_DRAWS)) / _DRAWS
    unanswered = max(rewritten, _REWRITTEN if setup.checks.judge_queries else _NOT_QUOTED)
    asks: dict[Question[Any], float] = {answer.ANSWER: unanswered * (1 - setup.unanswerable)}
    if isinstance(setup.writing, ContextWritingSettings):
        single = {answer.ANSWER: 0.0} if setup.writing.single == "keep" else {}
        asks = {answer.CONTEXT_ANSWER: unanswered, **single}
    return Stage("answer", answer.answer_query, asks)


def _critiquing(setup: Setup) -> Stage:
    assert not isinstance(setup.writing, ThemeWritingSettings)
    asks: dict[Question[Any], float] = {critique.TOGETHER: 1 - setup.unanswerable}
    if not _judging_query(setup):
        asks[critique.ALONE] = _UNSURE * (1 - setup.unanswerable) + setup.unanswerable
    return Stage("critique", critique.critique_golden, asks)


def _shares(field: str, weights: Mapping[str, float], kinds: Sequence[str]) -> dict[str, float]:
    """The weights above 0, in the order of `kinds`, as shares of their sum."""
    if unknown := sorted(set(weights) - set(kinds)):
        raise InputError(f"{field}: there is no {', '.join(unknown)}; choose from {', '.join(kinds)}")
    total = sum(weights.values())
    return {kind: weights[kind] / total for kind in kinds if weights.get(kind, 0) > 0}


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
    lambda _: Stage(
        "screen", judge_query.screen_query, {judge_query.JUDGE: 1 + _REWRITTEN, judge_query.REWRITE: _REWRITTEN}
    ),
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
