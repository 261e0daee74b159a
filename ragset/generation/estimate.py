"""What a run would cost, from a small pilot through the same stages."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import mean
from typing import NamedTuple

from ragset.chunking import count_tokens
from ragset.dataset.manifest import Totals
from ragset.generation.pipelines import Models, Outcome, Stage, several
from ragset.llm.gather import gather_all
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM, Completion, Request
from ragset.llm.usage import Meter, Metered, Prices, add_usage
from ragset.models import Candidate, Model, Usage
from ragset.settings import OFFLINE

_PER_MESSAGE = 4
"""Tokens that a chat format spends on each message."""


Find = Callable[[Sequence[Candidate]], Sequence[Outcome]]
"""What a search of the corpus makes of candidates."""


class Estimate(Model):
    """What making the goldens asked for would take, if the rest of the corpus is like the pilot."""

    goldens: int
    chunks_tried: int
    """To get them, at the share of chunks that passed."""
    chunks_eligible: int
    passed: float | None
    """Share of the pilot's chunks that became goldens; None where none did, and then all sums are for a share of 1."""
    usage: tuple[Usage, ...]
    totals: Totals
    basis: str
    """What the figures rest on, in a sentence or two."""
    if_all_pass: tuple[Usage, ...] = ()
    """The other end: what it takes if every chunk that is tried goes through all stages. With a mix of hardness that is
    every eligible chunk, since the levels wanted may come last. Empty where none of the pilot's did."""
    if_all_pass_goldens: int = 0

    @property
    def most(self) -> tuple[Usage, ...]:
        """The dearer of the two ends."""
        return max(self.usage, self.if_all_pass, key=lambda rows: sum(row.calls for row in rows))


class Pilot(NamedTuple):
    """What became of a few candidates."""

    kept: int
    """How many of what they grew into passed all stages."""
    usage: tuple[Usage, ...]
    through: tuple[Usage, ...]
    """Of those that passed alone."""
    passed: int
    """How many those were; one may grow into several."""


class Counted:
    """Rules in the place of a model, with the tokens that the model would be sent, and might reply with."""

    def __init__(self, llm: LLM, model: str, prompts: Mapping[str, Prompt]) -> None:
        self._llm = llm
        self._model = model
        self._replies = {name: _usual_reply(prompt) for name, prompt in prompts.items()}

    @property
    def model(self) -> str:
        """The model that is stood in for."""
        return self._model

    async def complete(self, request: Request) -> Completion:
        """The rules' reply, with its tokens counted."""
        completion = await self._llm.complete(request)
        if self._model == OFFLINE:
            return completion
        sent = sum(count_tokens(message.content) + _PER_MESSAGE for message in request.messages)
        replied = max(count_tokens(completion.text), self._replies.get(request.prompt, 0))
        return Completion(text=completion.text, model=self._model, prompt_tokens=sent, completion_tokens=replied)


async def pilot(
    candidates: Sequence[Candidate],
    stages: Sequence[Stage],
    prompts: Mapping[str, Prompt],
    models: Models,
    prices: Prices,
    find: Find | None = None,
) -> Pilot:
    """How many candidates pass all stages, and what that took.

    `find` stands for a stage that searches the corpus; without it such a stage finds nothing.
    """

    async def one(candidate: Candidate) -> tuple[int, tuple[Usage, ...]]:
        meter = Meter(prices)
        metered = Models(*(Metered(llm, meter) for llm in models))
        grown = [candidate]
        for stage in stages:
            if stage.searches and find is not None:
                outcomes = [find(grown)]
            else:
                outcomes = [await stage.run(each, prompts, metered) for each in grown]
            grown = [each for outcome in outcomes for each in several(outcome) if isinstance(each, Candidate)]
        return len(grown), meter.rows()

    tried = await gather_all(*map(one, candidates))
    return Pilot(
        kept=sum(kept for kept, _ in tried),
        usage=_summed((row for _, rows in tried for row in rows), prices),
        through=_summed((row for kept, rows in tried if kept for row in rows), prices),
        passed=sum(bool(kept) for kept, _ in tried),
    )


def scaled(
    found: Pilot, *, tried: int, wanted: int | None, eligible: int, prices: Prices, basis: str, mixed: bool = False
) -> Estimate:
    """The estimate for `wanted` goldens (None: of all eligible chunks) from a pilot of `tried` chunks.

    `mixed`: goldens are made until there are enough of each level of hardness.
    """
    share = found.kept / tried if found.kept else None
    needed = eligible if wanted is None else min(eligible, math.ceil(wanted / (share or 1.0)))
    rows = tuple(_times(row, needed / tried if tried else 0.0, prices) for row in found.usage)
    goldens = round(needed * (share or 0.0))
    each = found.kept / found.passed if found.passed else 0.0
    through = eligible if wanted is None or mixed or not each else min(eligible, math.ceil(wanted / each))
    all_goldens = round(through * each)
    return Estimate(
        goldens=goldens if wanted is None else min(wanted, goldens),
        chunks_tried=needed,
        chunks_eligible=eligible,
        passed=share,
        usage=rows,
        totals=Totals.of(rows),
        basis=basis,
        if_all_pass=tuple(_times(row, through / found.passed, prices) for row in found.through),
        if_all_pass_goldens=all_goldens if wanted is None else min(wanted, all_goldens),
    )


def _summed(rows: Iterable[Usage], prices: Prices) -> tuple[Usage, ...]:
    summed = add_usage(sorted(rows, key=lambda row: (row.stage, row.prompt, row.model)))
    return tuple(row.model_copy(update={"cost": prices.cost(row.model, row)}) for row in summed)


def _times(row: Usage, factor: float, prices: Prices) -> Usage:
    numbers = {
        name: round(getattr(row, name) * factor)
        for name in ("calls", "prompt_tokens", "cached_tokens", "completion_tokens")
    }
    larger = row.model_copy(update=numbers)
    return larger.model_copy(update={"cost": prices.cost(row.model, larger)})


def _usual_reply(prompt: Prompt) -> int:
    replies = [count_tokens(prompt.reply_type.model_validate(case.reply).model_dump_json()) for case in prompt.examples]
    return round(mean(replies)) if replies else 0
