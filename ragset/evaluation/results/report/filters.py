"""How pages write scores, differences, p values and sentences: the filters of their templates."""

import math
from collections.abc import Callable, Mapping

from ragset.evaluation.metrics.registry import meaning


def score(value: float | None, sign: str = "") -> str:
    """Three decimals; a dash where it is not known."""
    return "–" if value is None or math.isnan(value) else f"{value:{sign}.3f}".replace("-", "−")


def signed(value: float | None) -> str:
    """The same with its sign."""
    return score(value, "+")


def p_value(value: float) -> str:
    """Three decimals, or that it is smaller."""
    return "< 0.001" if value < 0.001 else score(value)


def sentence(words: str) -> str:
    """With a capital and a stop; nothing of nothing."""
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def seconds(value: float) -> str:
    """Two digits, as many as a time-out or a person would notice."""
    return f"{value:.0f}" if value >= 100 else f"{value:#.2g}".rstrip(".") if value >= 0.001 else f"{value:.4f}"


def figure(value: float | None) -> str:
    """Three digits; a dash where it is not known."""
    return "–" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


FILTERS: Mapping[str, Callable[..., str]] = {
    "score": score,
    "signed": signed,
    "p": p_value,
    "sentence": sentence,
    "seconds": seconds,
    "figure": figure,
    "meaning": meaning,
}
