"""The two sides of a query that sets one thing against another, and whether a sentence states one of them."""

import re
from typing import NamedTuple

from ragset.generation.offline.clause import parse
from ragset.generation.offline.substance import content

_FORMS = tuple(
    (need, re.compile(pattern))
    for need, pattern in (
        ("subject", r"How (?:do|does) (?P<one>.+) differ from (?P<other>.+)\?"),
        ("number", r"How (?:do|does) the [a-z ]+? of (?P<one>.+) compare with that of (?P<other>.+)\?"),
        ("date", r"(?:Did|Was|Were) (?P<one>.+) before (?P<other>.+)\?"),
        ("date", r"(?:How|About how) many years after (?P<one>.+) (?:did|was|were) (?P<other>.+)\?"),
        ("date", r"Which came first, (?P<one>.+) or (?P<other>.+)\?"),
        ("words", r"What do (?P<one>.+) and (?P<other>.+) each have to do with (?P<both>.+)\?"),
        ("words", r"What (?:do|does) (?P<one>.+) have to do with (?P<both>.+)\?"),
    )
)
_DATE = re.compile(r"(?<![\d,.])\d{3,4}(?!\d|,\d|%)|\bcentury\b|\b\d+ (?:BC|AD)\b")
_NUMBER = re.compile(r"\d|\b(?:half|quarter|one|two|three|four|five|six|seven|eight|nine|ten) ")


class Side(NamedTuple):
    """What a sentence must speak of, and what it must say of it."""

    words: frozenset[str]
    need: str
    """`subject` (it is what the sentence is about), `number`, `date`, or `words` (nothing more)."""

    def is_stated(self, sentence: str, chunk: str) -> bool:
        """By a sentence of `chunk`, whatever its words beside those of the side."""
        if not self.words or not self.words <= set(content(sentence)):
            return False
        if self.need == "subject":
            clause = parse(sentence, chunk)
            return clause is not None and frozenset(content(clause.subject)) == self.words
        pattern = {"number": _NUMBER, "date": _DATE}.get(self.need)
        return pattern is None or pattern.search(sentence) is not None


def sides(query: str) -> tuple[Side, ...]:
    """Of a comparison, an order or a tie; () of any other query. A tie of two things has one: a sentence with both."""
    for need, form in _FORMS:
        found = form.fullmatch(query)
        if found:
            parts = found.groupdict()
            both = content(parts.get("both") or "")
            asked = [parts[name] for name in ("one", "other") if parts.get(name)]
            return tuple(Side(frozenset([*content(side), *both]), need) for side in asked)
    return ()
