"""A query that draws on two chunks, and how it is known again."""

import re
from typing import Literal, NamedTuple

from ragset.generation.offline.text import Sentence


class Part(NamedTuple):
    """What one chunk gives."""

    chunk: int
    """Its place, from 0."""
    sentences: tuple[Sentence, ...]


class Joined(NamedTuple):
    """A query with what answers it."""

    shape: Literal["comparison", "bridge", "aggregation"]
    query: str
    parts: tuple[Part, Part]
    answer: str
    score: float
    why: str
    """What the chunks have to do with each other, for the reason."""

    @property
    def needs(self) -> tuple[int, ...]:
        """Places of the chunks, each once, in order."""
        return tuple(sorted({part.chunk for part in self.parts}))


_FORMS = re.compile(
    r"(?:How|About how) many years after .{3,} (?:did|was|were) .{3,}\?|(?:Did|Was|Were) .{3,} before .{3,}\?|Which came first, .{3,} or .{3,}\?|How (?:do|does) .{3,} differ from .{3,}\?|How (?:do|does) the [a-z ]+ of .{3,}"
    r" compare with that of .{3,}\?|Is .{3,} older than .{3,}\?|.*\bthe person who .{3,}\?"
    r"|What (?:did .{2,} do|happened to .{2,}) (?:in|on|about|around|at) .{3,} and (?:in|on|about|around|at) .{3,}\?"
    r"|What (?:do|does) .{3,} (?:each )?have to do with .{2,}\?|.*\b(?:the|an?) [\w-]+ (?:that|(?:at|in|by) which) .{3,}\?"
)


def is_joined(query: str) -> bool:
    """Has a form that the patterns give to queries of two chunks."""
    return _FORMS.fullmatch(query) is not None


def place_holders(*sentences: tuple[Sentence, ...]) -> tuple[Part, Part]:
    """The parts of a first and a second chunk."""
    first, second = sentences
    return Part(0, first), Part(1, second)
