"""The evolutions: ways to rewrite a drafted query. One line adds one, beside its prompt file."""

from typing import NamedTuple

from ragset.settings.registry import Registry


class Evolution(NamedTuple):
    """One way to rewrite a query."""

    prompt: str
    """Name of its prompt file; the reply is an `EvolvedQuery`."""
    does: str
    """What it does to a query, for the docs."""
    hardness: float = 1.0
    """Points that it adds to the hardness of a golden."""


EVOLUTIONS = Registry[Evolution]("evolutions")
"""Those that work on the passages that the query was drafted from."""
WIDENING = Registry[Evolution]("widening evolutions")
"""Those that take another passage in, which only multi-chunk has."""

NONE = "none"
"""Names the weight of leaving a query as it was drafted."""
COMPRESS = "compress"
MULTI_CONTEXT = "multi_context"


def evolution(name: str, does: str, *, prompt: str = "", hardness: float = 1.0) -> Evolution:
    """Add an evolution; its prompt is `evolve_` and its name, unless another is given."""
    return EVOLUTIONS.add(name, Evolution(prompt or f"evolve_{name}", does, hardness))


def evolution_of(name: str) -> Evolution:
    """The evolution of that name, of either registry."""
    return WIDENING.get(name) or EVOLUTIONS[name]


# A generalised or compressed query is a little harder; a broader one is a plain question about another thing.
evolution("generalise", "less specific, as people ask who do not know the text", hardness=0.5)
evolution("reasoning", "several statements of the passage must be put together")
evolution("conditional", "asks for a case: what if")
evolution("constraints", "one more condition, which the passage settles")
evolution("deepen", "the why or how behind what the query asks")
evolution("concretise", "a general term made one case that the passage speaks about")
evolution("more_steps", "one more step between the query and its answer")
evolution("complicate_input", "a small table, code or formula is part of the query")
evolution("broaden", "a new query, about another thing that the passage answers", hardness=0.0)
evolution(COMPRESS, "shorter and more indirect, as typed into a search box", hardness=0.5)
WIDENING.add(MULTI_CONTEXT, Evolution("evolve_multi_context", "takes a second chunk in (multi-chunk)"))
