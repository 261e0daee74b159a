"""Queries that lead over a person: described by one chunk, asked about from another."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragset.generation.offline.candidates import Candidate, candidates, told
from ragset.generation.offline.clause import parse
from ragset.generation.offline.contrasts import measures
from ragset.generation.offline.events import events
from ragset.generation.offline.joined import Joined, place_holders
from ragset.generation.offline.nouns import VAGUE
from ragset.generation.offline.phrase import tail_fits
from ragset.generation.offline.question import is_clean_tail, is_sound
from ragset.generation.offline.text import NAME_TITLES, Sentence
from ragset.text.rules.boilerplate import FUNCTION_WORDS

_NAME = re.compile(r"[A-ZÀ-Þ][\w.'’-]*(?: (?:[A-ZÀ-Þ][\w.'’-]*|de|von|van|der|da|di|al|ibn))* ?[A-ZÀ-Þ][\w'’-]*")
_NO_PERSON = re.compile(
    r"\b(?:University|Company|Corporation|Council|Party|Church|College|School|Act|League|Army|Empire|Dynasty|Railway|Navy|Board"
    r"|Conference|Republic|Office|Observatory|Laborator\w+|Institute|Society|Academy|Museum|House|City|County|Kingdom|States?"
    r"|Parliament|Congress|Senate|Court|Committee|Commission|Union|Bank|Press|Group|Club|Team|Band|Records|Street|Bridge|River"
    r"|Lake|Mount|Island|Islands|Sea|Ocean|Bay|Valley|Park|Station|Airport|War|Treaty|Protocol|Service|Royal|North|South|East"
    r"|West|New|Great|Saint|San|Los|Clock|Cathedral|Castle|Palace|Temple|Fleet|Times|Journal|Association|Foundation|Agency"
    r"|Department|Ministry|Government|Bureau|Force|Forces|Guard|Police|Games|Cup|Prize|Award|Day|Time)\b"
)
_PRONOUN = re.compile(r"\b(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er)\b")
_PERSONAL = frozenset(
    """invent discover write design build develop introduce propose publish paint compose patent construct found create
    establish formulate devise demonstrate marry die study teach serve translate edit calculate observe notice describe
    prove win remove replace improve suggest argue claim conquer defeat appoint ordain lead command reject""".split()  # noqa: SIM905
)


class Described(NamedTuple):
    """A person with what one chunk alone says of them: `the person who invented the pendulum clock`."""

    name: str
    phrase: str
    evidence: tuple[Sentence, ...]
    answer: str


def is_person(name: str, chunk: str) -> bool:
    """Two names or more, of nothing that has an article or a house of its own."""
    words = name.split()
    return (
        2 <= len(words) <= 4
        and words[0] not in NAME_TITLES
        and _NAME.fullmatch(name) is not None
        and _NO_PERSON.search(name) is None
        and not any(word.isupper() and len(word) > 2 for word in words)
        and not any(word.lower() in VAGUE for word in words)
        and re.search(rf"\b[Tt]he {re.escape(name)}\b", chunk) is None
    )


@lru_cache(maxsize=64)
def described(chunk: str) -> tuple[Described, ...]:
    """The people whom `chunk` says a particular thing of."""
    found: list[Described] = []
    for candidate in candidates(chunk):
        question = candidate.question
        by = re.fullmatch(r"Who (?P<did>(?!is\b|are\b|was\b|were\b)[a-z]+ .*)\?", question.text)
        if by and is_person(question.answer, chunk):
            found.append(
                Described(question.answer, f"the person who {by['did']}", candidate.evidence, candidate.answer)
            )
    for text, evidence in told(chunk):
        clause = parse(text, chunk)
        if clause is None or clause.kind != "past" or clause.because or not is_person(clause.subject, chunk):
            continue
        if clause.base not in _PERSONAL and not _PRONOUN.search(chunk):
            continue
        tail = re.split(r"[,;:]| (?:and|but|which|who|that|because|after|before|when) ", clause.rest, maxsplit=1)[0]
        sound = tail_fits(tail) and len(tail.split()) >= 2 and is_clean_tail(clause, tail)
        if sound and is_sound(f"Who {clause.verb} {tail}?"):
            found.append(Described(clause.subject, f"the person who {clause.verb} {tail}", evidence, text))
    return tuple(found)


def bridged(first: str, second: str) -> Iterator[Joined]:
    """Queries like `How did the person who invented the pendulum clock try to abolish circular error?`."""
    for person in described(first):
        for candidate in candidates(second):
            query = _led_over(person, candidate, second)
            if query and is_sound_long(query):
                yield Joined(
                    shape="bridge",
                    query=query,
                    parts=place_holders(person.evidence, candidate.evidence),
                    answer=f"{person.answer} {candidate.answer}",
                    score=5.0 + 0.1 * candidate.question.score,
                    why="one says who it was, the other what else is known of them",
                )


def owned(first: str, second: str) -> Iterator[Joined]:
    """Queries like `How accurate were the clocks of the person who made the first fly press?`."""
    for person in described(first):
        surname = person.name.split()[-1]
        if not _only_this_one(surname, person.name, second):
            continue
        for asked in _of_owner(
            re.compile(rf"(?:{re.escape(person.name)}|{re.escape(surname)})['’]s? (?P<thing>[a-z].*)"), second
        ):
            query = asked.question.format(person.phrase)
            if asked.answer != person.answer and is_sound_long(query):
                yield Joined(
                    shape="bridge",
                    query=query,
                    parts=place_holders(person.evidence, asked.evidence),
                    answer=f"{person.answer} {asked.answer}",
                    score=5.0,
                    why="one says who it was, the other what is known of something of theirs",
                )


class _Asked(NamedTuple):
    question: str
    """With a place for the person."""
    evidence: tuple[Sentence, ...]
    answer: str


def _of_owner(owner: re.Pattern[str], chunk: str) -> Iterator[_Asked]:
    """What can be asked of things that are known by their owner: how accurate they were, when they were made."""
    for measure in measures(chunk):
        found = owner.fullmatch(measure.subject)
        if found and measure.aspect == "accuracy":
            be = {(False, False): "is", (False, True): "was", (True, False): "are", (True, True): "were"}
            verb = be[measure.plural, measure.past]
            yield _Asked(f"How accurate {verb} the {found['thing']} of {{}}?", measure.evidence, measure.answer)
    for event in events(chunk):
        found = owner.fullmatch(event.subject)
        if found and event.asked.count(event.subject) == 1:
            asked = event.asked.replace(event.subject, f"the {found['thing']} of {{}}")
            yield _Asked(f"When {asked}?", event.evidence, event.answer)


def _led_over(person: Described, candidate: Candidate, chunk: str) -> str | None:
    question, name = candidate.question.text, person.name
    surname = name.split()[-1]
    known = name if name in question else surname if _only_this_one(surname, name, chunk) else None
    if known is None or candidate.answer == person.answer or question.startswith(("Who is", "Who was")):
        return None
    pattern = re.compile(rf"(?<![\w'’-] [A-Z])\b{re.escape(known)}\b(?!['’]s| [A-Z])")
    if len(pattern.findall(question)) != 1 or re.search(rf"\b[A-Z][\w.]* {re.escape(known)}\b", question[6:]):
        return None
    asked = {word.lower() for word in question.split()}
    described_by = {word.lower() for word in person.phrase.split() if len(word) > 4} - {"person"}
    # "When did the person who invented it invent it?" goes nowhere.
    if len(described_by & asked) > 0.6 * max(1, len(described_by)):
        return None
    return pattern.sub(lambda _: person.phrase, question)


def _only_this_one(surname: str, name: str, chunk: str) -> bool:
    """No other first name stands before it in the chunk."""
    own = {*name.split()[:-1], *NAME_TITLES}
    return len(surname) > 3 and all(
        found in own or not found[:1].isupper() or found.lower() in FUNCTION_WORDS
        for found in re.findall(rf"([\w.'’-]+) {re.escape(surname)}\b", chunk)
    )


def is_sound_long(query: str) -> bool:
    """Fits the eye at one go."""
    return len(query.split()) <= 24 and query.count(" who ") < 2
