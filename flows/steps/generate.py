"""Makes goldens in rounds: draws candidates, sends them through the stages in batches, and keeps the first n."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from prefect import get_run_logger

from flows.steps.prepare import Prepared
from flows.steps.sources import DrawResult
from ragset.dataset import FunnelRow, funnel_row
from ragset.dataset.duplicates import Verdict
from ragset.generation.personas import notice
from ragset.generation.sampling import next_round
from ragset.generation.selection import STAGE as KEEP
from ragset.generation.selection import UNDECIDED, fitting, take, unanswerable_shortfall, unmet
from ragset.llm.gather import gather_all
from ragset.models import Candidate, Golden, Reject, Usage
from tasks.batches import SIZE, Batch, BatchResult, run_stage, search_round_trip
from tasks.run.caching import unsearched
from tasks.run.progress import progress
from tasks.selection import SelectionResult, read_earlier, select_round


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
        rows: list[FunnelRow] = []
        for stage, entered in self.entered.items():
            more = {"budget_spent": self.unasked[stage], "not_drawn": self.undrawn if stage == "expand" else 0}
            rows.append(funnel_row(stage, entered, self.left[stage], self.rejects, **more))
        return tuple(rows)

    def count(self, stage: str, entered: int, left: int) -> None:
        """Add to the funnel."""
        self.entered[stage] += entered
        self.left[stage] += left

    def add_draw(self, drawn: DrawResult) -> None:
        """Count what was drawn and refused before any model is asked."""
        for count in drawn.counts:
            self.count(*count)
        self.rejects += drawn.rejects
        self.tried += drawn.tried

    def add_stage(self, result: BatchResult) -> None:
        """Count what a stage made of a batch."""
        self.count(result.stage, result.entered, len(result.batch.candidates))
        self.unasked[result.stage] += result.unasked
        self._add(result)

    def add_selection(self, selected: SelectionResult, entered: int) -> None:
        """Count what was compared; what is kept in the end is counted then."""
        self.count(KEEP, entered, 0)
        self._add(selected)

    def _add(self, result: BatchResult | SelectionResult) -> None:
        self.rejects += result.rejects
        self.usage += result.usage
        self.embedded.update(result.embedded)


async def make_goldens(run: Prepared, n: int | None, before: Sequence[Golden] = ()) -> GenerationResult:
    """Goldens drawn from the run's source that make `before` up to `n` (None: one of every candidate that passes).

    No query of `before`, or of the earlier datasets that the checks name, is made again. With a mix of levels of hardness,
    candidates are drawn until the whole set has enough of each, as far as the corpus has them. Candidates are kept in the
    order of the source, whatever order the replies come in, so the same replies make the same test set.
    """
    source, recipe, mix = run.source, run.recipe, run.parameters.hardness.weights
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
    candidates: list[Candidate] = []
    verdicts: tuple[Verdict, ...] = ()
    while size := next_round(
        wanted=missing, kept=fitting(candidates, missing, mix, before), tried=made.tried, left=source.left
    ):
        first = made.tried + 1
        drawn = await source.draw(size)
        made.add_draw(drawn)
        shown.total = made.tried
        refused = drawn.tried - len(drawn.candidates)
        shown.rejected += refused
        shown.done += refused
        finished = await _through_all(run, made, _batches(drawn.candidates, first))
        # What was kept of earlier rounds may give way to a better query that asks the same.
        selected = await select_round(
            unsearched((*candidates, *finished)),
            unsearched((*earlier, *before)),
            source.index,
            unsearched(recipe),
            run.account,
            unsearched(verdicts),
            f"{first}-{made.tried}",
        )
        made.add_selection(selected, len(finished))
        verdicts, candidates = selected.verdicts, list(selected.candidates)
        shown.kept = len(before) + fitting(candidates, missing, mix, before)
        shown.rejected += len(selected.rejects)
        if selected.by_words:
            _warn("Repeats were found by their words alone: the budget was spent before all queries were embedded.")
        if selected.by_words or any(made.unasked.values()):
            made.ended = "budget spent"
            break
    else:
        made.ended = "corpus used up"
    made.goldens, surplus = take(candidates, missing, mix, before)
    made.rejects += surplus
    made.count(KEEP, 0, len(made.goldens))
    shown.kept, shown.rejected = len(before) + len(made.goldens), shown.rejected + len(surplus)
    if missing is None:
        enough = made.ended == "corpus used up"
    else:
        enough = fitting(candidates, missing, mix, before) >= missing
        if mix and not enough:
            filled = "; others fill the set up" if len(made.goldens) >= missing else ""
            _warn(f"{unmet(candidates, missing, mix, before)}{filled}.")
    if enough:
        made.ended = "complete"
    unanswerable = recipe.setup.unanswerable
    if unanswerable and (said := unanswerable_shortfall(made.goldens, unanswerable)):
        _warn(said)
    if undecided := sum(UNDECIDED in golden.metadata for golden in made.goldens):
        _warn(
            f"{undecided} goldens may ask what another asks: the critic's word on them could not be had or read ({UNDECIDED})."
        )
    made.undrawn = made.entered["expand"] - made.left["expand"] - sum(one.stage == "expand" for one in made.rejects)
    return made


def _warn(line: str) -> None:
    """Log the line, and show it to whoever watches."""
    get_run_logger().warning(line)
    progress().notices.append(line)


async def _through_all(run: Prepared, made: GenerationResult, batches: Sequence[Batch]) -> list[Candidate]:
    """The candidates of these batches that pass all stages, in the order of the source; counts what became of the others.

    All batches run at once, unless a budget may end before they do: if all spent it on their first stages, no golden
    would be finished.
    """
    bounded = run.account.limits is not None
    at_once = round(2 * run.recipe.generator.max_concurrency / SIZE) if bounded else len(batches)
    turns = asyncio.Semaphore(max(1, at_once))
    last = run.recipe.stages()[-1].name
    finished: list[Candidate] = []
    for results in await gather_all(*(_through(run, batch, turns) for batch in batches)):
        for result in results:
            made.add_stage(result)
        if results and results[-1].stage == last:
            finished += results[-1].batch.candidates
    return finished


async def _through(run: Prepared, batch: Batch, turns: asyncio.Semaphore) -> list[BatchResult]:
    """What each stage made of one batch; no batch waits for another, where there is no budget to share."""
    recipe, account = run.recipe, run.account
    results: list[BatchResult] = []
    async with turns:
        for stage in recipe.stages():
            if not batch.candidates:
                break
            if stage.searches:
                result = await search_round_trip(run.index, unsearched(batch), recipe.checks, account)
            else:
                result = await run_stage(stage.name, unsearched(batch), unsearched(recipe), account)
            results.append(result)
            batch = result.batch
            progress().rejected += len(result.rejects)
            progress().done += len(result.rejects)
    progress().done += len(batch.candidates)
    progress().kept += len(batch.candidates)
    return results


def _batches(candidates: Sequence[Candidate], first: int) -> list[Batch]:
    batches: list[Batch] = []
    for start in range(0, len(candidates), SIZE):
        members = tuple(candidates[start : start + SIZE])
        label = f"{first + start}-{first + start + len(members) - 1}"
        batches.append(Batch(label=label, candidates=members))
    return batches
