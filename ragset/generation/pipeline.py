"""The stages that a chunk or a context goes through to become a golden, in order.

The filter comes first, since it is the cheapest; the critique comes last, on the final text. What a stage does is in `stages`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ragset.errors import InputError
from ragset.generation.check_stages import checks_of
from ragset.generation.evolutions import COMPRESS, EVOLUTIONS, MULTI_CONTEXT, NONE, WIDENING
from ragset.generation.stage import Question, Setup, Stage
from ragset.generation.stages import answer, critique, draft, evolve, necessity, split_query
from ragset.generation.styles import OPEN, SHAPES, STYLES
from ragset.settings import ContextWritingSettings

_DRAWS = 100
"""Chains that are drawn to say how often each evolution is asked for."""


def pipeline(setup: Setup) -> tuple[Stage, ...]:
    """The stages of a golden that one chunk answers, or that needs several.

    Raises:
        InputError: a style, a shape or an evolution that there is none of.
    """
    several = isinstance(setup.writing, ContextWritingSettings)
    split = Stage("split", split_query.split_query, {split_query.SPLIT: 0.2})
    return (
        *checks_of("chunk", setup),
        _drafting(setup),
        *([split] if several else []),
        *checks_of("query", setup),
        *_evolving(setup),
        *_testing_need(setup),
        _answering(setup),
        _critiquing(setup),
        *checks_of("golden", setup),
    )


def _drafting(setup: Setup) -> Stage:
    writing, share = setup.writing, setup.unanswerable
    if isinstance(writing, ContextWritingSettings):
        _shares("shapes", writing.shapes, SHAPES.names())
        alone = {draft.styled(OPEN): 0.0} if writing.evolutions.get(MULTI_CONTEXT) else {}
        return Stage("draft", draft.draft_context_query, {draft.SHAPED: 1.0, **alone})
    styles = _shares("styles", writing.styles, STYLES.names())
    asks: dict[Question[Any], float] = {draft.styled(style): part * (1 - share) for style, part in styles.items()}
    if share:
        asks[draft.NEAR_MISS] = share
    return Stage("draft", draft.draft_query, asks)


def _evolving(setup: Setup) -> list[Stage]:
    """The stage that evolves queries; none where there is nothing to evolve by."""
    writing, checks = setup.writing, setup.checks
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


def _testing_need(setup: Setup) -> list[Stage]:
    """The stages that find out which of several chunks a query needs."""
    if not isinstance(setup.writing, ContextWritingSettings):
        return []
    relevant = Stage("relevant", necessity.keep_relevant, {necessity.WHICH: 1})
    tested = Stage("necessity", necessity.leave_one_out, {necessity.SUFFICES: 1}, per_chunk=True)
    return [relevant, tested] if setup.writing.necessity else [relevant]


def _answering(setup: Setup) -> Stage:
    writing = setup.writing
    asks: dict[Question[Any], float] = {answer.ANSWER: 1 - setup.unanswerable}
    if isinstance(writing, ContextWritingSettings):
        asks = {answer.CONTEXT_ANSWER: 1, **({answer.ANSWER: 0} if writing.single == "keep" else {})}
    return Stage("answer", answer.answer_query, asks)


def _critiquing(setup: Setup) -> Stage:
    questions = critique.SEPARATE.values() if setup.writing.separate else (critique.TOGETHER,)
    asks: dict[Question[Any], float] = dict.fromkeys(questions, 1 - setup.unanswerable)
    if setup.unanswerable:
        for question in (critique.SEPARATE[name] for name in critique.OF_A_QUERY):
            asks[question] = asks.get(question, 0) + setup.unanswerable
    return Stage("critique", critique.critique_golden, asks)


def _shares(field: str, weights: Mapping[str, float], kinds: Sequence[str]) -> dict[str, float]:
    """The weights above 0, in the order of `kinds`, as shares of their sum."""
    unknown = sorted(set(weights) - set(kinds))
    if unknown:
        raise InputError(f"{field}: there is no {', '.join(unknown)}; choose from {', '.join(kinds)}")
    total = sum(weights.values())
    return {kind: weights[kind] / total for kind in kinds if weights.get(kind, 0) > 0}
