"""The tables of `benchmarks.validity`, in Markdown."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.shared import markdown

METRICS = ("recall@512tokens", "ndcg@10", "mrr")
HUMAN = "people"


def as_markdown(found: Mapping[str, Any]) -> str:
    """The tables that people read."""
    sets = list(found["goldens"])
    lines = [
        f"{len(found['configurations'])} configurations; " + ", ".join(f"{n} {k}" for k, n in found["goldens"].items())
    ]
    rows = [
        [
            one["one"],
            one["metric"],
            _interval(one["tau_b"], one["tau_low"], one["tau_high"]),
            f"{_interval(one['ceiling'], one['ceiling_low'], one['ceiling_high'])} of {one['ceiling_goldens']}",
            _number(one["ratio"]),
        ]
        for one in found["agreement"]
    ]
    lines += _table("Agreement with people's questions", ["set", "metric", "tau-b", "ceiling", "ratio"], rows)
    by_chunking = zip(*found["cut_rates"].values(), strict=True)
    rows = [[rates[0]["chunking"], *map(_rate, rates)] for rates in by_chunking]
    lines += _table("Evidence cut (by chance ± noise), in per cent of goldens", ["chunking", *sets], rows)
    for metric in METRICS:
        rows = [
            [one["value"], *(f"{one['means'][name]:.3f}" for name in sets)]
            for one in found["means"]
            if one["metric"] == metric
        ]
        lines += _table(f"Mean {metric}", ["", *sets], rows)
    rows = [[name, f"{one['told']} of {one['pairs']}"] for name, one in found["discrimination"].items()]
    lines += _table(f"Pairs of configurations told apart by {METRICS[0]}", ["set", "pairs"], rows)
    return "\n".join(lines) + "\n"


def _table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return ["", f"## {title}", "", *markdown(header, rows)]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _interval(value: float | None, low: float | None, high: float | None) -> str:
    return f"{_number(value)} ({_number(low)} to {_number(high)})"


def _rate(rate: Mapping[str, float]) -> str:
    return f"{rate['cut']:.1%} ({rate['chance']:.1%} ± {rate['noise']:.1%})"
