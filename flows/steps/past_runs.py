"""Keeps the pass rates of a run for later estimates, and finds those of earlier runs like it."""

from collections.abc import Mapping

from ragset.generation.past_runs import NO_RUNS, Circumstances, PastRates, PastRun, past_rates, remember
from ragset.settings import Environment
from tasks.batches import Recipe
from tasks.run.caching import digest

_WRITING = {"evolutions", "depth", "necessity", "single", "unanswerable"} | {
    *("passages", "min_documents", "min_assertions")
}
_JOINED = {"min_chunks", "max_chunks", "cross_document"}


def remember_run(recipe: Recipe, run: str, stages: Mapping[str, tuple[int, int]]) -> None:
    """Keep how many candidates entered and left each stage of the `run`, unless rules alone made and judged them."""
    asked = {stage: counts for stage, counts in stages.items() if counts[0]}
    if asked and not recipe.by_rules:
        remember(Environment().ragset_home, PastRun(run=run, of=_circumstances(recipe), stages=asked))


def past_rates_of(recipe: Recipe) -> PastRates:
    """The pass rates of earlier runs with the same kind of goldens, models, checks, kinds of queries and thresholds."""
    return NO_RUNS if recipe.by_rules else past_rates(Environment().ragset_home, _circumstances(recipe))


def _circumstances(recipe: Recipe) -> Circumstances:
    checks = recipe.checks.model_dump(mode="json", exclude={"earlier"})
    writing = recipe.writing.model_dump(mode="json", include=_WRITING)
    # A stage passes other shares behind other ones.
    stages = [stage.name for stage in recipe.stages()], recipe.writing.thresholds.model_dump()
    return Circumstances(
        kind=recipe.kind,
        generator=recipe.generator.model,
        critic=recipe.critic.model,
        settings=digest([checks, writing, stages, recipe.model_dump(include=_JOINED)]),
    )
