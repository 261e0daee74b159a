"""The chunking strategies: each chooses where a text may be cut, and `packing` makes chunks of the size wanted."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ragset.chunking.boundaries import Boundaries, by_recursion, by_sentence
from ragset.chunking.markdown import Section, outline
from ragset.chunking.packing import Stretch
from ragset.chunking.semantic import Embed, topics
from ragset.errors import InputError
from ragset.settings import ChunkingSettings
from ragset.settings.registry import Registry

_FILL = 0.5  # how full a chunk must be for a paragraph's end to be better than a sentence's further on


class Places(NamedTuple):
    """Where a text may be cut."""

    levels: tuple[Boundaries, ...] = ()  # best first; without any, a text is cut at the size
    fill: float = 0.0  # share of a chunk before which a better boundary does not count
    sections: Sequence[Section] = ()  # parts that share no chunk; without any, the text is one
    blocks: Sequence[Stretch] = ()  # stretches that are not cut if they fit the size


Find = Callable[[str, ChunkingSettings, Embed | None], Places]


class Strategy(NamedTuple):
    """A way to cut texts."""

    find: Find
    is_: str


STRATEGIES = Registry[Strategy]("chunking strategies")


def strategy(is_: str) -> Callable[[Find], Find]:
    """Add a strategy under the name of its function."""

    def add(find: Find) -> Find:
        STRATEGIES.add(find.__name__, Strategy(find, is_))
        return find

    return add


@strategy("at paragraphs, lines, sentences, then words")
def recursive(text: str, _settings: ChunkingSettings, _embed: Embed | None) -> Places:
    """The best boundary within reach."""
    return Places(by_recursion(text), _FILL)


@strategy("whole sentences up to the size")
def sentence(text: str, settings: ChunkingSettings, _embed: Embed | None) -> Places:
    """Sentences of the language."""
    return Places(by_sentence(text, settings.language or "en"))


@strategy("where the meaning of neighbouring sentences changes")
def semantic(text: str, settings: ChunkingSettings, embed: Embed | None) -> Places:
    """Topics, cut at sentences where they are larger than the size."""
    if embed is None:
        raise InputError("chunking.strategy semantic: name the embedding that tells where the meaning turns")
    sections = [Section(start, end, ()) for start, end in topics(text, settings, embed)]
    return Places(by_sentence(text, settings.language or "en"), sections=sections)


@strategy("by heading, then by size")
def markdown(text: str, _settings: ChunkingSettings, _embed: Embed | None) -> Places:
    """Sections, in which tables and code stay whole."""
    found = outline(text)
    return Places(by_recursion(text), _FILL, found.sections, found.blocks)


@strategy("windows of equal length in tokens")
def token(_text: str, _settings: ChunkingSettings, _embed: Embed | None) -> Places:
    """Any place."""
    return Places()


@strategy("windows of equal length in words")
def words(_text: str, _settings: ChunkingSettings, _embed: Embed | None) -> Places:
    """Any place between words."""
    return Places()
