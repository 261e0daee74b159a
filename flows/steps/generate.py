"""Goldens in waves: draw candidates, send them through the stages in batches, keep the first n."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from prefect import get_run_logger

from flows.steps.sources import Source
from ragset.dataset import FunnelRow, funnel_row
from ragset.dataset.duplicates import Verdict
from ragset.generation.personas import notice
from ragset.generation.rounds import next_wave
from ragset.generation.selection import STAGE as KEEP
from ragset.generation.selection import UNDECIDED, fitting, take, unmet
from ragset.generation.stages.unanswerable import few_unanswerable
from ragset.llm.gather import gather_all
from ragset.models import Candidate, Golden, Reject, Usage
from tasks.batches import SIZE, Batch, BatchResult, Recipe, grow_batch
from tasks.index import IndexFile
from tasks.round_trip import find_batch
from tasks.run.caching import unsearched
from tasks.run.models import Account
from tasks.run.progress import progress
from tasks.selection import keep_wave, read_earlier

NO_MIX: Mapping[str, float] = {}


@dataclass
class GenerationResult:
    """What became of the candidates that were tried."""

    goldens: list[Golden] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    usage: list[Usage] = field(default_factory=list)
    entered: Counter[str] = field(default_factory=Counter)
    """Candidates that each stage was given."""
    left: Counter[str] = field(default_factory=Counter)
    """Candidates that went on from it; a stage that splits queries may let more on than it was given."""
    embedded: set[str] = field(default_factory=set[str])
    """Queries that were embedded."""
    unasked: Counter[str] = field(default_factory=Counter)
    """Candidates that went no further for want of budget."""
    undrawn: int = 0
    """Contexts that nobody asked about, as there were enough goldens."""
    tried: int = 0
    ended: str = "complete"

    @property
    def funnel(self) -> tuple[FunnelRow, ...]:
        """A row for each stage that anything entered, in the order in which they come."""
        return tuple(
            funnel_row(
                stage,
                entered,
                self.left[stage],
                self.rejects,
                budget_spent=self.unasked[stage],
                not_drawn=self.undrawn if stage == "expand" else 0,
            )
            for stage, entered in self.entered.items()
        )

    def count(self, stage: str, entered: int, left: int) -> None:
        """Add to the funnel."""
        self.entered[stage] += entered
        self.left[stage] += left


async def make_goldens(
    source: Source,
    n: int | None,
    recipe: Recipe,
    account: Account,
    before: Sequence[Golden] = (),
    mix: Mapping[str, float] = NO_MIX,
) -> GenerationResult:
    """Goldens drawn from `source` that make `before` up to `n` (None: one of every candidate that passes).

    No query of `before`, or of the earlier datasets that the checks name, is made again. With a `mix` of levels of
    hardness, candidates are drawn until the whole set has enough of each, as far as the corpus has them.

    Whatever order the replies come in, candidates are kept in the order of the source, so the same replies make the
    same test set.
    """
    earlier = await read_earlier(recipe.checks.earlier) if recipe.checks.earlier else ()
    if said := notice(recipe.writing, recipe.generator.model):
        get_run_logger().warning(said)
    made = GenerationResult()
    for stage in (*source.stages, *(stage.name for stage in recipe.stages()), KEEP):
        made.count(stage, 0, 0)
    shown = progress()
    shown.kept, shown.rejected = len(before), 0
    shown.begin("goldens")
    shown.wanted = n
    missing = None if n is None else n - len(before)
    pool: list[Candidate] = []
    verdicts: tuple[Verdict, ...] = ()
    while size := next_wave(
        wanted=missing, kept=fitting(pool, missing, mix, before), tried=made.tried, left=source.left
    ):
        drawn = await source.draw(size)
        for count in drawn.counts:
            made.count(*count)
        made.rejects += drawn.rejects
        first, refused = made.tried + 1, drawn.tried - len(drawn.candidates)
        made.tried += drawn.tried
        shown.total = made.tried
        shown.rejected += refused
        shown.done += refused
        batches = _batches(drawn.candidates, first)
        turns = asyncio.Semaphore(_at_once(recipe, account))
        ways = await gather_all(*(_through(batch, source.index, recipe, account, turns) for batch in batches))
        grown = _gather(made, recipe, ways)
        # What was kept of earlier waves may give way to a better query that asks the same.
        there = (*earlier, *before)
        label = f"{first}-{made.tried}"
        kept = await keep_wave(
            unsearched((*pool, *grown)),
            unsearched(there),
            source.index,
            unsearched(recipe),
            account,
            unsearched(verdicts),
            label,
        )
        verdicts = kept.verdicts
        made.usage += kept.usage
        made.embedded.update(kept.embedded)
        made.count(KEEP, len(grown), 0)
        pool = list(kept.candidates)
        made.rejects += kept.rejects
        shown.kept = len(before) + fitting(pool, missing, mix, before)
        shown.rejected += len(kept.rejects)
        if kept.by_words:
            _tell("Repeats were found by their words alone: the budget was spent before all queries were embedded.")
        if kept.by_words or any(step.unasked for way in ways for step in way):
            made.ended = "budget spent"
            break
    else:
        made.ended = "corpus used up"
    made.goldens, surplus = take(pool, missing, mix, before)
    made.rejects += surplus
    made.count(KEEP, 0, len(made.goldens))
    shown.kept, shown.rejected = len(before) + len(made.goldens), shown.rejected + len(surplus)
    if missing is None:
        enough = made.ended == "corpus used up"
    else:
        enough = fitting(pool, missing, mix, before) >= missing
        if mix and not enough:
            filled = "; others fill the set up" if len(made.goldens) >= missing else ""
            _tell(f"{unmet(pool, missing, mix, before)}{filled}.")
    if recipe.unanswerable and (said := few_unanswerable(made.goldens, recipe.unanswerable)):
        _tell(said)
    if undecided := sum(UNDECIDED in golden.metadata for golden in made.goldens):
        _tell(
            f"{undecided} goldens may ask what another asks: the critic's word on them could not be had or read ({UNDECIDED})."
        )
    if enough:
        made.ended = "complete"
    made.undrawn = made.entered["expand"] - made.left["expand"] - sum(one.stage == "expand" for one in made.rejects)
    return made


def _tell(line: str) -> None:
    """In the log of the run, and to whoever watches."""
    get_run_logger().warning(line)
    progress().notices.append(line)


def _at_once(recipe: Recipe, account: Account) -> int:
    """Batches under way together: all of them, unless a budget may end before they do.

    A budget that all batches spent on their first stages would leave no golden finished.
    """
    if account.limits is None:
        return 1_000_000
    return max(1, round(2 * recipe.generator.max_concurrency / SIZE))


async def _through(
    batch: Batch, index: IndexFile, recipe: Recipe, account: Account, turns: asyncio.Semaphore
) -> list[BatchResult]:
    """One batch through all stages; no batch waits for another, where there is no budget to share."""
    steps: list[BatchResult] = []
    async with turns:
        for stage in recipe.stages():
            if not batch.candidates:
                break
            if stage.searches:
                steps.append(await find_batch(index, batch, recipe.checks, account))
            else:
                steps.append(await grow_batch(stage.name, batch, recipe, account))
            batch = steps[-1].batch
            progress().rejected += len(steps[-1].rejects)
            progress().done += len(steps[-1].rejects)
    progress().done += len(batch.candidates)
    progress().kept += len(batch.candidates)
    return steps


def _gather(made: GenerationResult, recipe: Recipe, ways: Sequence[Sequence[BatchResult]]) -> list[Candidate]:
    """Count what a wave did, and return the candidates that came through, in the order of the source."""
    last = recipe.stages()[-1].name
    grown: list[Candidate] = []
    for way in ways:
        for step in way:
            made.count(step.stage, step.entered, len(step.batch.candidates))
            made.rejects += step.rejects
            made.unasked[step.stage] += step.unasked
            made.usage += step.usage
            made.embedded.update(step.embedded)
        if way and way[-1].stage == last:
            grown += way[-1].batch.candidates
    return grown


def _batches(candidates: Sequence[Candidate], first: int) -> list[Batch]:
    batches: list[Batch] = []
    for start in range(0, len(candidates), SIZE):
        members = tuple(candidates[start : start + SIZE])
        label = f"{first + start}-{first + start + len(members) - 1}"
        batches.append(Batch(label=label, candidates=members))
    return batches
