"""What a run would cost: what each stage asks of a candidate, and how many candidates enter it, by past pass rates or a paid pilot."""

from collections.abc import Callable, Collection, Mapping, Sequence
from math import prod
from statistics import fmean
from typing import Any, NamedTuple

from ragset.dataset.manifest import Totals
from ragset.generation.forecast import Rate, forecast
from ragset.generation.pass_rates import expected_share, most_goldens, pass_rate
from ragset.generation.past_runs import NO_RUNS, PastRates
from ragset.generation.stage import Case, Models, Outcome, Prompts, Role, Setup, Stage
from ragset.llm.gather import gather_all
from ragset.llm.prompts import Prompt
from ragset.llm.usage import Meter, Metered, Prices, add_usage, priced
from ragset.models import Candidate, Model, Usage
from ragset.settings import OFFLINE
from ragset.text.tokens import count_tokens

PER = 1_000
"""Candidates whose usage a stage's costs are stated for."""

_USED = 2.0
"""Chunks of a context that a query joins, where it need not join more: what the calls of the runs in docs/checks.md come to."""

Find = Callable[[Sequence[Candidate]], Sequence[Outcome]]
Costs = Mapping[str, tuple[Usage, ...]]
"""By stage, what `PER` candidates that enter it take."""


class Estimate(Model):
    """What making the goldens asked for would take, if the rest of the corpus is like what was looked at."""

    goldens: int
    chunks_tried: int
    chunks_eligible: int
    passed: float
    """Expected share of candidates that become goldens."""
    usage: tuple[Usage, ...]
    """Expected, in the order of the pipeline."""
    totals: Totals
    at_least: tuple[Usage, ...]
    at_most: tuple[Usage, ...]
    """The same rows as `usage`. Nine of ten runs lie between the two ends, as far as the pass rates are known; with a mix of
    hardness the upper end is every eligible chunk through all stages, since the levels wanted may come last."""
    basis: str
    """Where the pass rates come from."""

    @property
    def free(self) -> bool:
        """Whether the built-in rules do all of it."""
        return all(row.model == OFFLINE for row in self.usage)

    def plus(self, rows: Sequence[Usage]) -> "Estimate":
        """With calls that do not depend on how many candidates pass, first."""
        usage = (*rows, *self.usage)
        ends = {"at_least": (*rows, *self.at_least), "at_most": (*rows, *self.at_most)}
        return self.model_copy(update={"usage": usage, "totals": Totals.of(usage), **ends})


class Pilot(NamedTuple):
    """What became of a few candidates that were tried with the models."""

    kept: int
    """How many goldens came of them."""
    rates: PastRates
    costs: Costs
    """Of the stages that any of them reached."""


async def pilot(
    candidates: Sequence[Candidate], stages: Sequence[Stage], case: Case, prices: Prices, find: Find | None = None
) -> Pilot:
    """How many candidates pass each stage, and what that takes; without `find`, stages that search find nothing."""

    async def one(candidate: Candidate) -> tuple[list[int], tuple[Usage, ...]]:
        meter = Meter(prices)
        metered = Case(case.setup, case.prompts, Models(*(Metered(llm, meter) for llm in case.models)))
        left, counts = [candidate], [1]
        for stage in stages:
            if stage.searches and find is not None:
                outcomes = find(left)
            else:
                outcomes = [outcome for each in left for outcome in await stage.run(each, metered)]
            left = [each for each in outcomes if isinstance(each, Candidate)]
            counts.append(len(left))
        return counts, meter.rows()

    tried = await gather_all(*map(one, candidates))
    counts = [sum(column) for column in zip(*(counts for counts, _ in tried), strict=True)] or [0] * (len(stages) + 1)
    passed = {stage.name: (counts[number], counts[number + 1]) for number, stage in enumerate(stages)}
    rows = add_usage(row for _, rows in tried for row in rows)
    costs = {
        name: tuple(_times(row, PER / entered) for row in rows if row.stage == name)
        for name, (entered, _) in passed.items()
        if entered
    }
    return Pilot(counts[-1], PastRates(runs=1, candidates=len(candidates), stages=passed), costs)


def costs_of(
    candidates: Sequence[Candidate],
    stages: Sequence[Stage],
    setup: Setup,
    prompts: Prompts,
    models: Mapping[Role, str],
    by_batch: Collection[Role] = (),
) -> Costs:
    """What each stage would take, foreseen: its prompts with the texts of `candidates`, replies as long as the examples'.

    No model is asked; those in the roles `by_batch` would be asked by batch.
    """
    if not candidates:
        return {}
    used = max(_USED, setup.min_chunks)
    chunks = min(used, fmean(len(candidate.chunks) for candidate in candidates))
    # The first stage drafts, and uses few of the chunks that it is shown.
    joined = [one.model_copy(update={"chunks": one.chunks[: round(used)]}) for one in candidates]
    costs: dict[str, tuple[Usage, ...]] = {}
    for number, stage in enumerate(stages):
        rows: list[Usage] = []
        for question, often in stage.asks.items():
            times, model = often * (chunks if stage.per_chunk else 1), models[question.of]
            if not times:
                continue
            shown = joined if number else candidates
            sent, replied = _tokens(prompts[question.prompt], stage, shown) if model != OFFLINE else (0, 0)
            tokens = {"prompt_tokens": round(PER * sent), "completion_tokens": round(PER * replied)}
            batch = question.of in by_batch
            row = Usage(stage=stage.name, prompt=question.prompt, model=model, calls=PER, batch=batch, **tokens)
            rows.append(_times(row, times))
        costs[stage.name] = tuple(rows)
    return costs


def estimate(
    stages: Sequence[Stage],
    setup: Setup,
    costs: Costs,
    *,
    let_through: Rate,
    past: PastRates = NO_RUNS,
    tried: PastRates = NO_RUNS,
    wanted: int | None,
    eligible: int,
    prices: Prices,
    basis: str,
    mixed: bool = False,
) -> Estimate:
    """The estimate for `wanted` goldens (None: of all eligible chunks); `mixed`: a mix of hardness is to be met.

    Free rules have `let_through` a share of the candidates. The pass rates are the published ones, drawn towards those of
    `past` runs, and these towards those of a pilot in which candidates of this corpus were `tried`.
    """
    rates = [let_through]
    rates += [tried.at(stage.name, past.of_others(stage.name, pass_rate(stage.name, setup))) for stage in stages]
    prior = expected_share(stages, setup)
    counts = forecast(rates, wanted=wanted, eligible=eligible, prior_share=prior, most_each=most_goldens(setup))
    most = counts.at_most
    if mixed:  # the expected one stays that of as many goldens of any level
        most = tuple(float(eligible) for _ in counts.at_most)

    def rows(entered: Sequence[float]) -> tuple[Usage, ...]:
        scaled = (
            _times(row, entered[number] / PER)
            for number, stage in enumerate(stages, start=1)
            for row in costs.get(stage.name, ())
        )
        return priced(scaled, prices)

    expected = rows(counts.expected)
    return Estimate(
        goldens=round(counts.expected[-1]),
        chunks_tried=round(counts.expected[0]),
        chunks_eligible=eligible,
        passed=prod(rate.share for rate in rates),
        usage=expected,
        totals=Totals.of(expected),
        at_least=rows(counts.at_least),
        at_most=rows(most),
        basis=basis,
    )


def _tokens(prompt: Prompt, stage: Stage, candidates: Sequence[Candidate]) -> tuple[float, float]:
    """What a call of the prompt sends about these candidates, and what its examples reply; means."""
    example: Mapping[str, Any] = prompt.examples[0].inputs if prompt.examples else {}
    texts = [text for candidate in candidates for text in candidate.texts]
    sent: list[int] = []
    for candidate in candidates:
        chunk, shown = candidate.text, texts[: stage.shows] or candidate.texts
        if stage.per_chunk:  # judged alone, or left out
            chunk, shown = candidate.texts[0], candidate.texts[1:]
        case = {"chunk": chunk, "second": texts[0], "chunks": shown}
        inputs = {name: case.get(name, example.get(name, "")) for name in prompt.inputs}
        # A chat format spends about 4 tokens on each message.
        sent.append(sum(count_tokens(message.content) + 4 for message in prompt.render(inputs)))
    replies = [count_tokens(prompt.reply_type.model_validate(one.reply).model_dump_json()) for one in prompt.examples]
    return fmean(sent), fmean(replies) if replies else 0.0


def _times(row: Usage, factor: float) -> Usage:
    counts = ("calls", "prompt_tokens", "cached_tokens", "completion_tokens")
    return row.model_copy(update={name: round(getattr(row, name) * factor) for name in counts})
