"""Makes goldens in rounds: draws candidates, sends them through the stages in batches, and keeps the first n."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from prefect import get_run_logger

from flows.steps.past_runs import remember_run
from flows.steps.prepare import Prepared
from flows.steps.sources.chunks import DrawResult
from ragset.dataset import FunnelRow, funnel_row
from ragset.dataset.duplicates.reworded import Verdict
from ragset.generation.forecast import next_round
from ragset.generation.pass_rates import expected_share, most_goldens
from ragset.generation.personas import notice
from ragset.generation.selection import STAGE as KEEP
from ragset.generation.selection import UNDECIDED, fitting, take, unanswerable_shortfall, unmet
from ragset.models import Candidate, Golden, Reject, Usage
from tasks.batches import StageResult
from tasks.pipeline import StageRun, run_stages
from tasks.run.caching import unsearched
from tasks.run.logs import warn
from tasks.run.progress import progress
from tasks.selection import SelectionResult, read_earlier, select_round


@dataclass
class GenerationResult:
    """The goldens, and what became of all candidates."""

    goldens: list[Golden] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    usage: list[Usage] = field(default_factory=list)
    entered: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    """Candidates that each stage passed on; one that drafts several queries or splits one may pass on more than it was given."""
    embedded: set[str] = field(default_factory=set[str])
    unasked: Counter[str] = field(default_factory=Counter)
    """Candidates that each stage did not ask about, as the budget was spent."""
    undrawn: int = 0
    """Contexts that were not used, as there were enough goldens."""
    tried: int = 0
    ended: str = "complete"

    @property
    def funnel(self) -> tuple[FunnelRow, ...]:
        """A row for each stage, in order."""
        rows: list[FunnelRow] = []
        for stage, entered in self.entered.items():
            more = {"budget_spent": self.unasked[stage], "not_drawn": self.undrawn if stage == "expand" else 0}
            rows.append(funnel_row(stage, entered, self.left[stage], self.rejects, **more))
        return tuple(rows)

    def asked(self, stage: str) -> tuple[int, int]:
        """How many candidates the stage asked about, and how many it passed on."""
        return self.entered[stage] - self.unasked[stage], self.left[stage]

    def count(self, stage: str, entered: int, left: int) -> None:
        """Add to the funnel."""
        self.entered[stage] += entered
        self.left[stage] += left

    def add_draw(self, drawn: DrawResult) -> None:
        """Add what was drawn, and refused by rules."""
        for count in drawn.counts:
            self.count(*count)
        self.rejects += drawn.rejects
        self.tried += drawn.tried

    def add_stage(self, result: StageResult) -> None:
        """Add what a stage made of a batch."""
        self.count(result.stage, result.entered, result.left)
        self.unasked[result.stage] += result.unasked
        self.add(result)

    def add(self, result: StageResult | SelectionResult) -> None:
        """Add rejects, usage and embedded queries."""
        self.rejects += result.rejects
        self.usage += result.usage
        self.embedded.update(result.embedded)


async def make_goldens(run: Prepared, n: int | None, before: Sequence[Golden] = ()) -> GenerationResult:
    """Goldens from the run's source that fill up `before` to `n` (None: one of every candidate that passes).

    No query of `before`, or of earlier datasets that the checks name, is made again. With a mix of hardness, candidates are
    drawn until each level is full or the corpus used up. They are kept in the order of the source, so the same replies make the
    same test set, whatever order they come in.
    """
    source, recipe, mix = run.source, run.recipe, run.parameters.mix
    stages = StageRun(recipe, run.account, run.index)
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
    expected = expected_share(recipe.stages(), recipe.setup)
    while size := next_round(
        wanted=missing,
        kept=fitting(candidates, missing, mix, before),
        tried=made.tried,
        left=source.left,
        expected=expected,
        most_each=most_goldens(recipe.setup),
    ):
        first = made.tried + 1
        drawn = await source.draw(size)
        made.add_draw(drawn)
        shown.total = (shown.total or 0) + drawn.tried
        refused = drawn.tried - len(drawn.candidates)
        shown.rejected += refused
        shown.done += refused
        finished = await through_stages(stages, made, drawn.candidates, first)
        source.learn(finished)
        # A better query may replace one of an earlier round that asks the same.
        found, known = unsearched((*candidates, *finished)), unsearched((*earlier, *before))
        label = f"{first}-{made.tried}"
        selected = await select_round(
            found, known, source.index, unsearched(recipe), run.account, unsearched(verdicts), label
        )
        made.count(KEEP, len(finished), 0)  # those that are kept count at the end
        made.add(selected)
        verdicts, candidates = selected.verdicts, list(selected.candidates)
        shown.kept = len(before) + fitting(candidates, missing, mix, before)
        shown.rejected += len(selected.rejects)
        if selected.by_words:
            warn("Repeats were found by their words alone: the budget was spent before all queries were embedded.")
        if selected.by_words or any(made.unasked.values()):
            made.ended = "budget spent"
            break
    else:
        made.ended = "corpus used up"
    made.goldens, surplus = take(candidates, missing, mix, before)
    made.rejects += surplus
    made.count(KEEP, 0, len(made.goldens))
    shown.kept, shown.rejected = len(before) + len(made.goldens), shown.rejected + len(surplus)
    used_up = made.ended == "corpus used up"
    if used_up if missing is None else fitting(candidates, missing, mix, before) >= missing:
        made.ended = "complete"
    elif mix and missing is not None:
        filled = "; others fill the set up" if len(made.goldens) >= missing else ""
        warn(f"{unmet(candidates, missing, mix, before)}{filled}.")
    unanswerable = recipe.setup.unanswerable
    if unanswerable and (said := unanswerable_shortfall(made.goldens, unanswerable)):
        warn(said)
    if undecided := sum(UNDECIDED in golden.metadata for golden in made.goldens):
        warn(
            f"{undecided} goldens may ask what another asks: the critic's word on them could not be had or read ({UNDECIDED})."
        )
    asked = {stage.name: made.asked(stage.name) for stage in recipe.stages()}
    remember_run(recipe, run.account.run, asked)
    made.undrawn = made.entered["expand"] - made.left["expand"] - sum(one.stage == "expand" for one in made.rejects)
    return made


async def through_stages(
    run: StageRun, made: GenerationResult, candidates: Sequence[Candidate], first: int = 1
) -> list[Candidate]:
    """Those of the candidates that pass all stages, in order; counts what became of the others. Labels count from `first`."""
    finished: list[Candidate] = []
    for result in await run_stages(run, run.batches(candidates, first)):
        for stage in result.stages:
            made.add_stage(stage)
        finished += result.batch.candidates
    return finished
