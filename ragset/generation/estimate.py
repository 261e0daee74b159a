"""What a run would cost, from prior pass rates or from a small paid pilot."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from ragset.dataset.manifest import Totals
from ragset.generation.pass_rates import pass_rate
from ragset.generation.past_runs import NO_RUNS, PastRates
from ragset.generation.stage import Case, Models, Outcome, Prompts, Role, Setup, Stage
from ragset.llm.gather import gather_all
from ragset.llm.prompts import Prompt
from ragset.llm.usage import Meter, Metered, Prices, add_usage, priced
from ragset.models import Candidate, Model, Usage
from ragset.settings import OFFLINE
from ragset.text.tokens import count_tokens

_FORESEEN = 1_000
"""Candidates that the priors are applied to before they are scaled."""

_USED = 2.2
"""Chunks of a context that a query joins, where it need not join more: assumed, not measured."""

Find = Callable[[Sequence[Candidate]], Sequence[Outcome]]


class Estimate(Model):
    """What making the goldens asked for would take, if the rest of the corpus is like what was looked at."""

    goldens: int
    chunks_tried: int
    chunks_eligible: int
    passed: float | None
    """Share of chunks that become goldens; None where none does, and then all sums are for a share of 1."""
    usage: tuple[Usage, ...]
    totals: Totals
    basis: str
    if_all_pass: tuple[Usage, ...] = ()
    """The other end: what it takes if every chunk that is tried goes through all stages. With a mix of hardness that is
    every eligible chunk, since the levels wanted may come last. Empty where none of the pilot's did."""
    if_all_pass_goldens: int = 0

    @property
    def most(self) -> tuple[Usage, ...]:
        """The dearer of the two ends."""
        return max(self.usage, self.if_all_pass, key=lambda rows: sum(row.calls for row in rows))


class Pilot(NamedTuple):
    """What became, or is foreseen to become, of a few candidates."""

    kept: float
    """How many goldens came of them."""
    usage: tuple[Usage, ...]
    through: tuple[Usage, ...]
    """Usage of the candidates that passed all stages."""
    passed: float
    """How many those were; one may grow into several goldens."""


async def pilot(
    candidates: Sequence[Candidate], stages: Sequence[Stage], case: Case, prices: Prices, find: Find | None = None
) -> Pilot:
    """How many candidates pass all stages, and what that took; without `find`, stages that search find nothing."""

    async def one(candidate: Candidate) -> tuple[int, tuple[Usage, ...]]:
        meter = Meter(prices)
        metered = Case(case.setup, case.prompts, Models(*(Metered(llm, meter) for llm in case.models)))
        left = [candidate]
        for stage in stages:
            if stage.searches and find is not None:
                outcomes = find(left)
            else:
                outcomes = [outcome for each in left for outcome in await stage.run(each, metered)]
            left = [each for each in outcomes if isinstance(each, Candidate)]
        return len(left), meter.rows()

    tried = await gather_all(*map(one, candidates))
    through = [(kept, rows) for kept, rows in tried if kept]
    return Pilot(
        kept=sum(kept for kept, _ in tried),
        usage=_summed((row for _, rows in tried for row in rows), prices),
        through=_summed((row for _, rows in through for row in rows), prices),
        passed=len(through),
    )


def foresee(
    candidates: Sequence[Candidate],
    tried: int,
    stages: Sequence[Stage],
    setup: Setup,
    prompts: Prompts,
    models: Mapping[Role, str],
    prices: Prices,
    past: PastRates = NO_RUNS,
    by_batch: Collection[Role] = (),
) -> tuple[Pilot, int]:
    """What prior pass rates, and those of `past` runs, say of 1,000 chunks or contexts like those that were `tried`; and that number.

    Prompts are measured with the texts of `candidates`, which the free rules let through. No model is asked; those in the
    roles `by_batch` would be asked by batch.
    """
    if not candidates:
        return Pilot(0, (), (), 0), tried
    left, usage, through = len(candidates) / tried, list[Usage](), list[Usage]()
    used = max(_USED, setup.min_chunks)
    chunks = min(used, fmean(len(candidate.chunks) for candidate in candidates))
    # The first stage drafts, and uses few of the chunks that it is shown.
    joined = [one.model_copy(update={"chunks": one.chunks[: round(used)]}) for one in candidates]
    for number, stage in enumerate(stages):
        shown = joined if number else candidates
        for question, often in stage.asks.items():
            times, model = often * (chunks if stage.per_chunk else 1), models[question.of]
            if not times:
                continue
            sent, replied = _tokens(prompts[question.prompt], stage, shown) if model != OFFLINE else (0, 0)
            tokens = {"prompt_tokens": round(_FORESEEN * sent), "completion_tokens": round(_FORESEEN * replied)}
            batch = question.of in by_batch
            row = Usage(stage=stage.name, prompt=question.prompt, model=model, calls=_FORESEEN, batch=batch, **tokens)
            usage.append(_times(row, left * times, prices))
            through.append(_times(row, times, prices))
        left *= past.rate(stage.name, pass_rate(stage.name, setup))
    kept = _FORESEEN * left
    through = [_times(row, kept / _FORESEEN, prices) for row in through]
    return Pilot(kept, _summed(usage, prices), _summed(through, prices), kept), _FORESEEN


def scaled(
    found: Pilot, *, tried: int, wanted: int | None, eligible: int, prices: Prices, basis: str, mixed: bool = False
) -> Estimate:
    """The estimate for `wanted` goldens (None: of all eligible chunks); `mixed`: a mix of hardness is to be met."""

    def up_to(goldens: float) -> int:
        return round(goldens) if wanted is None else min(wanted, round(goldens))

    share = found.kept / tried if found.kept else None
    each = found.kept / found.passed if found.passed else 0.0
    needed = through = eligible
    if wanted is not None:
        needed = min(eligible, math.ceil(wanted / (share or 1.0)))
        through = eligible if mixed or not each else min(eligible, math.ceil(wanted / each))
    rows = tuple(_times(row, needed / tried if tried else 0.0, prices) for row in found.usage)
    return Estimate(
        goldens=up_to(needed * (share or 0.0)),
        chunks_tried=needed,
        chunks_eligible=eligible,
        passed=share,
        usage=rows,
        totals=Totals.of(rows),
        basis=basis,
        if_all_pass=tuple(_times(row, through / found.passed, prices) for row in found.through),
        if_all_pass_goldens=up_to(through * each),
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


def _summed(rows: Iterable[Usage], prices: Prices) -> tuple[Usage, ...]:
    return priced(add_usage(sorted(rows, key=lambda row: (row.stage, row.prompt, row.model))), prices)


def _times(row: Usage, factor: float, prices: Prices) -> Usage:
    counts = ("calls", "prompt_tokens", "cached_tokens", "completion_tokens")
    larger = row.model_copy(update={name: round(getattr(row, name) * factor) for name in counts})
    return larger.model_copy(update={"cost": prices.cost(row.model, larger)})
