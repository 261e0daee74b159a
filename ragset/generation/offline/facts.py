"""Plain facts that a chunk states, each with the question that its sentence answers.

Few kinds, each by one pattern: definitions, dated events, named agents and causes with "because". A sentence that fits
none, or whose subject is not named in it, is left alone: a few good questions beat many bad ones.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragset.generation.offline.definitions import clear, definition, is_name, subject
from ragset.generation.offline.text import Sentence, sentences
from ragset.generation.offline.verbs import DONE, EVENTS, FIRST_TIME, HAPPENED, MADE, PAST, THIRD
from ragset.text.languages import guess_language
from ragset.text.rules.passage_references import leans

_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_ORDINALS = """zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth""".split()  # noqa: SIM905
_AFTER = r"(?=$|[,.;:]| (?:by|in|at|after|when|and|to|as|with|for|from|under|on|but|because|where|before|while)\b)"
_DAY = rf"(?:(?:\d{{1,2}} )?{_MONTH}(?: \d{{1,2}})?,? )?"
_DATE = (
    rf"(?:in|on|about|around|from) (?P<about>about |around |early |late )?(?:{_DAY}(?P<year>[12]?\d{{3}})(?P<era> BCE?)?{_AFTER}"
    rf"|the (?:early |late |mid-|beginning of the |end of the )?"
    rf"(?:(?P<decade>\d{{3}}0)s|(?P<century>\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(_ORDINALS[1:])}) century(?P<era2> BCE?)?){_AFTER})"
)
"""When something happened, as the end of a clause."""
_HOW = r"(?P<how>(?: (?!and\b|but\b|which\b|who\b|that\b|when\b|after\b|before\b|because\b|or\b|in \d)[\w'’.-]+){0,8}?)"
_ASIDE = re.compile(
    r"(?<=\w), (?!and\b|but\b|so\b|or\b(?! \w+,)|which was\b)[^,;:]{3,80},(?= (?:is|are|was|were|[a-z]+ed) )"
)
"""What stands between a subject and its verb."""
_LED_BY_DATE = re.compile(rf"(?P<date>{_DATE}),? ", re.IGNORECASE)
_PASSIVE = re.compile(
    rf"(?P<subject>.{{2,90}}?) (?P<be>was|were) (?:first |originally |officially |finally |formally )?"
    rf"(?P<done>{'|'.join(DONE)})\b(?P<rest>.*)"
)
_DATED = re.compile(rf"{_HOW} {_DATE}")
_BY = re.compile(
    r"(?P<how>(?: (?!and\b|but\b|by\b)[\w'’.-]+){0,6}?) by (?P<agent>(?:the )?[A-ZÀ-Þ][^,;:.]*?)"
    r"(?= (?:in|on|at|from|and|to|as|for|after|who|about|around|during|between|under|when|with|because)\b|[,;.]|$)"
)
_NAME = r"(?:[A-ZÀ-Þ][\w.'’-]+|of|de|la|von|van|der|the|and|&)"
_MADE = re.compile(rf"(?P<agent>[A-ZÀ-Þ][\w.'’-]*(?: {_NAME}){{1,6}}) (?P<made>{'|'.join(MADE)}) (?P<thing>[^,;:]+)")
_THING_ENDS = re.compile(
    rf" (?:{_DATE}|at|by|which|that|who|when|where|while|because|after|before|during|as|with|to|and|but|for)\b|[.,;]"
)
_DID = re.compile(rf"(?P<subject>.{{2,90}}?) (?P<did>{'|'.join(PAST)})(?P<rest>\b.*)")
_CLAUSE_ENDS = re.compile(r"[,;:]| (?:and|but|which|who|that|when|after|before|because|or|while|where|by|although)\b")
_ADVERB = re.compile(r" [a-z]+ly\b")
_LOOSE_END = re.compile(r" (?:to|of|the|an?|for|with|from|in|at|on|and|into)$")
_BORN = re.compile(rf"(?P<subject>[^,;]{{3,60}}?) was born{_HOW} (?P<date>{_DATE})")
_BECAUSE = re.compile(r"(?P<main>[^,;:]{8,120}),? because (?P<cause>[^;:]{8,})")
_STATE = re.compile(
    r"(?P<subject>.{2,90}?) (?P<be>is|are|was|were|can|cannot|could|must|should) (?P<rest>(?!because\b).+)"
)
_ACTION = re.compile(rf"(?P<subject>.{{2,90}}?) (?P<verb>{'|'.join({**PAST, **THIRD})})(?P<rest> .+|$)")


class Years(NamedTuple):
    """From the first to the last year that a date may mean; before Christ below 0."""

    first: int
    last: int


class Fact(NamedTuple):
    """A question and the sentence that answers it."""

    kind: str
    """`definition`, `when`, `who` or `why`."""
    query: str
    sentence: Sentence
    about: str
    event: str = ""
    """Of a dated event what to call it: `the invention of the pendulum clock`."""
    when: Years | None = None
    genus: str = ""

    @property
    def answer(self) -> str:
        """The sentence on one line."""
        return self.sentence.plain


@lru_cache(maxsize=512)
def facts(chunk: str) -> tuple[Fact, ...]:
    """In the order of the text; in other languages than English definitions alone, and nothing in most."""
    # A few words may not tell their language; English patterns match nothing in another one.
    language = guess_language(chunk) or "en"
    found: dict[str, Fact] = {}
    for sentence in sentences(chunk):
        text = sentence.plain
        # What begins in lower case is the rest of a sentence, or the name of a field or an option: nobody asks for that alone.
        if text[-1:] not in ".!" or text[:1].islower() or not 5 <= len(text.split()) <= 45:
            continue
        for fact in _facts(sentence, text.rstrip(".!"), chunk, language):
            if leans(fact.query, language) is None:
                found.setdefault(fact.query, fact)
    return tuple(found.values())


def _facts(sentence: Sentence, text: str, chunk: str, language: str) -> Iterator[Fact]:
    text = _ASIDE.sub("", text, count=1)
    if defined := definition(text, chunk, language):
        yield Fact("definition", defined.query, sentence, defined.about, genus=defined.genus)
    if language != "en":
        return
    led = _LED_BY_DATE.match(text)
    clause = text[led.end() :] if led else text
    clause = clause[:1].upper() + clause[1:]
    when = _years(led) if led else None
    yield from _passive(sentence, clause, chunk, when)
    yield from _active(sentence, clause, chunk, when)
    if led is None:
        yield from _why(sentence, text, chunk)


def _rest(said: str, led: Years | None) -> tuple[str, Years] | None:
    """What follows a verb, and when; None where it has no date, is cut short, or speaks of something that is not named in it."""
    if dated := _DATED.match(said):
        how, when = dated["how"], _years(dated)
    elif led:
        how, when = _CLAUSE_ENDS.split(said, maxsplit=1)[0], led
    else:
        return None
    how = _ADVERB.sub("", re.split(r" by\b", how)[0])
    if not clear(how) or len(how.split()) > 7 or re.search(r"\d{4}", how) or _LOOSE_END.search(how):
        return None
    return how, when


def _years(found: re.Match[str]) -> Years:
    """Of a match that holds `_DATE`."""
    if found["year"]:
        year = -int(found["year"]) if found["era"] else int(found["year"])
        doubt = 10 if found["about"] or found[0].startswith(("about", "around")) else 0
        return Years(year - doubt, year + doubt)
    if found["decade"]:
        return Years(int(found["decade"]), int(found["decade"]) + 9)
    said = found["century"].lower()
    number = _ORDINALS.index(said) if said in _ORDINALS else int(said[:-2])
    return Years(-100 * number, -100 * number + 99) if found["era2"] else Years(100 * number - 99, 100 * number)


def _passive(sentence: Sentence, clause: str, chunk: str, led: Years | None) -> Iterator[Fact]:
    """`X was built by N in 1889`: when, and who."""
    found = _PASSIVE.match(clause)
    if found is None:
        return
    verb = DONE[found["done"]]
    about = subject(found["subject"], chunk, generic=verb.base in FIRST_TIME)
    if about is None:
        return
    if rest := _rest(found["rest"], led):
        how, when = rest
        event = EVENTS.get(verb.participle, "")
        named = f"the {event} of {about}{how}" if event else ""
        yield Fact("when", f"When {found['be']} {about} {verb.participle}{how}?", sentence, about, named, when)
    by = _BY.match(found["rest"])
    if by and verb.past in MADE and not re.search(_DATE, by["how"]):
        how = _ADVERB.sub("", by["how"])
        if clear(how + by["agent"]):
            yield Fact("who", f"Who {verb.past} {about}{how}?", sentence, about)


def _active(sentence: Sentence, clause: str, chunk: str, led: Years | None) -> Iterator[Fact]:
    """`N invented X in 1889`: who, and when; `X opened in 1889`, `N was born in 1889`: when."""
    made = _MADE.match(clause)
    if made and subject(made["agent"], chunk):
        verb = MADE[made["made"]]
        thing = _THING_ENDS.split(made["thing"], maxsplit=1)[0]
        about = subject(thing, chunk, generic=verb.base in FIRST_TIME)
        if about and (thing.startswith("the ") or is_name(thing.split(), chunk, first=False)):
            yield Fact("who", f"Who {verb.past} {about}?", sentence, about)
    did = _DID.match(clause)
    about = subject(did["subject"], chunk) if did else None
    rest = _rest(did["rest"], led) if did else None
    if did and about and rest and (rest[0] or did["did"] in HAPPENED):
        how, when = rest
        event = EVENTS.get(did["did"], "") if did["did"] in HAPPENED and not how else ""
        named = f"the {event} of {about}" if event else ""
        yield Fact("when", f"When did {about} {PAST[did['did']]}{how}?", sentence, about, named, when)
    born = _BORN.match(clause)
    about = subject(born["subject"], chunk) if born else None
    if born and about:
        yield Fact("when", f"When was {about} born?", sentence, about, f"the birth of {about}", _years(born))


def _why(sentence: Sentence, text: str, chunk: str) -> Iterator[Fact]:
    """`X is Y because Z`: the clause turned by its auxiliary, or by "do" where its verb is known."""
    found = _BECAUSE.fullmatch(text)
    if found is None or len(found["main"].split()) > 18 or re.search(r" (?:and|or|but)\b", found["main"]):
        return
    state, action = _STATE.fullmatch(found["main"]), _ACTION.fullmatch(found["main"])
    if state and action and len(state["subject"]) >= len(action["subject"]):
        state = None
    clause = state or action
    about = subject(clause["subject"], chunk, generic=True) if clause else None
    if clause is None or about is None or not clear(clause["rest"]) or len(clause["rest"].split()) < 2:
        return
    rest = clause["rest"]
    if state:
        be = state["be"]
        asked = f"Why can {about} not {rest}?" if be == "cannot" else f"Why {be} {about} {rest}?"
    else:
        verb = clause["verb"]
        do, base = ("did", PAST[verb]) if verb in PAST else ("does", THIRD[verb])
        asked = f"Why {do} {about} {base}{rest}?"
    yield Fact("why", asked, sentence, about)
