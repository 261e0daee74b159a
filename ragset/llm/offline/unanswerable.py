"""Queries that a passage nearly answers: a question of its own with one thing changed, or the next thing one would ask."""

import re
import zlib
from collections.abc import Iterator

from ragset.llm.offline.candidates import candidates
from ragset.llm.offline.verbs import PARTICIPLE
from ragset.replies import NearMiss
from ragset.rules.leaning import leans

_YEAR = re.compile(r"(?<= in )(?:(?:January|February|March|April|May|June|July|August|September|October|November|December) )?"
                   r"(?P<year>1[4-9]\d\d|20[01]\d)(?=\?)")  # fmt: skip
_YEARS_ON = (3, 4, 6, 7, 9, 11)
_LAST = 2019
_DATED = frozenset({"object", "number", "who", "where"})
"""Kinds of questions that may be asked of another year just as well; what happened "why" in a year did not in another."""

_MADE = r"(?:built|constructed|erected|installed|rebuilt)"
_BUILT = re.compile(
    rf"When (?:was|were) (?P<thing>.{{4,60}}?) (?P<made>{_MADE})(?P<tail>(?: (?:in|at|on|by) [^?]+)?)\?"
)
_BUILDER = re.compile(
    r"(?:When|Where|Why) did (?P<who>.{3,50}?) (?P<make>build|construct|erect|install|rebuild) (?P<thing>[^?]{4,60})\?"
)
_PAID = re.compile(
    r"[£$€¥]|\b(?:cost|costs|costing|price|paid|pay|expens\w+|pounds?|dollars?|guineas?|francs?)\b", re.IGNORECASE
)
_DEFINED = re.compile(r"What (?:is|are) (?:an? )?(?P<term>(?!the |an? )[a-z][\w-]*(?: [\w-]+){1,2})\?")
"""A term of one word is too common for anyone to have coined it, and "the" oldest of a kind is no term."""
_COINED = re.compile(r"\b(?:coin\w*|term|named? (?:after|by|for)|called .{0,40}? by|word|name)\b", re.IGNORECASE)


def draft_unanswerable(chunk: str) -> NearMiss:
    """The first near miss that the passage lends itself to."""
    for query, reason, missing in _near_misses(chunk):
        if leans(query) is None:
            return NearMiss(reason=f"By rule: {reason}.", query=query, missing=missing)
    return NearMiss(reason="By rule: no question of this passage can be turned.", query=None, missing="")


def _near_misses(chunk: str) -> Iterator[tuple[str, str, str]]:
    """Query, reason and what is missing: another year first, since it stays closest."""
    found = sorted(candidates(chunk), key=lambda one: -one.question.score)
    for one in found:
        dated = _YEAR.search(one.question.text) if one.question.kind in _DATED else None
        if dated:
            year = _other_year(int(dated["year"]), one.question.text, chunk)
            if year:
                query = one.question.text[: dated.start("year")] + f"{year}?"
                yield query, f"{dated['year']} is told of, and {year} is not", f"what happened in {year}"
    for one in found:
        text = one.question.text
        built, builder = _BUILT.fullmatch(text), _BUILDER.fullmatch(text)
        if built and not _PAID.search(chunk):
            thing, base = built["thing"], PARTICIPLE.get(built["made"], built["made"])
            yield f"How much did it cost to {base} {thing}{built['tail']}?", "it says when, and no price", "the price"
        elif builder and not _PAID.search(chunk):
            query = f"How much did it cost {builder['who']} to {builder['make']} {builder['thing']}?"
            yield query, "it says who, and no price", "the price"
    for one in found:
        defined = _DEFINED.fullmatch(one.question.text) if one.question.kind == "definition" else None
        if defined and not _COINED.search(chunk):
            yield (
                f'Who coined the term "{defined["term"]}"?',
                "it defines the term, and not who coined it",
                "who coined the term",
            )


def _other_year(year: int, query: str, chunk: str) -> int | None:
    """One that the passage does not name, nor any close to it that it does."""
    first = zlib.crc32(query.encode()) % len(_YEARS_ON)
    for on in (*_YEARS_ON[first:], *_YEARS_ON[:first]):
        for other in (year + on, year - on):
            if other <= _LAST and str(other) not in chunk:
                return other
    return None
