"""What a run would cost, from a small pilot through the same stages."""

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from statistics import mean

from ragset.chunking import count_tokens
from ragset.dataset.manifest import Totals
from ragset.llm.protocol import LLM, Completion, Request
from ragset.llm.usage import Meter, Metered, Prices
from ragset.models import Candidate, Model, Usage
from ragset.prompt import Prompt
from ragset.recipe import Models, Outcome, Stage, several
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
) -> tuple[int, tuple[Usage, ...]]:
    """How many candidates pass all stages, and what that took.

    `find` stands for a stage that searches the corpus; without it such a stage finds nothing.
    """
    meter = Meter(prices)
    metered = Models(*(Metered(llm, meter) for llm in models))

    async def one(candidate: Candidate) -> int:
        grown = [candidate]
        for stage in stages:
            if stage.searches and find is not None:
                outcomes = [find(grown)]
            else:
                outcomes = [await stage.run(each, prompts, metered) for each in grown]
            grown = [each for outcome in outcomes for each in several(outcome) if isinstance(each, Candidate)]
        return len(grown)

    passed = await asyncio.gather(*map(one, candidates))
    return sum(passed), meter.rows()


def scaled(
    usage: Sequence[Usage], *, tried: int, kept: int, wanted: int | None, eligible: int, prices: Prices, basis: str
) -> Estimate:
    """The estimate for `wanted` goldens (None: of all eligible chunks) from a pilot that kept `kept` of `tried`."""
    share = kept / tried if kept else None
    needed = eligible if wanted is None else min(eligible, math.ceil(wanted / (share or 1.0)))
    factor = needed / tried if tried else 0.0
    rows = tuple(_times(row, factor, prices) for row in usage)
    goldens = round(needed * (share or 1.0))
    return Estimate(
        goldens=goldens if wanted is None else min(wanted, goldens),
        chunks_tried=needed,
        chunks_eligible=eligible,
        passed=share,
        usage=rows,
        totals=Totals.of(rows),
        basis=basis,
    )


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
