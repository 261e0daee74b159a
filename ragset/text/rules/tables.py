"""The words and patterns of each language, from `en.toml` and its like: a language more is a file more."""

import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from pydantic import BaseModel, ConfigDict

from ragset.text.rules import LANGUAGES


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Words(_Part):
    """Words in lower case with spaces between; `a=b` gives one a meaning."""

    empty: str
    """Say nothing about what is asked: articles, auxiliaries, most prepositions, forms of politeness."""
    plain: str
    """Of these, articles and forms of "be"."""
    light: str
    """So general that two queries hardly differ by them alone: "take" and "need", "main", "process"."""
    asking: str
    """Words of question, and what each asks for; nothing where the noun after it says so."""
    nouns: str
    """Nouns that say what a question asks for: "in what year", "the reason for"."""
    amounts: str
    """After "how": many, much."""
    measures: str
    """After "how": long, far, old."""
    present: str
    past: str
    agent: str
    """Before whoever did it in the passive voice."""
    polar: str
    """Open a question for yes or no."""
    numbers: str
    """Numerals as digits; `other`, which singles out as they do, and `not`."""
    opposites: str
    """Groups, `open/close`, of words that stand in each other's place and mean something else."""
    mutual: str
    """Beginnings of words that take two things in either order: differ, between."""
    endings: str
    """Of inflection, longest first."""
    irregular: str
    """Forms of the commonest irregular verbs."""
    manner: str
    """Belong to how people ask, and to no subject: order, comparison, place, time, haste, politeness."""
    function: str
    """The small words that prose is held together by, and lists are not."""
    questions: str
    """Words of asking, which name nothing."""
    pronouns: str
    """Forms that are seldom anything else."""


class Question(_Part):
    """How a language asks."""

    asks: str
    """Words of question."""
    joins: str
    """What connects one clause to the next."""
    leads: str
    """What may stand before a word of question, such as a preposition."""
    direct: str
    """A question word and what follows when the clause cannot be a subordinate one: inversion, in most languages."""
    relative: str
    """Words of question that open relative clauses too."""
    dependent: str
    """Words of question that open a subordinate clause after a comma."""
    adverbial: str
    """Words of question that open adverbial clauses too ("when it rains")."""
    after_verb: str
    """What precedes a word of question that is asked, though within another sentence."""
    fill: str
    """Words that make no clause out of a word of question."""
    tail: str
    """What may follow a word of question that stands for a whole question: "and when exactly?"."""
    polar: str
    """The opening of a question without a word of question."""
    opens_polar: str
    """The same at the beginning of a query, where less is needed."""
    subordinate: str
    """The opening of a clause that precedes what it belongs to."""
    orders: str
    """Demands that stand for a question."""
    free_orders: str
    """Demands that are not anything else, even after a question."""
    polite: str
    """What may stand before a demand and between it and its question."""
    pairs: str
    """Words that take two things together."""
    verb: str
    """What every question has that opens with a preposition; nothing if that is not known."""
    alternative: str
    """What opens the other side of an either-or."""
    named: str
    """Clauses that are names of things ("what Keynes called animal spirits")."""


class Pages(_Part):
    """What marks text that is not content."""

    contents: str
    divisions: str
    references: str
    consulted: str
    stock: tuple[str, ...]
    """What only a page itself says."""
    menu: tuple[str, ...]
    """What stands in menus and imprints, and in prose as well."""


class Leaning(_Part):
    """Wordings with which a query leans on a text that its reader does not see.

    They are written for precision: a phrase that goes on to say which text is meant ("the text of the treaty", "the
    report by the coroner") does not lean.
    """

    nothing: str
    """Where a pronoun stands for nothing, or for a clause that follows: "How long does it take to …"."""
    patterns: tuple[str, ...]
    """The part called `shown` is the phrase, where it is not the whole match."""


class Table(_Part):
    """All that is known of a language."""

    parts: dict[str, str]
    """What `{{name}}` stands for in patterns."""
    words: Words
    question: Question
    pages: Pages
    leaning: Leaning


@lru_cache
def table(language: str) -> Table:
    """Of one of `LANGUAGES`, its patterns put together."""
    told = tomllib.loads((files("ragset.text.rules") / f"{language}.toml").read_text(encoding="utf-8"))
    return Table.model_validate(_filled(told, told["parts"]))


def _filled(value: Any, parts: dict[str, str]) -> Any:
    """With the parts in their places."""
    if isinstance(value, str):
        filled = re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], value)
        return filled if filled == value else _filled(filled, parts)
    if isinstance(value, dict):
        return {name: _filled(part, parts) for name, part in cast("dict[str, Any]", value).items()}
    return [_filled(part, parts) for part in value]


def pattern(text: str) -> re.Pattern[str]:
    """Ready, without regard to case."""
    return re.compile(text, re.IGNORECASE)


def words_of_all(name: str) -> frozenset[str]:
    """The words of that name in every language."""
    return frozenset(word for language in LANGUAGES for word in getattr(table(language).words, name).split())


def either(patterns: Iterable[str]) -> str:
    """One of several patterns."""
    return "|".join(patterns)
