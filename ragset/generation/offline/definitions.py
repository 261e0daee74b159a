"""What is X, who was X: questions that a definition answers, from either end."""

import re
from collections.abc import Iterator

from ragset.generation.offline.clause import Clause
from ragset.generation.offline.nouns import is_capital, standing
from ragset.generation.offline.phrase import tail_fits
from ragset.generation.offline.prose import plain
from ragset.generation.offline.question import Question, stated
from ragset.generation.offline.text import sentences
from ragset.generation.offline.verbs import BE

ROLE = re.compile(
    r"\b(?:mathematician|physicist|chemist|astronomer|scientist|engineer|inventor|philosopher|theologian|historian"
    r"|geologist|writer|author|poet|novelist|composer|musician|singer|painter|artist|sculptor|architect|actor|actress"
    r"|director|producer|politician|statesman|president|king|queen|emperor|prince|princess|duke|bishop|pope|general|admiral"
    r"|officer|soldier|leader|ruler|economist|clockmaker|watchmaker|craftsman|monk|priest|nun|lawyer|judge|journalist|editor"
    r"|professor|teacher|scholar|footballer|player|coach|quarterback|explorer|navigator|merchant|businessman|entrepreneur"
    r"|founder|polymath|botanist|biologist|doctor|physician|surgeon|governor|minister|senator|chancellor|khan|reformer"
    r"|activist|sailor|carpenter|maker|student|pupil|disciple|missionary|knight|nobleman|warrior|pioneer|commander|chair"
    r"|man|woman|daughter|son|brother|sister)s?$"
)
_INDEFINITE = re.compile(
    r"(?:(?:usually|generally|typically|basically|essentially|simply|often) )?(?:an?|the|one of|any) "
)
_KIND = re.compile(r"(?![a-z]+ed )(?:[a-z-]+ ){1,3}(?:that|which|used|made|designed|built) ")
_EMPTY = re.compile(
    r"the (?:same|case|only|result|reason|most|first|best|last|second|third|[a-z]+th|subject|way|main|[a-z]+est)\b"
    r"|an? (?:result|good|lot|very|few|little|major|success|failure|problem|matter|reaction|example|sign|great|big|key)\b"
    r"|an? (?:[a-z-]+,? ){0,3}(?:member|influence|part|source|supporter|opponent|target|priority|inspiration|hit)\b"
)
_END_OF_HEAD = re.compile(
    r"[,;]| (?:who|which|that|of|from|in|and|to|led|for|with|at|on|by|during|whose|ever|working)\b"
)


def definition(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X is a Y that …`, `The N of X is Z`."""
    rest, subject = clause.rest, clause.subject
    if clause.verb not in BE or clause.date or clause.place or clause.because or clause.also:
        return
    of = subject.startswith("the ") and " of " in subject and not clause.plural
    kind = clause.plural and _KIND.match(rest)
    if not _INDEFINITE.match(rest) and not kind and not (of and rest.startswith("to ")):
        return
    if (
        len(rest.split()) < (2 if of else 5)
        or _EMPTY.match(rest)
        or re.search(r" of (?:that|this|these|those|it|them)\b", rest)
    ):
        return
    head = _END_OF_HEAD.split(re.sub(r"^one of the (?:\w+est )?", "", rest), maxsplit=1)[0]
    names = subject.split()
    personal = is_capital(names[0]) and ROLE.search(head) is not None
    # "A devout Anglican" is said of a person, and does not say who it was.
    if is_capital(names[0]) and not personal and head and is_capital(head.split()[-1]):
        return
    if _is_said_before(clause, chunk):
        return
    if of and re.match(
        r"the (?:efficiency|number|rate|length|size|cost|amount|price|speed|weight|age|height)\b", subject
    ):
        return
    person_like = 2 <= len(names) <= 3 and all(is_capital(word) and word.isalpha() for word in names)
    if not personal and person_like and clause.past:
        return
    if " and " in subject and is_capital(names[0]):
        return
    # A place that is still there was not something once; "What was Iran?" asks for anything.
    if not personal and clause.past and len(names) == 1:
        return
    score = 2.8 if of else 2.4
    if not of and re.match(r"an? ", rest):
        score += 0.5
    if re.search(r" (?:that|which|used|where|who|whose|consisting|designed) ", rest):
        score += 0.3
    if subject.startswith("the ") and not any(is_capital(word) for word in names):
        score -= 0.5
    if rest.startswith("one of"):
        score -= 0.8
    wh = "Who" if personal else "What"
    yield Question("definition", f"{wh} {clause.verb} {subject}?", f"{wh.lower()} {subject} {clause.verb}", score)


def _is_said_before(clause: Clause, chunk: str) -> bool:
    """An earlier sentence says what it is, so that this one says what it is besides."""
    subject = re.escape(re.sub(r"^(?:the|an?) ", "", clause.subject))
    start = re.compile(
        rf"(?:(?:The|An?) )?{subject}\b[^.;]{{0,90}}? (?:is|are|was|were) (?:an?|the|one of|any) ", re.IGNORECASE
    )
    for sentence in sentences(chunk):
        text = plain(sentence.text)
        if clause.rest[:40] in text:
            return False
        if start.match(text):
            return True
    return False


_SUPERLATIVE = re.compile(
    r"the (?:(?:second|third|fourth|fifth|world's|country's|nation's|state's)[- ])?(?:only|first|last|oldest|youngest"
    r"|(?!west|east|rest|forest|interest|guest|test|request)[a-z]{3,}est|most [a-z]+|main [a-z]+|chief [a-z]+|principal [a-z]+|capital) [^,;:]*?"
    r"(?= (?:and|but|which|with|as|because|after|having|aged|at (?:age|the age|just|only|about|around)|by (?:about|around|more|over))\b| (?:at|by) \d|,|;|:|$)"
)


def superlative(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X is the largest city in Y`, asked for X."""
    del chunk
    if clause.verb not in {"is", "was"} or clause.standing < 2 or clause.place or clause.date:
        return
    found = _SUPERLATIVE.match(clause.rest)
    if found is None or not tail_fits(found[0]) or len(found[0].split()) < 4:
        return
    if not re.search(r"[A-Z]", found[0]) and (len(found[0].split()) < 5 or " of " not in found[0]):
        return
    shared = set(clause.subject.split()) & set(found[0].split())
    if shared - {"the", "of", "in"}:
        return
    who = bool(ROLE.search(_END_OF_HEAD.split(found[0], maxsplit=1)[0])) and is_capital(clause.subject)
    yield stated("who", f"{'Who' if who else 'What'} {clause.verb} {found[0]}", 2.3, clause.subject)


_CALLED = re.compile(
    r"(?P<verb>is|are) (?:usually |often |commonly |generally |therefore |also )?(?:called|known as|termed) "
    r"(?P<term>(?:an? )?[a-z-]+(?: [a-z-]+){0,3})(?=,|;|:|$)"
)


def named(text: str, chunk: str) -> Iterator[Question]:
    """`The difference is called circular error`, asked for what that is."""
    text = text.rstrip(".!")
    found = _CALLED.search(text)
    if found is None or found.start() < 40 or re.match(r"(?:He|She|It|They|This|These|That|Such|Those)\b", text):
        return
    term = found["term"]
    if standing(term.split(), chunk, past=False) >= 2 and tail_fits(term) and not term.startswith("so "):
        verb = found["verb"] if term.endswith("s") else "is"
        yield Question("definition", f"What {verb} {term}?", f"what {term} {verb}", 2.9)
