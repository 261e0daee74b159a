"""What asking costs: prices by model, and sums by stage and prompt."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from ragset.errors import InputError, problems_of
from ragset.llm.protocol import LLM, Completion, Request
from ragset.models import Model, Usage
from ragset.settings import OFFLINE
from ragset.settings.yaml_text import read_yaml_file

EMBED = "embed"  # the stage of what embeddings cost; what was embedded stands in the place of the prompt
BATCH = 0.5  # what a reply by batch costs, as a share of the price
_TOKENS = ("prompt_tokens", "cached_tokens", "completion_tokens")
_KEY = ("stage", "prompt", "model", "batch")
_FORM = (
    "; write `models:`, and below it, indented, a line for each model: `NAME: {input: 0.10, output: 0.20}`, in US dollars "
    "per million tokens"
)

_Key = tuple[str, str, str, bool]


class Price(Model):
    """US dollars per million tokens."""

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    cached_input: float | None = Field(default=None, ge=0, allow_inf_nan=False)  # None: as much as other input


class Prices(Model):
    """Prices by the name of the model."""

    models: dict[str, Price] = Field(default_factory=dict)

    def of(self, model: str) -> Price | None:
        """The price of `model`, or of the longest known name that it begins with (`gpt-4o-2024`, not `gpt-4oh`), or None."""
        if model == OFFLINE:
            return Price(input=0, output=0)
        if model in self.models:
            return self.models[model]
        known = [name for name in self.models if model.startswith((f"{name}-2", f"{name}@", f"{name}:"))]
        return self.models[max(known, key=len)] if known else None

    def cost(self, model: str, tokens: Completion | Usage) -> float | None:
        """The cost of a completion, or of a sum of them, in US dollars; None where the price is unknown."""
        price = self.of(model)
        if price is None:
            return None
        cached = price.input if price.cached_input is None else price.cached_input
        fresh = tokens.prompt_tokens - tokens.cached_tokens
        total = fresh * price.input + tokens.cached_tokens * cached + tokens.completion_tokens * price.output
        return total / 1_000_000 * (BATCH if tokens.batch else 1)


def load_prices(path: Path | None = None) -> Prices:
    """The built-in prices, overridden by those of the user's file; raises InputError if it cannot be read."""
    return Prices(models={**_builtin().models, **(_read(path).models if path else {})})


class _File(Model):
    models: dict[str, Price]
    as_of: Any = None


@cache
def _builtin() -> Prices:
    return _read(Path(__file__).with_name("prices.yaml"))


def _read(path: Path) -> Prices:
    try:
        return Prices(models=_File.model_validate(read_yaml_file(path)).models)
    except InputError as error:
        raise InputError(f"{error} (RAGSET_PRICES){_FORM}") from None
    except ValidationError as error:
        raise InputError(f"{path}: {problems_of(error)}{_FORM}") from None


class Meter:
    """Sums of what completions cost, by stage, prompt and model."""

    def __init__(self, prices: Prices) -> None:
        self._prices = prices
        self._sums: dict[_Key, Counter[str]] = defaultdict(Counter)

    def add(self, stage: str, prompt: str, completion: Completion) -> None:
        """Count one completion."""
        sums = self._sums[stage, prompt, completion.model, completion.batch]
        sums["calls"] += 1
        for name in _TOKENS:
            sums[name] += getattr(completion, name)

    def rows(self) -> tuple[Usage, ...]:
        """One for each stage, prompt and model, those by batch apart; sorted and priced as sums."""
        sums = sorted(self._sums.items())
        named = ((dict(zip(_KEY, key, strict=True)), counts) for key, counts in sums)
        return priced((Usage.model_validate({**key, **counts}) for key, counts in named), self._prices)


class Metered:
    """A model whose completions a meter counts."""

    def __init__(self, llm: LLM, meter: Meter) -> None:
        self.model = llm.model
        self._llm = llm
        self._meter = meter

    async def complete(self, request: Request) -> Completion:
        """Answer and count."""
        completion = await self._llm.complete(request)
        self._meter.add(request.stage, request.prompt, completion)
        return completion


def add_usage(rows: Iterable[Usage]) -> tuple[Usage, ...]:
    """One row for each stage, prompt and model, those by batch apart; in the order in which they first come."""
    groups: dict[_Key, list[Usage]] = defaultdict(list)
    for row in rows:
        groups[row.stage, row.prompt, row.model, row.batch].append(row)
    return tuple(
        same[0].model_copy(
            update={name: sum(getattr(row, name) for row in same) for name in ("calls", *_TOKENS)}
            | {"cost": total_cost(same)}
        )
        for same in groups.values()
    )


def priced(rows: Iterable[Usage], prices: Prices) -> tuple[Usage, ...]:
    """The rows with their cost at these prices."""
    return tuple(row.model_copy(update={"cost": prices.cost(row.model, row)}) for row in rows)


def total_cost(rows: Iterable[Usage]) -> float | None:
    """The cost of all rows in US dollars, in any order the same; None if one is unknown."""
    costs = [row.cost for row in rows]
    return None if None in costs else math.fsum(cost for cost in costs if cost is not None)
