"""What a query takes of a RAG system: seconds, tokens and US dollars, by step and in all."""

import math
import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from ragset.errors import RagsetError
from ragset.evaluation.metrics.scores import Score
from ragset.llm.protocol import LLM, Completion, Request
from ragset.llm.usage import Prices, add_usage, priced, total_cost
from ragset.models import Model, Usage

K = TypeVar("K", bound=Hashable)

RETRIEVAL, RERANKING, ANSWERING = "retrieval", "reranking", "answering"
REPLY = "reply"
"""All that another system does, which is seen from outside."""
TOTAL = "total"
STEPS = (RETRIEVAL, RERANKING, ANSWERING)
MOST_ALONE, LONGEST_ALONE = 100, 1.0
"""Queries that are timed alone, and the seconds after which no further one is."""


class Effort(Model):
    """What one step took for one query."""

    seconds: float | None = None
    """None where nobody waited for it, or where it was not timed."""
    usage: tuple[Usage, ...] | None = ()
    """Tokens by model; None where they are not known."""
    cost: float | None = None
    """In US dollars, where another system says it; else it follows from the tokens."""

    @classmethod
    def of(cls, completions: Iterable[Completion]) -> "Effort":
        """Of the calls for one query, one after another."""
        made = tuple(completions)
        seconds = [one.seconds for one in made]
        counts = {"prompt_tokens", "cached_tokens", "completion_tokens", "model", "batch"}
        rows = (Usage(stage="", prompt="", calls=1, **one.model_dump(include=counts)) for one in made)
        known = [one for one in seconds if one is not None]
        return cls(seconds=round(math.fsum(known), 4) if len(known) == len(seconds) else None, usage=add_usage(rows))

    @property
    def tokens(self) -> int | None:
        """Of prompts and replies together."""
        return None if self.usage is None else sum(row.prompt_tokens + row.completion_tokens for row in self.usage)

    def money(self, prices: Prices) -> float | None:
        """US dollars; None where tokens or a price are not known."""
        if self.cost is not None or self.usage is None:
            return self.cost
        return total_cost(priced(self.usage, prices))


Efforts = Mapping[str, Mapping[str, Effort]]
"""By step and golden."""


class Recorded:
    """A model whose completions are kept, to say what they took."""

    def __init__(self, llm: LLM) -> None:
        self.model = llm.model
        self.completions: list[Completion] = []
        self._llm = llm

    async def complete(self, request: Request) -> Completion:
        """Answer and keep."""
        completion = await self._llm.complete(request)
        self.completions.append(completion)
        return completion


def time_alone(queries: Mapping[K, str], ask: Callable[[str], object]) -> dict[K, float]:
    """Seconds that `ask` takes for queries one at a time: for up to 100 of them, evenly spread, within about a second.

    The first is asked twice, since what it loads is loaded once. Failures end it: the work itself was done before.
    """
    step = math.ceil(len(queries) / MOST_ALONE) or 1
    sample = list(queries.items())[::step]
    found: dict[K, float] = {}
    with suppress(RagsetError):
        for _, query in sample[:1]:
            ask(query)
        until = time.perf_counter() + LONGEST_ALONE
        for key, query in sample:
            began = time.perf_counter()
            ask(query)
            ended = time.perf_counter()
            found[key] = round(ended - began, 5)
            if ended > until:
                break
    return found


def effort_scores(efforts: Efforts, prices: Prices) -> list[Score]:
    """The efforts as metrics of goldens. What is not known has no score, and a sum of it has none either."""
    scores: list[Score] = []
    for step, of in efforts.items():
        if step in STEPS:
            timed = ((golden, one.seconds) for golden, one in of.items())
            scores += (Score(id_, f"{step}_seconds", seconds) for id_, seconds in timed if seconds is not None)
    for golden in dict.fromkeys(golden for of in efforts.values() for golden in of):
        took = [of.get(golden, Effort(usage=None)) for of in efforts.values()]
        sums = {
            "seconds": [one.seconds for one in took],
            "tokens": [one.tokens for one in took],
            "cost": [one.money(prices) for one in took],
        }
        for metric, parts in sums.items():
            known = [part for part in parts if part is not None]
            if len(known) == len(parts):
                scores.append(Score(golden, metric, math.fsum(known)))
    return scores


class Percentiles(Model):
    """Seconds within which half, 95 % and 99 % of queries were done; of fewer than 100 the last is the slowest."""

    p50: float
    p95: float
    p99: float
    queries: int

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Percentiles | None":
        """By nearest rank; None without any."""
        ranked = sorted(seconds)
        if not ranked:
            return None
        p50, p95, p99 = (ranked[math.ceil(percent * len(ranked) / 100) - 1] for percent in (50, 95, 99))
        return cls(p50=round(p50, 5), p95=round(p95, 5), p99=round(p99, 5), queries=len(ranked))


class Efficiency(Model):
    """What a query takes of one configuration."""

    seconds: dict[str, Percentiles]
    """By step, with `total` for all steps together."""
    tokens: float | None = None
    """Mean of a query, prompts and replies."""
    cost: float | None = None
    """Mean of a query, in US dollars; None where a price is unknown."""

    @classmethod
    def of(cls, scores: Iterable[Score]) -> "Efficiency | None":
        """Of what `effort_scores` found; None where nothing is known."""
        values: dict[str, list[float]] = {}
        for score in scores:
            values.setdefault(score.metric, []).append(score.value)
        timed = {**{step: f"{step}_seconds" for step in STEPS}, TOTAL: "seconds"}
        found = {name: Percentiles.of(values.get(metric, ())) for name, metric in timed.items()}
        means = {name: math.fsum(of) / len(of) for name in ("tokens", "cost") if (of := values.get(name))}
        known = {name: one for name, one in found.items() if one is not None}
        return cls(seconds=known, **means) if known or means else None
