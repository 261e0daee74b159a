"""The styles of queries about one chunk, and the shapes of queries about several. One line adds one."""

from typing import NamedTuple

from ragset.settings.registry import Registry


class Style(NamedTuple):
    """One kind of query to draft: its prompt file, and what it is, for help and docs."""

    prompt: str
    is_: str
    usual: float = 0.0
    """Its share where no weights are given."""
    short: bool = False
    """Whether a short fact answers such a query, so that there is little to evolve."""


STYLES = Registry[Style]("styles")
SHAPES = Registry[Style]("shapes")
"""How a query may need several chunks. One prompt drafts them all; a model may make another shape than the one wished for."""

OPEN = "open"
KEYPHRASE = "keyphrase"
SHAPE_PROMPT = "draft_multi_query"


def style(name: str, is_: str, *, prompt: str = "", usual: float = 0.0, short: bool = False) -> Style:
    """Add a style; its prompt is `draft_NAME_query`, unless another is given."""
    return STYLES.add(name, Style(prompt or f"draft_{name}_query", is_, usual, short))


def usual_styles() -> dict[str, float]:
    """The weights of styles where none are given, near to what people ask (docs/validity.md)."""
    return {name: style.usual for name, style in STYLES.items() if style.usual}


style(OPEN, "an open question: how or why", usual=0.15)
style("factoid", "a question for one fact", usual=0.7, short=True)
style(
    KEYPHRASE, "two to seven words about a key phrase of the chunk, as typed into a search box", usual=0.15, short=True
)
style("exam", "a question of an exam")

SHAPES.add("comparison", Style(SHAPE_PROMPT, "compares two things"))
SHAPES.add("bridge", Style(SHAPE_PROMPT, "the answer of one chunk leads to the other"))
SHAPES.add("aggregation", Style(SHAPE_PROMPT, "collects what several chunks say"))
SHAPES.add("open", Style(SHAPE_PROMPT, "whichever the chunks lend themselves to"))
