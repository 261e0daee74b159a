"""The words, patterns and question words of each language, from `en.toml` and its like, which say what each entry is."""

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Annotated, Any, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict

from ragset.text.rules import LANGUAGES


def _meanings(text: str) -> dict[str, str]:
    """The map that `a=b c=d` stands for."""
    return dict(pair.split("=", 1) for pair in text.split())


def _groups(text: str) -> dict[str, frozenset[str]]:
    """`north/south/east`: each word with the others of its groups."""
    found: dict[str, frozenset[str]] = {}
    for group in text.split():
        words = frozenset(group.split("/"))
        found |= {word: found.get(word, frozenset()) | (words - {word}) for word in words}
    return found


_Set = Annotated[frozenset[str], BeforeValidator(str.split)]
_Meanings = Annotated[dict[str, str], BeforeValidator(_meanings)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Words(_Part):
    """Words in lower case; none of a language without a table, so that every word counts."""

    empty: _Set = frozenset()
    plain: _Set = frozenset()
    light: _Set = frozenset()
    asking: _Meanings = {}
    nouns: _Meanings = {}
    amounts: _Set = frozenset()
    measures: _Set = frozenset()
    present: _Set = frozenset()
    past: _Set = frozenset()
    agent: _Set = frozenset()
    polar: _Set = frozenset()
    numbers: _Meanings = {}
    opposites: Annotated[dict[str, frozenset[str]], BeforeValidator(_groups)] = {}
    mutual: _Set = frozenset()
    endings: Annotated[tuple[str, ...], BeforeValidator(str.split)] = ()
    irregular: _Meanings = {}
    manner: _Set = frozenset()
    function: _Set = frozenset()
    questions: _Set = frozenset()
    pronouns: _Set = frozenset()


class Pages(_Part):
    """Patterns of text that is not content."""

    contents: str
    divisions: str
    references: str
    consulted: str
    stock: tuple[str, ...]
    menu: tuple[str, ...]


class Leaning(_Part):
    """Patterns of queries that lean on a text that their reader does not see."""

    nothing: str
    patterns: tuple[str, ...]


class Table(_Part):
    """All that is known of a language."""

    parts: dict[str, str]
    words: Words
    question: dict[str, str]
    pages: Pages
    leaning: Leaning


@lru_cache
def table(language: str) -> Table:
    """The table of one of `LANGUAGES`, its patterns put together."""
    told = tomllib.loads((files("ragset.text.rules") / f"{language}.toml").read_text(encoding="utf-8"))
    return Table.model_validate(_filled(told, told["parts"]))


def small_words(language: str) -> Words:
    """The words of a language, by its code ("en", "en-GB")."""
    known = language.lower().split("-")[0]
    return table(known).words if known in LANGUAGES else _NO_WORDS


def _filled(value: Any, parts: dict[str, str]) -> Any:
    if isinstance(value, str):
        filled = re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], value)
        return filled if filled == value else _filled(filled, parts)
    if isinstance(value, dict):
        return {name: _filled(part, parts) for name, part in cast("dict[str, Any]", value).items()}
    return [_filled(part, parts) for part in value]


_NO_WORDS = Words()
# The small words that prose has, and lists have not.
FUNCTION_WORDS = frozenset[str]().union(*(table(language).words.function for language in LANGUAGES))


class Rules:
    """The patterns of [question] in the table of a language, compiled."""

    def __init__(self, language: str) -> None:
        g = table(language).question
        edge = r"(?P<mark>[,;:.!?)]|\s[–—-]+)?"
        starts = rf"(?:{edge}\s+(?P<join>(?:{g['joins']})\s+)|[,;.?]\s+|\s[–—-]+\s)"
        leads, polite = g["leads"], g["polite"]
        self.asks = _pattern(rf"(?<![\w'-])(?:{g['asks']})(?![\w-])")
        self.before = _pattern(
            rf"(?:^|(?:{edge}\s+|\()(?P<join>(?:{g['joins']}),?\s+)?)(?P<leads>(?:(?:{leads})(?:\s+|(?<=')|(?<=¿))){{0,3}})$"
        )
        self.direct = _pattern(g["direct"])
        self.relative = _pattern(rf"(?:{g['relative']})\b")
        self.dependent = _pattern(rf"(?:{g['dependent']})\b")
        self.adverbial = _pattern(rf"(?:{g['adverbial']})\b")
        self.after_verb = _pattern(rf"\b(?:{g['after_verb']})$")
        self.fill = _pattern(rf"(?:{g['fill']}|{leads}|{g['asks']})")
        self.tail = _pattern(rf"\W*(?:(?:{g['tail']})\b\W*)?$")
        self.polar = _pattern(rf"{starts}(?:(?:{leads})\s+){{0,2}}(?:{g['polar']})")
        self.opens_polar = _pattern(g["opens_polar"])
        self.opens_order = _pattern(rf"(?:(?:{polite})\s+)*+(?:{g['orders']})\s*(?:(?:{polite})\b\s*)*+,?\s*")
        self.order = _pattern(rf"{starts}(?:(?:{leads}|{polite})\s+){{0,2}}(?:{g['orders']})")
        self.verb = _pattern(rf"\b(?:{g['verb']})\b" if g["verb"] else "")


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


rules_of = cache(Rules)
