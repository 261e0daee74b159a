"""The stages of a pipeline over many batches, on the workers of the run."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from ragset.llm.gather import gather_all
from ragset.llm.protocol import Completion
from ragset.models import Candidate
from ragset.settings import Budget
from tasks.batches import AND, Batch, BatchResult, Recipe, ask_stages, search_round_trip
from tasks.index import IndexFile
from tasks.run.caching import unsearched
from tasks.run.models import Account
from tasks.run.progress import progress
from tasks.workers.cluster import in_slabs, on_worker, searches_anywhere

_SIZE = 32  # candidates to a batch: few enough that the first goldens come early
_LARGEST = (
    128  # of a run that has `_BATCHES` of them: each task costs Prefect and its server some 40 ms of the processor
)
_BATCHES = 8
_ON_WORKER = 256  # candidates at once: with fewer a worker waits for its last calls, with more progress is seen late


@dataclass(frozen=True)
class StageRun:
    """What the stages of a run are asked with."""

    recipe: Recipe
    account: Account
    index: IndexFile

    @property
    def bounded(self) -> bool:
        """Whether few batches may be under way at once: if all spent the budget on their first stages, no golden would be finished."""
        return self.account.limits is not None

    def passes(self, names: Sequence[str]) -> list[tuple[bool, str]]:
        """Some of the stages, by name, in groups that candidates go through without waiting for each other, and whether these search.

        In mode `batch` all candidates wait for each other, so that a stage sends one large batch. With a budget they do too, or it
        would hang on delays who is asked before it is spent.
        """
        stages = [stage for stage in self.recipe.stages() if stage.name in names]
        apart = self.recipe.by_batch or self.bounded
        groups = groupby(stages, lambda stage: stage.name if apart else stage.searches)
        listed = [list(some) for _, some in groups]
        return [(some[0].searches, AND.join(stage.name for stage in some)) for some in listed]

    def batches(self, candidates: Sequence[Candidate], first: int) -> list[Batch]:
        """The candidates in batches, whose labels count from `first`."""
        size = _SIZE if self.bounded else min(_LARGEST, max(_SIZE, len(candidates) // _BATCHES))
        starts = range(0, len(candidates), size)
        slices = [tuple(candidates[start : start + size]) for start in starts]
        return [
            Batch(label=f"{first + start}-{first + start + len(members) - 1}", candidates=members)
            for start, members in zip(starts, slices, strict=True)
        ]


async def run_stages(run: StageRun, batches: Sequence[Batch]) -> list[BatchResult]:
    """What all stages made of each batch, in order; a batch of which nothing is left goes no further.

    In mode `batch` they wait for hours, which no worker should, and a budget is for as many as it takes through all stages.
    """
    if run.recipe.by_batch:
        return await run_here(run, batches, [stage.name for stage in run.recipe.stages()])
    slabs = await in_slabs(batches, 1 if run.bounded else max(1, _ON_WORKER // _largest(batches)))
    return [result for done in await gather_all(*(_run_slab(run, slab) for slab in slabs)) for result in done]


async def _run_slab(run: StageRun, slab: Sequence[Batch]) -> list[BatchResult]:
    """The same for batches that a worker does together; where its store is a file, the process of the run searches."""
    stages = run.recipe.stages()
    if searches_anywhere():
        return await on_worker(run_here, run, slab, [stage.name for stage in stages])
    results = [BatchResult(batch=batch) for batch in slab]
    for searches, some in groupby(stages, lambda stage: stage.searches):
        left, names = [result.batch for result in results], [stage.name for stage in some]
        done = await (run_here(run, left, names) if searches else on_worker(run_here, run, left, names))
        results = [
            BatchResult(batch=more.batch, stages=(*before.stages, *more.stages))
            for before, more in zip(results, done, strict=True)
        ]
    return results


async def run_here(run: StageRun, batches: Sequence[Batch], names: Sequence[str]) -> list[BatchResult]:
    """What some of the stages made of each batch, in this process."""
    turns = asyncio.Semaphore(max(1, _at_once(run, _largest(batches))))
    return list(await gather_all(*(_run_batch(run, batch, names, turns) for batch in batches)))


def _largest(batches: Sequence[Batch]) -> int:
    return max((len(batch.candidates) for batch in batches), default=0) or _SIZE


def _at_once(run: StageRun, size: int) -> int:
    """Batches of that size under way at once: a few keep the models busy while others search or wait for their last call."""
    if run.recipe.by_batch:
        return affordable(run.account.budget, run.recipe) // _SIZE
    calls = max(model.max_concurrency for model in run.recipe.models)
    return round(2 * calls / _SIZE) if run.bounded else 4 * math.ceil(calls / size)


def affordable(budget: Budget, recipe: Recipe) -> int:
    """About how many candidates the budget takes through all stages by batch."""
    model = recipe.generator.model
    call = Completion(text="", model=model, prompt_tokens=1_000, completion_tokens=100, batch=True)  # docs/checks.md
    costs = 1, call.prompt_tokens + call.completion_tokens, recipe.prices.cost(model, call)
    calls = min((limit / cost for (_, limit), cost in zip(budget, costs, strict=True) if limit and cost), default=10**9)
    return int(calls / max(1, sum(often for stage in recipe.stages() for often in stage.asks.values())))


async def _run_batch(run: StageRun, batch: Batch, names: Sequence[str], turns: asyncio.Semaphore) -> BatchResult:
    recipe, account = run.recipe, run.account
    result = BatchResult(batch=batch)
    async with turns:
        for searches, stages in run.passes(names):
            if not batch.candidates:
                break
            if searches:
                more = await search_round_trip(run.index, unsearched(batch), recipe.checks, account)
            else:
                more = await ask_stages(stages, unsearched(batch), unsearched(recipe), account)
            batch = more.batch
            result = BatchResult(batch=batch, stages=(*result.stages, *more.stages))
            rejected = sum(len(stage.rejects) for stage in more.stages)
            progress().rejected += rejected
            progress().done += rejected
            # Of one context come several drafts.
            left = [stage.left + stage.unasked for stage in more.stages]
            progress().total += sum(left) + rejected - sum(stage.entered for stage in more.stages)
    if names[-1] == recipe.stages()[-1].name:
        progress().done += len(batch.candidates)
        progress().kept += len(batch.candidates)
    return result
