"""Words of queries that name nothing: by what they say instead."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from ragset.text.rules import LANGUAGES
from ragset.text.rules.tables import table


class SmallWords(NamedTuple):
    """What the small words of a language stand for; `tables.Words` says what each is."""

    empty: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()
    light: frozenset[str] = frozenset()
    asking: Mapping[str, str] = {}
    nouns: Mapping[str, str] = {}
    amounts: frozenset[str] = frozenset()
    measures: frozenset[str] = frozenset()
    present: frozenset[str] = frozenset()
    past: frozenset[str] = frozenset()
    agent: frozenset[str] = frozenset()
    polar: frozenset[str] = frozenset()
    numbers: Mapping[str, str] = {}
    opposites: Mapping[str, frozenset[str]] = {}
    mutual: frozenset[str] = frozenset()
    endings: tuple[str, ...] = ()
    irregular: Mapping[str, str] = {}
    manner: frozenset[str] = frozenset()


@lru_cache(maxsize=64)
def small_words(language: str) -> SmallWords:
    """The words of a language, by its code ("en", "en-GB"); none, so that every word counts, where there is no table."""
    known = language.lower().split("-")[0]
    if known not in LANGUAGES:
        return SmallWords()
    words = {name: text.split() for name, text in table(known).words.model_dump().items() if name in SmallWords._fields}
    pairs = {
        name: dict(pair.split("=", 1) for pair in words.pop(name))
        for name in ("asking", "nouns", "numbers", "irregular")
    }
    opposites, endings = _opposites(words.pop("opposites")), tuple(words.pop("endings"))
    sets = {name: frozenset(found) for name, found in words.items()}
    return SmallWords(**sets, **pairs, opposites=opposites, endings=endings)  # pyright: ignore[reportArgumentType]


def _opposites(groups: list[str]) -> dict[str, frozenset[str]]:
    """`north/south/east`: each word with the others of its groups."""
    found: dict[str, frozenset[str]] = {}
    for group in groups:
        words = frozenset(group.split("/"))
        for word in words:
            found[word] = found.get(word, frozenset()) | (words - {word})
    return found
