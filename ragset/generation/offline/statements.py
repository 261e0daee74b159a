"""What is said of a kind of thing, or of a thing by name: statements that two chunks can be compared by."""

import re
from functools import lru_cache
from typing import NamedTuple

from ragset.generation.offline.candidates import told
from ragset.generation.offline.clause import Clause, parse
from ragset.generation.offline.nouns import VAGUE, is_capital
from ragset.generation.offline.substance import content
from ragset.generation.offline.text import Sentence, stem
from ragset.generation.offline.verbs import PARTICIPLE


class Statement(NamedTuple):
    """`a sundial shows the time by the shadow of a fixed edge`."""

    subject: str
    plural: bool
    head: str
    """Stem of the noun that the subject comes down to."""
    words: frozenset[str]
    """Stems of the subject's words."""
    kind: bool
    """Of a kind of thing, not of a thing by name."""
    article: str
    verb: str
    """Base form, where it is no auxiliary."""
    defines: bool
    """Says what it is."""
    genus: str
    """Stem of the noun that it is said to be, where it defines."""
    about: frozenset[str]
    """Stems of what is said of it."""
    core: frozenset[str]
    """Stems of the object, or of what follows the verb at once."""
    evidence: tuple[Sentence, ...]
    answer: str


_SUBJECT = re.compile(r"(?:(?P<article>an?|the) )?(?P<words>[\w'’-]+(?: [\w'’-]+){0,3})")
_INNER = re.compile(r"\b(?:of|in|on|at|for|with|from|and|or|by|to|between|inside|below|above|under)\b")
_OPEN_REST = re.compile(r"(?:not|so|such|this|that|these|it|them|worse|better|simpler|more|less|also)\b")
_DEFINES = re.compile(r"(?:an?|one of|any|the) ")
_LEANING = re.compile(r"\b(?:this|these|those|such|former|latter|other|another)\b")
_RANKED = re.compile(r"\b(?:first|last|next|second|third|usual|same|[a-z]{3,}est)\b")
_SOME = re.compile(r"an? [a-z]+ (?:that|which|of its own)\b")
"""A fault, an advantage: it does not say which."""
_LEAST = 4
"""Words after the verb that say enough."""
_SUBSTANCE = 4
"""Words of substance among them."""


@lru_cache(maxsize=64)
def statements(chunk: str) -> tuple[Statement, ...]:
    """In the order of the text."""
    found = (
        _of_clause(clause, evidence, text)
        for text, evidence in told(chunk)
        if (clause := parse(text, chunk)) is not None
    )
    return tuple(statement for statement in found if statement)


def _of_clause(clause: Clause, evidence: tuple[Sentence, ...], answer: str) -> Statement | None:
    if clause.past or clause.standing < 2 or clause.because or clause.date or clause.place or clause.also:
        return None
    if clause.verb in {"may", "might", "will", "would", "should", "do", "does"}:
        return None
    subject = _SUBJECT.fullmatch(clause.subject)
    if subject is None or _INNER.search(clause.subject) or _RANKED.search(clause.subject):
        return None
    words = subject["words"].split()
    # "The heavier the weights are" has no subject of its own.
    if words[0].endswith("er") and "the" in words[1:]:
        return None
    named = any(is_capital(word) for word in words)
    head = words[-1].lower()
    if head in VAGUE or re.search(r"\d", clause.subject) or (head.endswith(("ly", "ing")) and len(words) == 1):
        return None
    # A smeared clock is no kind of clock.
    if any(word in PARTICIPLE or (word.endswith("ed") and "-" not in word) for word in words[:-1]):
        return None
    # "The round-trip delay" is known by more than one word; "the pendulum" was told of before.
    if subject["article"] == "the" and len(words) < 2:
        return None
    rest = clause.rest.split()
    if clause.base == "have" and _SOME.match(clause.rest):
        return None
    if len(rest) < _LEAST or _OPEN_REST.match(clause.rest) or _LEANING.search(clause.rest):
        return None
    about = frozenset(content(f"{clause.base} {clause.rest}"))
    if len(about) < _SUBSTANCE:
        return None
    return Statement(
        subject=clause.subject,
        plural=clause.plural,
        head=stem(head),
        words=frozenset(content(clause.subject)),
        kind=not named,
        article="a" if subject["article"] in {"a", "an"} else subject["article"] or "",
        verb=clause.base,
        defines=clause.verb in {"is", "are"} and _DEFINES.match(clause.rest) is not None,
        genus=_genus(clause.rest),
        about=about,
        core=frozenset(content(" ".join([clause.base, *re.split(r"[,;:]", clause.rest)[0].split()[:6]]))),
        evidence=evidence,
        answer=answer,
    )


def _genus(rest: str) -> str:
    """Of "a tray of levelled ash" the tray."""
    phrase = re.match(
        r"an? (?P<words>[a-z-]+(?: [a-z-]+){0,3}?)(?=[,;:]|$| (?:of|that|which|in|for|with|used|who|to|on)\b)", rest
    )
    return stem(phrase["words"].split()[-1]) if phrase else ""
