"""What a pattern finds in a sentence: a question, and the checks that keep it plain."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ragset.generation.offline.clause import Clause
from ragset.generation.offline.nouns import VAGUE, is_unique
from ragset.generation.offline.phrase import tail_fits
from ragset.generation.offline.verbs import BASES, PARTICIPLE, PAST, PAST_BY_BASE, SINGULAR, is_finite, is_participle


class Question(NamedTuple):
    """A question with the wording it takes after "Explain" or "State", and how good it is."""

    kind: str
    """`why`, `how`, `effect`, `condition`, `comparison`, `definition`, `what`, `when`, `who`, `where`, `number`,
    `object`."""
    text: str
    indirect: str
    score: float
    answer: str = ""
    """The short answer, where the pattern knows it."""


def asked(kind: str, clause: Clause, wh: str, tail: str, score: float, answer: str = "") -> Question:
    """The question that `clause` becomes with `wh` in front and `tail` after the verb."""
    lower = wh[0].lower() + wh[1:]
    answer = answer[:1].upper() + answer[1:]
    return Question(kind, clause.ask(wh, tail), clause.tell(lower, tail), score, answer)


def stated(kind: str, text: str, score: float, answer: str = "") -> Question:
    """A question that keeps the order of a statement: `Who invented X`."""
    return Question(kind, text + "?", text[0].lower() + text[1:], score, answer[:1].upper() + answer[1:])


def posed(kind: str, text: str, order: str, score: float, answer: str = "") -> Question:
    """A question that exams keep as it is, behind an imperative: `Explica: ¿Qué es …?`."""
    return Question(kind, text, f"{order}: {text}", score, answer[:1].upper() + answer[1:])


_VAGUE_PHRASE = re.compile(
    r"\b[Tt]he (?:two |three |first |second |other |new |main |only |whole |next |last )?([a-z]+)(?=[ ?]|$)"
    r"(?! (?:of|for|in|between|to) )"
)
_PAST = re.compile(r"\b(?:did|was|were|had)\b")
_SINGLE = re.compile(r"\b[Tt]he (?P<noun>[a-z][a-z-]+)(?=\?| (?P<next>[\w'’-]+))")
_COMPOUND = re.compile(r"\b[Tt]he (?P<first>[a-z-]+) (?P<noun>[a-z]+)(?=\?| (?P<next>[\w'’-]+))")
_PART = re.compile(
    r"\b[Tt]he [a-z]+ of (?:the )?(?P<whole>[a-z]+)(?=\?$| (?:in|on|at|by|for|with|from|to|and|as|is|are)\b)"
)
_KNOWN_KINDS = frozenset(
    ["theory", "system", "language", "engine", "machine", "process", "method", "movement", "industry"]
)
"""Heads that a word before them makes a kind of, as in "the metric system"."""
_SMALL = frozenset("in on at by for with from to into and or as than not so that be been use made used".split())  # noqa: SIM905
_ODD = re.compile(
    r"[\"“”\[\]()<>|*_=#]|\s'|\.\.|\b(?:we|our|us|theirs|now)\b"
    r"|\b(?:years?|days?|months?|weeks?|decades?|hours?|centuries) (?:later|earlier|before|after)\b"
    r"|\b(?:his|her|its|their) (?:next|other|new|later|second|third|final)\b"
)


def is_sound(text: str) -> bool:
    """One line of plain words that names no single thing by a word like "the device"."""
    if not 3 <= len(text.split()) <= 20 or _ODD.search(text):
        return False
    for found in _VAGUE_PHRASE.finditer(text):
        if found[1] not in VAGUE:
            continue
        following = text[found.end() :].rstrip("?").split()
        supported = re.search(r"\b(?:did|does|do) $", text[: found.start()]) is not None
        if not following or (
            following[0].islower()
            and (following[0] in _SMALL or is_finite(following[0]) or (supported and following[0] in BASES))
        ):
            return False
    return not _is_one_untold(text)


def _is_one_untold(text: str) -> bool:
    """It asks for what happened to one thing ("the zones law"), or how long it is, and the name is not there."""
    told = _PAST.search(text) is not None or any(word in PAST for word in text.split()[1:3])
    single = [found for found in _SINGLE.finditer(text) if _ends_phrase(found["next"]) and not is_unique(found["noun"])]
    if single and (
        told or re.match(r"(?:How (?:long|tall|high|wide|deep|thick|old|many|much)|When|By how much|Where)\b", text)
    ):
        return True
    if re.search(r"[A-Z]", text[1:]) is None:
        part = _PART.search(text)
        if part and (told or re.match(r"What happens\b", text)) and len(text.split()) < 11:
            return True
    return told and any(
        found["noun"] in VAGUE - _KNOWN_KINDS and found["first"] not in _RANKS and _ends_phrase(found["next"])
        for found in _COMPOUND.finditer(text)
    )


def _ends_phrase(following: str | None) -> bool:
    return following is None or (
        following.islower() and (following in _SMALL or following in BASES or is_finite(following))
    )


_RANKS = frozenset("first second third last only oldest largest earliest".split())  # noqa: SIM905


_BARE_DEFINITE = re.compile(
    r"\b[Tt]he [a-z]{2,}(?=\?| (?:in|on|by|at|with|from|to|and|as|like|through|for|is|was|are|were)\b)(?! (?:in|at|by|from|of) (?:the )?[A-Z])"
)


def blemishes(text: str) -> float:
    """What a question loses for length and for things that it speaks of as if they were known ("the groove")."""
    length = len(text.split())
    too_long = 0.1 * (length - 13) if length > 13 else 0.3 if length < 4 else 0.0
    return too_long + 0.8 * len(_BARE_DEFINITE.findall(text))


def tails(rest: str, marker: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Each place of `marker` in `rest`, with what stands before it."""
    for found in re.finditer(marker, rest):
        yield rest[: found.start()].strip(), found


def is_clean_tail(clause: Clause, tail: str, *, bare: bool = False) -> bool:
    """Whether a question can end with `tail`. `bare`: nothing need stand after the verb."""
    if not tail_fits(tail):
        return False
    words = tail.split()
    if not words:
        return bare
    if words[0] in {"and", "or", "that"} or (clause.kind == "past" and len(words) > 1 and is_participle(words[-1])):
        return False
    # After "did" a second verb would keep its past form, and after "is" it would lose its subject.
    for word, following in pairwise(words):
        if word in {"and", "or"} and (
            following in PAST_BY_BASE or following in SINGULAR or (following in PARTICIPLE and clause.kind != "aux")
        ):
            return False
    return not any(is_finite(word) and word not in PARTICIPLE for word in words)
