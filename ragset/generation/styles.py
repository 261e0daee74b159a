"""The styles of queries about one chunk. One line adds one."""

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

OPEN = "open"
FACTOID = "factoid"
KEYPHRASE = "keyphrase"
SHAPE_PROMPT = "draft_multi_query"
"""Drafts all queries over several chunks, in whichever shape the chunks lend themselves to."""


def style(name: str, is_: str, *, prompt: str = "", usual: float = 0.0, short: bool = False) -> Style:
    """Add a style; its prompt is `draft_NAME_query`, unless another is given."""
    return STYLES.add(name, Style(prompt or f"draft_{name}_query", is_, usual, short))


def usual_styles() -> dict[str, float]:
    """The weights of styles where none are given, near to what people ask (docs/validity.md)."""
    return {name: style.usual for name, style in STYLES.items() if style.usual}


style(OPEN, "an open question: how or why", usual=0.1)
style(FACTOID, "a question for one fact", usual=0.8, short=True)
style(
    KEYPHRASE, "two to seven words about a key phrase of the chunk, as typed into a search box", usual=0.1, short=True
)
style("exam", "a question of an exam")
