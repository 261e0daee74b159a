"""The evolutions: ways to rewrite a drafted query. One line adds one, beside its prompt file."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ragset.generation.styles import STYLES
from ragset.generation.weighted_choice import choose
from ragset.settings.registry import Registry


def long_facts(style: str) -> bool:
    """Suits queries that take more than a short fact to answer, as those of shapes do."""
    return style not in STYLES or not STYLES[style].short


class Evolution(NamedTuple):
    """One way to rewrite a query."""

    prompt: str
    does: str
    hardness: float = 1.0
    """Points that it adds to the hardness of a golden."""
    suits: Callable[[str], bool] = lambda _style: True
    """Whether a query of that style can be evolved so without becoming artificial or vague."""


EVOLUTIONS = Registry[Evolution]("evolutions")
"""Those that work on the passages that the query was drafted from."""
WIDENING = Registry[Evolution]("widening evolutions")
"""Those that take another passage in, which only multi-chunk has."""

NONE = "none"
"""Names the weight of leaving a query as it was drafted."""
COMPRESS = "compress"
MULTI_CONTEXT = "multi_context"


def evolution(
    name: str,
    does: str,
    *,
    prompt: str = "",
    hardness: float = 1.0,
    suits: Callable[[str], bool] = lambda _style: True,
) -> Evolution:
    """Add an evolution; its prompt is `evolve_` and its name, unless another is given."""
    return EVOLUTIONS.add(name, Evolution(prompt or f"evolve_{name}", does, hardness, suits))


def evolution_of(name: str) -> Evolution:
    """The evolution of that name, of either registry."""
    return WIDENING.get(name) or EVOLUTIONS[name]


# A generalised or compressed query is a little harder; a broader one is a plain question about another thing.
evolution("generalise", "less specific, as people ask who do not know the text", hardness=0.5, suits=long_facts)
evolution("reasoning", "several statements of the passage must be put together", suits=long_facts)
evolution("conditional", "asks for a case: what if", suits=long_facts)
evolution("constraints", "one more condition, which the passage settles", suits=long_facts)
evolution("deepen", "the why or how behind what the query asks")
evolution("concretise", "a general term made one case that the passage speaks about", suits=long_facts)
evolution("more_steps", "one more step between the query and its answer", suits=long_facts)
evolution("complicate_input", "a small table, code or formula is part of the query")
evolution("broaden", "a new query, about another thing that the passage answers", hardness=0.0)
evolution(COMPRESS, "shorter and more indirect, as typed into a search box", hardness=0.5)
WIDENING.add(MULTI_CONTEXT, Evolution("evolve_multi_context", "takes a second chunk in (multi-chunk)"))


def draw_evolutions(
    weights: Mapping[str, float], depth: int, *, compress: bool, seed: int, case: str
) -> tuple[str, ...]:
    """The evolutions that `case` draws by weight, up to `depth` different ones; () where it draws `none` first.

    `compress` comes last, since others make a query long again; `multi_context` first, since the draft is made for it.
    """
    kinds: list[str] = []
    left = {kind: weight for kind, weight in weights.items() if weight > 0}
    while left and len(kinds) < depth:
        kind = choose(left, seed, f"evolution {len(kinds) + 1}" if kinds else "evolution", case)
        if kind == NONE:
            break
        kinds.append(kind)
        left = {other: weight for other, weight in left.items() if other not in {kind, MULTI_CONTEXT}}
    if compress or COMPRESS in kinds:
        kinds = [kind for kind in kinds if kind != COMPRESS] + [COMPRESS]
    return tuple(kinds)
