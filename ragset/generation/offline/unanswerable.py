"""Queries that a passage nearly answers: a question of its own with one thing changed, or the next thing one would ask."""

import re
import zlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ragset.generation.offline.agents import MAKING
from ragset.generation.offline.candidates import Candidate, candidates
from ragset.generation.offline.definitions import ROLE
from ragset.generation.offline.substance import content
from ragset.generation.offline.text import sentences
from ragset.generation.offline.verbs import PARTICIPLE, PAST_BY_BASE
from ragset.llm.replies import NearMiss
from ragset.text.rules.passage_references import leans

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
_BUILT_ELSEWHERE = (
    (re.compile(r"¿Cuándo (?:fue|fueron) (?:constru|edific|restaur)[a-zí]+ (?P<thing>[^?¿,]{4,60})\?"), "¿Cuánto costó construir {}?", {}),
    (re.compile(r"Wann (?:wurde|wurden) (?P<thing>[^?,]{4,60}?) (?:gebaut|errichtet|erbaut)\?"), "Wie viel kostete es, {} zu bauen?", {"der ": "den "}),
    (re.compile(r"Quand (?P<thing>[^?,]{4,60}?) (?:a-t-(?:il|elle)|ont-(?:ils|elles)) été (?:constru|bâti|édifi)\w+ \?"), "Combien la construction {} a-t-elle coûté ?",
     {"le ": "du ", "les ": "des ", "la ": "de la ", "l'": "de l'", "l’": "de l’", "": "de "}),
)  # fmt: skip
"""Spanish, German and French: the question, what is asked instead, and how an article changes in it."""
_PAID = re.compile(
    r"[£$€¥]|\b(?:cost|costs|costing|price|paid|pay|expens\w+|pounds?|dollars?|guineas?|francs?|euros?|pesetas?|cost[óoe]\w*|precios?"
    r"|koste\w*|preise?|mark|gulden|coût\w*|prix|payé\w*)\b",
    re.IGNORECASE,
)
_DEFINED = re.compile(r"What (?:is|are) (?:an? )?(?P<term>(?!the |an? )[a-z][\w-]*(?: [\w-]+){1,2})\?")
"""A term of one word is too common for anyone to have coined it, and "the" oldest of a kind is no term."""
_COINED = re.compile(r"\b(?:coin\w*|term|named? (?:after|by|for)|called .{0,40}? by|word|name)\b", re.IGNORECASE)
_DONE = re.compile(
    r"When (?P<was>was|were) (?P<thing>.{4,60}?) (?:first )?(?P<participle>[a-z]+)(?P<tail>(?: (?:in|at|on|near) [^?]+)?)\?"
)
_DONE_ELSEWHERE = (
    (re.compile(r"¿Cuándo (?=(?:fue|fueron) (?P<verb>fund|constru|diseñ|invent|descubi|escrit|public|edific))"), "¿Por quién ", r"\b(?:por|fundador\w*|arquitect\w*|autor\w*)\b"),
    (re.compile(r"Wann (?=(?:wurde|wurden) .* (?P<verb>gegründe|gebau|errichte|erbau|erfunde|entworfe|entdeck|geschriebe)[a-z]+\?)"), "Von wem ",
     r"\b(?:von|vom|durch) |(?i:gründer|architekt|erfinder)"),
    (re.compile(r"Quand (?=.* été (?P<verb>fond|constru|bâti|invent|dessin|découver|écri|conç)\w+ \?)"), "Par qui ", r"\bpar\b|(?i:fondat|architect|auteur)"),
)  # fmt: skip
"""The word of question with the stem of what was done, what takes its place, and what tells by whom."""
_DOER = re.compile(
    r"\bby (?!\d|the (?:end|time|early|late))|\b(?:founder|inventor|architect|builder|designer|maker|author|creator)s?\b"
)
_SIZE = re.compile(r"How (?P<side>long|tall|high|wide|deep|thick) (?P<verb>is|are|was|were) (?P<thing>[^?]{4,60})\?")
_LENGTH = re.compile(r"\d ?(?:m|cm|mm|km|metres?|meters?|kilomet\w+|centimet\w+|feet|foot|miles?|inches)\b")
_OTHER_SIDE = {"wide": ("long", r"\b(?:long|length)\b")}
_WIDTH = ("wide", r"\b(?:wide|width|broad|breadth|across|diameter)\b")
_WEIGHT = re.compile(r"How much (?:does|did) (?P<thing>[^?]{4,60}) weigh\?")
_PERSON = re.compile(
    r"\b(?!(?:The|An?|In|On|At|By|For|He|She|It|When|After|Its|His|Her) )[A-Z][a-zà-ÿ]+(?: [A-Z]\.)?(?: (?:de|van|von|da|di))?(?: [A-Z][a-zà-ÿ]+){1,2}"
)
_LED = re.compile(r"When did (?P<who>[A-Z][^?]+?) (?P<base>[a-z]+) (?P<thing>(?:the |[A-Z])[^?]+)\?")
_ALIVE = re.compile(r"\b(?:he|his|him|she|her)\b", re.IGNORECASE)
_BIRTH = re.compile(r"\b(?:born|birth\w*|native|raised|grew up)\b", re.IGNORECASE)


class _Turned(NamedTuple):
    """A query, how it was made, and what the passage does not say."""

    query: str
    reason: str
    missing: str


def draft_unanswerable(chunk: str) -> NearMiss:
    """A near miss that the passage lends itself to; which kind is tried first differs from passage to passage."""
    found = sorted(candidates(chunk), key=lambda one: -one.question.score)
    first = zlib.crc32(chunk.encode()) % len(_KINDS)
    for turn in (*_KINDS[first:], *_KINDS[:first]):
        for one in found:
            for turned in turn(one, chunk):
                if leans(turned.query) is None:
                    return NearMiss(reason=f"By rule: {turned.reason}.", query=turned.query, missing=turned.missing)
    return NearMiss(reason="By rule: no question of this passage can be turned.", query=None, missing="")


def _of_another_year(one: Candidate, chunk: str) -> Iterator[_Turned]:
    """It stays closest to what is told."""
    dated = _YEAR.search(one.question.text) if one.question.kind in _DATED else None
    year = _other_year(int(dated["year"]), one.question.text, chunk) if dated else None
    if dated and year:
        query = one.question.text[: dated.start("year")] + f"{year}?"
        asked = one.question.indirect.replace(dated["year"], str(year))
        yield _Turned(query, f"{dated['year']} is told of, and {year} is not", asked)


def _of_the_price(one: Candidate, chunk: str) -> Iterator[_Turned]:
    text = one.question.text
    if _PAID.search(chunk):
        return
    if built := _BUILT.fullmatch(text):
        base = PARTICIPLE.get(built["made"], built["made"])
        query = f"How much did it cost to {base} {built['thing']}{built['tail']}?"
        yield _Turned(query, "it says when, and no price", f"what it cost to {base} {built['thing']}")
    elif builder := _BUILDER.fullmatch(text):
        query = f"How much did it cost {builder['who']} to {builder['make']} {builder['thing']}?"
        yield _Turned(query, "it says who, and no price", f"what it cost to {builder['make']} {builder['thing']}")
    elif weighed := _WEIGHT.fullmatch(text):
        query = f"How much did {weighed['thing']} cost?"
        yield _Turned(query, "it gives the weight, and no price", f"what {weighed['thing']} cost")
    for pattern, query, articles in _BUILT_ELSEWHERE:
        if found := pattern.fullmatch(text):
            thing = found["thing"]
            article = next((one for one in articles if one and thing.startswith(one)), "")
            shown = articles.get(article, article) + thing.removeprefix(article)
            yield _Turned(query.format(shown), "it says when, and no price", query.format(shown))


def _of_who_named_it(one: Candidate, chunk: str) -> Iterator[_Turned]:
    defined = _DEFINED.fullmatch(one.question.text) if one.question.kind == "definition" else None
    if defined and not _COINED.search(chunk):
        query = f'Who coined the term "{defined["term"]}"?'
        yield _Turned(query, "it defines the term, and not who coined it", f'who coined the term "{defined["term"]}"')


def _of_who_did_it(one: Candidate, chunk: str) -> Iterator[_Turned]:
    """Of what was made, and nobody says by whom."""
    text = one.question.text
    done = _DONE.fullmatch(text) if one.question.kind == "when" else None
    base = PARTICIPLE.get(done["participle"], "") if done else ""
    if (
        done
        and base in MAKING
        and not _DOER.search(chunk)
        and len(re.findall(rf"\b{done['participle']}\b", chunk)) == 1
    ):
        query = f"Who {PAST_BY_BASE[base]} {done['thing']}{done['tail']}?"
        yield _Turned(query, "it says when, and not by whom", query[0].lower() + query[1:-1])
    for pattern, word, told in _DONE_ELSEWHERE:
        found = pattern.match(text)
        if found and not re.search(told, chunk) and len(re.findall(found["verb"], chunk)) == 1:
            query = word + text[found.end() :]
            yield _Turned(query, "it says when, and not by whom", query)


def _of_the_other_side(one: Candidate, chunk: str) -> Iterator[_Turned]:
    size = _SIZE.fullmatch(one.question.text)
    if size and _LENGTH.search(one.question.answer):
        side, told = _OTHER_SIDE.get(size["side"], _WIDTH)
        if not re.search(told, chunk):
            query = f"How {side} {size['verb']} {size['thing']}?"
            reason = f"it says how {size['side']}, and not how {side}"
            yield _Turned(query, reason, f"how {side} {size['thing']} {size['verb']}")


def _of_the_birth(one: Candidate, chunk: str) -> Iterator[_Turned]:
    """Of who did it, where the passage says more of the same person, and not this."""
    name = one.question.answer
    if (
        one.question.kind == "who"
        and _PERSON.fullmatch(name)
        and _is_somebody(name, chunk)
        and not _BIRTH.search(chunk)
    ):
        yield _Turned(f"Where was {name} born?", "it says who, and not where from", f"where {name} was born")


def _of_another_person(one: Candidate, chunk: str) -> Iterator[_Turned]:
    """What one did alone, of another whom the passage names for something else."""
    led = _LED.fullmatch(one.question.text) if one.question.kind == "when" else None
    if led is None or led["base"] not in MAKING or not _PERSON.fullmatch(led["who"]):
        return
    done = set(content(f"{led['base']} {led['thing']}"))
    for other in dict.fromkeys(found[0] for found in _PERSON.finditer(chunk)):
        where = [set(content(sentence.text)) for sentence in sentences(chunk) if other in sentence.text]
        apart = all(done.isdisjoint(said) for said in where)
        if (
            apart
            and not set(other.split()) & set(one.question.text.rstrip("?").split())
            and _is_somebody(other, chunk, alone=True)
        ):
            query = f"When did {other} {led['base']} {led['thing']}?"
            yield _Turned(query, f"it says this of {led['who']}", f"that {other} did so: it was {led['who']}")
            return


def _is_somebody(name: str, chunk: str, *, alone: bool = False) -> bool:
    """A person: by what is said to be done by the name, or what it is said to be; by a pronoun, where no other is named."""
    shown = re.escape(name)
    if any(
        ROLE.search(found[1])
        for found in re.finditer(
            rf"{shown},? (?:was |is )?(?:an?|the) ([a-z][a-z -]{{2,40}}?)(?= (?:of|from|in|at|who)\b|[,.;])", chunk
        )
    ):
        return True
    if alone:
        return False
    others = {found[0] for found in _PERSON.finditer(chunk)} - {name}
    return not others and _ALIVE.search(chunk) is not None


def _other_year(year: int, query: str, chunk: str) -> int | None:
    """One that the passage does not name, nor any close to it that it does."""
    first = zlib.crc32(query.encode()) % len(_YEARS_ON)
    for on in (*_YEARS_ON[first:], *_YEARS_ON[:first]):
        for other in (year + on, year - on):
            if other <= _LAST and str(other) not in chunk:
                return other
    return None


_KINDS: tuple[Callable[[Candidate, str], Iterator[_Turned]], ...] = (
    _of_another_year,
    _of_who_named_it,
    _of_the_price,
    _of_who_did_it,
    _of_the_other_side,
    _of_the_birth,
    _of_another_person,
)
