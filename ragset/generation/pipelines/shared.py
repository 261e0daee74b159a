"""The stages that both pipelines have beside the checks."""

from collections import Counter

from ragset.generation.evolutions import COMPRESS, EVOLUTIONS, NONE, WIDENING, evolution_of
from ragset.generation.pipelines.stage import Asks, Models, Outcome, Prompts, Run, Setup, Stage, shares
from ragset.generation.stages import critique
from ragset.generation.stages.evolve import JUDGE_PROMPT, SAME_PROMPT, STAGE, Evolver, chain
from ragset.models import Candidate
from ragset.settings import ContextWritingSettings

_DRAWS = 100
"""Chains that are drawn to say how often each evolution is asked for."""


def chain_of(setup: Setup, case: str) -> tuple[str, ...]:
    """The evolutions that the chunk `case` draws."""
    writing = setup.writing
    return chain(writing.evolutions, writing.depth, compress=writing.compress, seed=setup.seed, case=case)


def evolver(setup: Setup, candidate: Candidate, prompts: Prompts, models: Models) -> Evolver:
    """What evolves the candidate's query, by the checks that are switched on."""
    return Evolver(
        prompts=prompts,
        generator=models.generator,
        critic=models.critic,
        language=setup.language_of(candidate, prompts),
        writing_style=setup.drafted_style(candidate, models),
        notice_same=setup.checks.same_query,
        reject_same=setup.checks.unevolved == "reject",
        judge=setup.checks.judge_evolutions,
    )


def evolving(setup: Setup, run: Run) -> list[Stage]:
    """The stage that evolves queries; none where there is nothing to evolve by.

    Raises:
        InputError: an evolution that there is none of.
    """
    writing = setup.writing
    widening = WIDENING.names() if isinstance(writing, ContextWritingSettings) else ()
    kinds = [kind for kind in shares("evolutions", writing.evolutions, (*EVOLUTIONS, *widening, NONE)) if kind != NONE]
    if writing.compress and COMPRESS not in kinds:
        kinds.append(COMPRESS)
    if not kinds:
        return []
    drawn = Counter(kind for case in range(_DRAWS) for kind in chain_of(setup, str(case)))
    asks = [Asks(evolution_of(kind).prompt, "generator", drawn[kind] / _DRAWS) for kind in kinds]
    compared = sum(number for kind, number in drawn.items() if kind != COMPRESS)
    if setup.checks.same_query and kinds != [COMPRESS]:
        asks.append(Asks(SAME_PROMPT, "critic", compared / _DRAWS))
    if setup.checks.judge_evolutions:
        asks.append(Asks(JUDGE_PROMPT, "critic", drawn.total() / _DRAWS))
    return [Stage(STAGE, tuple(asks), run)]


def critiquing(setup: Setup) -> Stage:
    """The critic's scores of the final text."""
    writing, unanswerable = setup.writing, setup.unanswerable

    async def run(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        return await critique.critique_golden(
            candidate, prompts, models.critic, audience=writing.audience, threshold=writing.threshold
        )

    names = tuple(critique.SEPARATE.values()) if writing.separate else (critique.TOGETHER,)
    asks = [Asks(name, "critic", 1 - unanswerable) for name in names]
    if unanswerable:
        asks += [Asks(critique.SEPARATE[name], "critic", unanswerable) for name in critique.OF_A_QUERY]
    return Stage(critique.STAGE, tuple(asks), run)
