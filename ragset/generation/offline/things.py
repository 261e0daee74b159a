"""Queries that lead over a thing: described by one chunk, asked about from another; and what two things share."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragset.generation.offline.candidates import Candidate, candidates, told
from ragset.generation.offline.clause import Clause, parse
from ragset.generation.offline.joined import Joined, place_holders
from ragset.generation.offline.nouns import VAGUE, is_capital
from ragset.generation.offline.phrase import tail_fits
from ragset.generation.offline.question import is_clean_tail, is_sound
from ragset.generation.offline.substance import content
from ragset.generation.offline.text import Sentence
from ragset.generation.offline.verbs import BE, is_participle

_ARTICLE = re.compile(r"^(?:the|an?) ")
_END = re.compile(r"(?<!\d),|[;:]|,(?!\d)| (?:and|but|which|who|because|so|while|when|where|though|although|as) ")
_WHOLE = re.compile(r"[\w'’-]+(?: [\w'’-]+){1,3}")

_AT = re.compile(
    r"(?P<done>[a-z]+)(?P<tail>(?: [a-z]+){0,3}?) (?P<where>at|in|by) (?P<name>the (?:[A-ZÀ-Þ][\w'’-]+ ){1,3}(?P<head>[a-z]{4,}))"
    r"(?=[,.;:]|$| (?:in|on|and|by|from|of) )"
)


class Thing(NamedTuple):
    """`the lever escapement`, as `the escapement that lets one tooth pass at each tick`."""

    name: str
    phrase: str
    evidence: tuple[Sentence, ...]
    answer: str


@lru_cache(maxsize=64)
def things(chunk: str) -> tuple[Thing, ...]:
    """What `chunk` says a particular thing of, told by its kind and that."""
    found = (
        thing
        for text, evidence in told(chunk)
        if (clause := parse(text, chunk)) is not None
        for thing in (
            _of_clause(clause, evidence, text),
            _of_place(clause, evidence, text),
            _of_rank(clause, evidence, text),
        )
    )
    return tuple(thing for thing in found if thing)


def _of_clause(clause: Clause, evidence: tuple[Sentence, ...], answer: str) -> Thing | None:
    if clause.standing < 2 or clause.because or clause.place or clause.date or clause.plural or clause.also:
        return None
    name = _ARTICLE.sub("", clause.subject)
    head = name.split()[-1]
    if clause.subject == name or not _WHOLE.fullmatch(name) or is_capital(head) or head in VAGUE:
        return None
    if re.search(r" (?:of|in|on|at|for|with) ", name) or clause.verb in {"had", "would", "could", "did", "does"}:
        return None
    tail = _END.split(clause.rest, maxsplit=1)[0]
    if not tail_fits(tail) or not 2 <= len(tail.split()) <= 10 or not is_clean_tail(clause, tail):
        return None
    if clause.verb in BE and re.match(r"(?:an?|the|not|no|more|less|[a-z]+er|so|such)\b", tail):
        return None
    told_by = f"{clause.verb} {tail}"
    if set(content(tail)) & set(content(name)) - set(content(head)) or not is_sound(f"What {told_by}?"):
        return None
    article = "the" if clause.subject.startswith("the ") else "a" if head[0] not in "aeiou" else "an"
    return Thing(clause.subject, f"{article} {head} that {told_by}", evidence, answer)


def _of_place(clause: Clause, evidence: tuple[Sentence, ...], answer: str) -> Thing | None:
    """`The gate was cast at the Ravn foundry`: the foundry at which the gate was cast."""
    found = _AT.match(clause.rest)
    if found is None or clause.verb not in BE or not clause.past or clause.standing < 3 or clause.because:
        return None
    head = found["head"].lower()
    if head in VAGUE or not is_participle(found["done"]) or set(content(clause.subject)) & set(content(found["name"])):
        return None
    phrase = f"the {head} {found['where']} which {clause.subject} {clause.verb} {found['done']}{found['tail']}"
    return Thing(found["name"], phrase, evidence, answer)


_RANK = re.compile(
    r"(?:(?:usually |often |sometimes |widely )?(?:called|known as|considered) )?"
    r"(?P<phrase>the (?:[a-z-]+ )?(?:largest|smallest|oldest|youngest|tallest|longest|highest|deepest|richest|biggest|busiest"
    r"|first|last|only|capital|founder|inventor|author|creator|designer|discoverer|seat|birthplace|home|successor|predecessor)\b.*)"
)


def _of_rank(clause: Clause, evidence: tuple[Sentence, ...], answer: str) -> Thing | None:
    """`Jacksonville is the largest city of Florida`: there is but one, so that it need not be named."""
    found = _RANK.match(clause.rest)
    if found is None or clause.verb not in {"is", "was"} or clause.standing < 3 or clause.because or clause.date:
        return None
    phrase = _END.split(found["phrase"], maxsplit=1)[0].strip()
    # "The first to arrive", "the largest in number" need what was said before.
    if not 4 <= len(phrase.split()) <= 12 or re.search(
        r"\b(?:one|its|his|her|their|this|these|those|such|to)\b|\d", phrase
    ):
        return None
    if not re.search(r" (?:of|in|by) (?:the )?[A-ZÀ-Þ]| in the world$| [A-ZÀ-Þ]\w+$", phrase):
        return None
    if len(set(content(phrase)) & set(content(clause.subject))) > 1:
        return None
    return Thing(clause.subject, phrase, evidence, answer)


def led_over(first: str, second: str) -> Iterator[Joined]:
    """Queries like `Why does a clock that tells time by the even burning of powder need no flame?`."""
    for thing in things(first):
        for candidate in candidates(second):
            query = _put_in(thing, candidate)
            if query:
                yield Joined(
                    shape="bridge",
                    query=query,
                    parts=place_holders(thing.evidence, candidate.evidence),
                    answer=f"{thing.answer} {candidate.answer}",
                    score=3.2 + 0.1 * candidate.question.score,
                    why="one says what it is called, the other what else is known of it",
                )


def _put_in(thing: Thing, candidate: Candidate) -> str | None:
    question = candidate.question.text
    if candidate.question.kind == "definition" or candidate.answer == thing.answer:
        return None
    pattern = re.compile(rf"(?<![\w-]){re.escape(thing.name)}(?![\w'’-]| or )")
    # In "W. Haydon Burns' Jacksonville Story" the name is a part of another.
    part = re.compile(rf"(?<= )(?:[A-Z][\w.'’]*|[\w.]+['’]s?) {re.escape(thing.name)}|{re.escape(thing.name)} [A-Z]")
    if len(pattern.findall(question)) != 1 or part.search(question):
        return None
    query = pattern.sub(lambda _: thing.phrase, question)
    rest = set(content(pattern.sub("", question)))
    if rest & set(content(thing.phrase)) or len(query.split()) > 24:
        return None
    return query
