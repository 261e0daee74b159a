"""What happened when: the dated events of a chunk, each as a statement and as a question."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragset.generation.offline.candidates import Candidate, candidates, told
from ragset.generation.offline.clause import Clause, clauses, parse
from ragset.generation.offline.dates import Stretch, stretch
from ragset.generation.offline.facts import ALONE, at_date
from ragset.generation.offline.nouns import VAGUE, in_sentence, standing
from ragset.generation.offline.opening import DATE
from ragset.generation.offline.prose import plain
from ragset.generation.offline.question import is_clean_tail, is_sound
from ragset.generation.offline.substance import content
from ragset.generation.offline.text import Sentence, tidy
from ragset.generation.offline.verbs import BE, is_finite, is_participle


class Event(NamedTuple):
    """`the great clock of Westminster started on 31 May 1859`."""

    asked: str
    """`did the great clock of Westminster start`."""
    stated: str
    """`the great clock of Westminster started`."""
    subject: str
    named: bool
    """The subject is a name."""
    active: bool
    date: str
    """With its preposition: `on 31 May 1859`."""
    when: Stretch
    evidence: tuple[Sentence, ...]
    answer: str


_WHEN = re.compile(
    rf"(?:^| )(?:only )?(?P<date>(?:in|on|about|around|circa|at the (?:end|beginning) of) (?:about |around )?{DATE})"
    r"(?! (?:that|and \d|to \d|or \d)\b|–|-)"
)
_INSERTED = re.compile(
    rf"(?P<subject>[A-Z][^,;:]{{1,60}}), (?:(?:the|an?) [^,;:]{{2,40}}, |an? [^,;:]{{2,50}} )?"
    rf"(?P<done>[a-z]+ed|built|made|written|begun|found|held|set)"
    rf"(?P<tail>(?: [^,;:]{{1,60}}?)?) (?P<date>(?:in|on|about|around) {DATE})(?:,| by )"
)
_NEGATIVE = re.compile(r"\b(?:not|no|never|none|nor|neither|hardly)\b")
_FULL = re.compile(r"\d{3}|century|\d (?:BC|AD)")
_PLACED = re.compile(
    r"\b[Tt]he (?:[a-z][\w'’-]* ){1,8}?(?:in|at|of|on|from) (?:the )?[A-Z][\w'’-]*(?: (?:of (?:the )?)?[A-Z][\w'’-]*)*"
)


def names_its_subject(question: str) -> bool:
    """Sound, and "the clock in Salisbury Cathedral" is as good as a name."""
    return is_sound(_PLACED.sub("Something", question))


@lru_cache(maxsize=64)
def events(chunk: str) -> tuple[Event, ...]:
    """In the order of the text, each once."""
    found: dict[str, Event] = {}
    for text, evidence in told(chunk):
        for clause in clauses(text, chunk):
            event = _of_clause(clause, evidence, text)
            if event:
                event = _created(event, clause) or event
                found.setdefault(event.stated, event)
        for event in (*_inserted(text, evidence, chunk), *_dated_thing(text, evidence, chunk)):
            found.setdefault(event.stated, event)
    known = {event.answer for event in found.values()}
    for candidate in candidates(chunk):
        event = _of_question(candidate)
        if event and event.answer not in known:
            found.setdefault(event.stated, event)
    return tuple(
        event
        for event in found.values()
        if names_its_subject(f"When {event.asked}?") and not event.subject.startswith(("a ", "an "))
    )


def proper(subject: str) -> str:
    """`network Time Security` → `Network Time Security`."""
    first, _, rest = subject.partition(" ")
    name = rest.split(" ")[0]
    keeps = first not in {"the", "a", "an"} and len(name) > 1 and name[0].isupper() and name[1:].islower()
    return f"{first[0].upper()}{first[1:]} {rest}" if keeps else subject


def _of_clause(clause: Clause, evidence: tuple[Sentence, ...], answer: str) -> Event | None:
    if not clause.past or clause.because or clause.also or clause.verb in {"had", "would", "could", "did"}:
        return None
    found = _WHEN.search(clause.rest)
    if clause.date:
        tail = re.split(r",(?!\d)|[;:]", clause.rest, maxsplit=1)[0].strip()
        date = at_date(clause.date)
        # What follows an "and" has a verb of its own, or may have.
        if re.search(r" (?:and|but|which|who|while|where|when|after|before|because|so) ", tail):
            return None
    elif found:
        tail, date = clause.rest[: found.start()].strip(), tidy(found["date"])
    else:
        return None
    when = stretch(date)
    if when is None or not _FULL.search(date) or _NEGATIVE.search(tail) or _WHEN.search(tail):
        return None
    passive = clause.verb in BE
    if passive and not any(is_participle(word) for word in tail.split()[:2]):
        return None
    if not is_clean_tail(clause, tail, bare=clause.kind == "past" and clause.base in ALONE):
        return None
    if re.search(r"\b(?:in|on|about|of) \d{4}\b", f"{clause.subject} {tail}"):
        return None
    # A heading that ran into the sentence says half of it twice.
    if len(set(content(clause.subject)) & set(content(tail))) > 1:
        return None
    subject = proper(clause.subject)
    tail, clause = f"{tail} {clause.place}".strip(), clause._replace(subject=subject)
    return Event(
        asked=clause.ask("", tail)[:-1],
        stated=clause.tell("", tail),
        subject=subject,
        named=clause.standing >= 3,
        active=clause.kind == "past",
        date=date,
        when=when,
        evidence=evidence,
        answer=answer,
    )


_CREATED = re.compile(
    r"(?P<made>built|invented|made|founded|established|launched|introduced|opened|published|released|developed|designed|patented"
    r"|composed|completed) (?P<thing>the (?:first )?[\w' -]+?)(?= (?:at|in|for|with|from|on|near) |$)"
)


def _created(event: Event, clause: Clause) -> Event | None:
    """`Warren Marrison built the first quartz clock`: what was built, which is a thing with a date of its own."""
    found = _CREATED.match(event.stated.removeprefix(f"{event.subject} "))
    if found is None or clause.kind != "past" or found["thing"].split()[-1] in VAGUE:
        return None
    thing, made = found["thing"], found["made"]
    first_or_named = thing.startswith("the first ") or any(word[0].isupper() for word in thing.split())
    if not first_or_named or thing.endswith("s") or " and " in thing:
        return None
    where = event.stated.removeprefix(f"{event.subject} ")[found.end() :]
    asked, stated = f"was {thing} {made}{where}", f"{thing} was {made}{where}"
    return event._replace(asked=asked, stated=stated, subject=thing, active=False)


def _of_question(candidate: Candidate) -> Event | None:
    """What a question for the date asks about."""
    question = candidate.question
    date = question.answer[:1].lower() + question.answer[1:]
    when = stretch(date)
    if question.kind != "when" or when is None or not question.indirect.startswith("when "):
        return None
    if _NEGATIVE.search(question.text):
        return None
    asked, stated = question.text.removeprefix("When ").rstrip("?"), question.indirect.removeprefix("when ")
    return Event(asked, stated, stated, named=False, active=False, date=date, when=when,
                 evidence=candidate.evidence, answer=candidate.answer)  # fmt: skip


def _inserted(text: str, evidence: tuple[Sentence, ...], chunk: str) -> Iterator[Event]:
    """`The lever escapement, invented by Thomas Mudge about 1755, lets …`."""
    found = _INSERTED.match(plain(text))
    if found is None or not is_participle(found["done"]) or any(map(is_finite, found["subject"].split())):
        return
    tokens, tail = found["subject"].split(), f"{found['done']}{found['tail']}"
    rank, when = standing(tokens, chunk, past=True), stretch(found["date"])
    plural = tokens[-1].endswith("s") and not tokens[-1].endswith(("ss", "us", "is"))
    if not rank or when is None or not _FULL.search(found["date"]) or re.search(r"[,;:]|\b(?:in|of) \d{4}", tail):
        return
    if re.search(r" (?:it|them|which|that|and|or|for|to)$| (?:it|them|which|that|its|his)\b", tail) or plural:
        return
    shown = proper(in_sentence(tokens, chunk))
    yield Event(
        asked=f"was {shown} {tail}", stated=f"{shown} was {tail}", subject=shown, named=rank >= 3, active=False,
        date=tidy(found["date"]), when=when, evidence=evidence, answer=text,
    )  # fmt: skip


_OF_YEAR = re.compile(rf"(?P<thing>[^,;:]{{4,60}}) of (?P<year>{DATE})")
_FROM = re.compile(rf"from (?P<date>(?:about |around )?{DATE})(?=[,;:]|$| (?:and|but)\b)")


def _dated_thing(text: str, evidence: tuple[Sentence, ...], chunk: str) -> Iterator[Event]:
    """`The clock in Wells dates from 1390`; `Harrison's gridiron of 1726 hangs …`."""
    clause = parse(text, chunk)
    if clause is None or clause.standing < 3 or clause.plural:
        return
    made = _FROM.match(clause.rest) if clause.base == "date" else None
    of_year = _OF_YEAR.fullmatch(clause.subject)
    if made:
        subject, done, date = proper(clause.subject), "made", f"in {made['date']}"
    elif of_year and re.search(r"['’]s? [a-z]|^the [A-Z]\w+ [a-z]+$", of_year["thing"]):
        subject, done, date = proper(of_year["thing"]), "introduced", f"in {of_year['year']}"
    else:
        return
    when = stretch(date)
    head = subject.split()[-1]
    if when is None or (done == "introduced" and (not head.islower() or head in VAGUE | _HAPPENINGS)):
        return
    yield Event(
        asked=f"was {subject} {done}", stated=f"{subject} was {done}", subject=subject, named=True, active=False,
        date=tidy(date), when=when, evidence=evidence, answer=text,
    )  # fmt: skip


_HAPPENINGS = frozenset(
    """revolution revolt uprising rebellion invasion depression earthquake flood storm hurricane plague famine census victory
    riot strike massacre siege truce armistice marriage birth speech letter trial decree""".split()  # noqa: SIM905
)
"""What is of a year without having been introduced."""
