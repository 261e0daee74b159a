"""When, how many, how long, by how much, what in that year: questions that a short fact answers."""

import re
from collections.abc import Iterator

from ragset.generation.offline.clause import Clause
from ragset.generation.offline.nouns import is_capital
from ragset.generation.offline.opening import DATE
from ragset.generation.offline.phrase import again_and_again, tail_fits
from ragset.generation.offline.question import Question, asked, is_clean_tail, stated, tails
from ragset.generation.offline.text import tidy
from ragset.generation.offline.verbs import BE, PARTICIPLE, is_finite, is_participle

_WHEN = (
    r" (?P<preposition>in|on|around|about|circa|between) "
    rf"(?P<date>(?:about |around |approximately )?{DATE}(?: (?:and|to|until) {DATE})?)"
)
_TAIL_END = re.compile(
    r",(?!\d)|[;:]| (?:and|but|which|who|while|where|when|after|before|because|although|with|following|making|leading|so) "
)
ALONE = frozenset(
    """die occur begin end arrive open close start happen collapse erupt sink appear emerge disappear retire resign win fall
    disband premiere debut depart originate""".split()  # noqa: SIM905
)
"""Verbs that need nothing after them."""
_GOING_ON = frozenset("continue remain keep stay tend persist live exist last".split())  # noqa: SIM905
"""What goes on has no one date."""


def when(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X did Y in 1656`, `In 1656, X did Y`."""
    del chunk
    if clause.because or not clause.past or clause.verb in {"had", "would", "could"} or clause.base in _GOING_ON:
        return
    if clause.date:
        tail = _whole_tail(clause.rest)
        passive = clause.verb not in BE or is_participle(tail.split(" ")[0])
        # A month without its year says when to nobody.
        if not re.search(r"\d{3}|century", clause.date):
            return
        if again_and_again(tail):
            return
        if tail and passive and is_clean_tail(clause, tail) and not re.search(r"\d{4}", tail):
            yield asked("when", clause, "When", tail, 2.1, at_date(clause.date))
        return
    for tail, found in tails(" " + clause.rest, _WHEN):
        if not re.search(r"\d{3}|century", found["date"]):
            continue
        event = clause.verb in BE and clause.subject.startswith("the ")
        bare = (clause.kind == "past" and clause.base in ALONE) or event
        if not is_clean_tail(clause, tail, bare=bare) or re.search(r"\d{4}", tail) or again_and_again(tail):
            return
        if re.match(r" (?:that|as)\b", f" {clause.rest}"[found.end() :]):
            return
        if clause.verb in BE and tail and not any(is_participle(word) for word in tail.split()[:3]):
            return
        yield asked("when", clause, "When", f"{tail} {clause.place}".strip(), 2.3, tidy(found[0]))
        return


def _whole_tail(rest: str) -> str:
    """Up to the end of the phrase; "elves and fairies" is one, "a lease and left" is not."""
    tail = _TAIL_END.split(rest, maxsplit=1)[0]
    after = rest[len(tail) :]
    if after.startswith(" and "):
        joined = _TAIL_END.split(after.removeprefix(" and "), maxsplit=1)[0]
        if len(joined.split()) <= 4 and not any(is_finite(word) or word in PARTICIPLE for word in joined.split()):
            tail = f"{tail} and {joined}"
    return tail.strip()


def at_date(date: str) -> str:
    """The date with its preposition."""
    on = re.match(r"\d{1,2} [A-Z]|[A-Z][a-z]+ \d{1,2}\b(?!\d)", date)
    return f"{'on' if on else 'in'} {date}"


_TRANSITIVE = frozenset(
    """sign announce develop publish introduce propose launch create establish build found open invent discover win
    purchase acquire adopt pass release replace host reject write produce buy sell complete patent design construct rename
    demand order offer abandon abolish ban approve grant award join sponsor organize organise start conquer capture
    invade occupy defeat attack commission finish unveil recommend add install show demonstrate measure describe
    replace find give send bring""".split()  # noqa: SIM905
)
_NO_OBJECT = re.compile(
    r"(?:it|them|him|her|to|in|on|at|from|with|that|as|for|by|up|out|its|his|not|what|into|over|against|about|all|away)\b"
)


def done_then(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X signed a treaty in 1985`, asked for the treaty."""
    del chunk
    if clause.kind != "past" or clause.base not in _TRANSITIVE or clause.standing < 3 or clause.because or clause.place:
        return
    if _NO_OBJECT.match(clause.rest):
        return
    year = ""
    if clause.date:
        year = at_date(clause.date)
    else:
        found = re.match(rf"(?P<object>[^,;:]{{3,60}}?) (?P<when>(?:in|on|about) {DATE})", clause.rest)
        if found and is_clean_tail(clause, found["object"]) and len(found["object"].split()) >= 2:
            year = found["when"]
    if re.search(r"\d", year):
        yield asked("object", clause, "What", year, 2.0)


_COUNT = r"(?:[$€£]?\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a dozen)"
_ABOUT = r"(?:(?:about|around|approximately|over|more than|nearly|almost|at least|up to|some|only|roughly|just|fewer than|less than) )*"
AMOUNT = rf"(?P<amount>{_ABOUT}{_COUNT}(?: (?:hundred|thousand|million|billion|trillion))?)"
_UNIT = (
    r"(?:m|metres?|meters?|feet|foot|km|kilomet(?:re|er)s?|miles?|inches|cm|mm|years|months|weeks|days|hours|minutes|seconds"
    r"|stor(?:ies|eys)|centimet(?:re|er)s?)"
)
_MEASURE = re.compile(rf"{AMOUNT} (?P<unit>{_UNIT}) (?P<adjective>long|tall|high|wide|deep|thick|old)\b")
_SPAN = re.compile(rf"{AMOUNT} (?:years|months|weeks|days|hours|minutes|seconds)\b")
_SUM = re.compile(rf"{AMOUNT}(?: (?!and|in|for|to|at)[a-z]+)?")
_COUNTED = re.compile(
    rf"{AMOUNT} (?P<noun>(?!more|less|percent|years|times|of|as|plus|and)(?:[a-z-]+ ){{0,2}}?[a-z-]+s)"
    r"(?=,|;|$| (?:and|in|on|with|which|that|from|for|by|at|as|who|during|including|of)\b)"
)
_OF_COUNTED = re.compile(r" (?:of|in|for|at|from|on) [^,;:]{2,40}?(?=,|;|$| (?:and|which|that|including|with)\b)")
RATE = r"(?:an?|per|each|every) (?:second|minute|hour|day|night|week|month|quarter|season|year)"
"""How often so many."""
_KIND_COUNTED = re.compile(
    r"of [^ ]+(?: [^ ]+){0,4}?(?=$| (?:in|on|at|for|from|to|by|per|during|under|over|into|within|across|between|inside|outside|above|below|there|each|alone)\b"
    rf"| {RATE})"
)
"""What is counted, up to where or when it is: of "fully paid leave per year" not the year."""
COUNTING = frozenset(
    """have contain include employ comprise operate win publish write own produce receive sell score lose hold feature
    cover record carry build use average""".split()  # noqa: SIM905
)


def number(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X is 9 m long`, `X lasted 3 years`, `X cost £5`, `X has 9 parts`."""
    del chunk
    rest, base = clause.rest, clause.base
    if clause.verb in BE:
        measure = _MEASURE.match(rest)
        # "How long was Atlanta?": of a name alone nobody knows that it was a ship.
        if measure and not (clause.past and is_capital(clause.subject) and " " not in clause.subject):
            amount = f"{measure['amount']} {measure['unit']}"
            yield asked("number", clause, f"How {measure['adjective']}", clause.place, 2.4, amount)
    elif clause.kind == "aux" or clause.because:
        return
    elif base in {"last", "take"} and (span := _SPAN.match(rest)):
        yield asked("number", clause, "How long", "", 2.4, span[0])
    elif base in {"offer", "pay"} and rest.startswith(("£", "$", "€")) and (amount := _SUM.match(rest)):
        tail = _OF_COUNTED.match(rest[amount.end() :])
        shown = tail[0].strip() if tail and is_clean_tail(clause, tail[0].strip()) else ""
        yield asked("number", clause, "How much", shown, 2.4, amount[0])
    elif base in {"cost", "weigh"} and (amount := _SUM.match(rest)):
        # "1.20 euros to unlock and 0.18 per minute" is no price by its half.
        more = re.match(r" (?:to|per|and|plus|an?|each|for)\b", rest[amount.end() :])
        yield asked("number", clause, "How much", "", 2.4, "" if more else amount[0])
    elif base in COUNTING and (counted := _COUNTED.match(rest)):
        after = _OF_COUNTED.match(rest[counted.end() :])
        tail = after[0].strip() if after and is_clean_tail(clause, after[0].strip()) else ""
        when_ = f"in {clause.date}" if clause.date[:1].isdigit() and not tail.startswith("in ") else clause.place
        amount = f"{counted['amount']} {counted['noun']}"
        noun = counted["noun"]
        if kind := _KIND_COUNTED.match(tail):
            noun, tail = f"{noun} {kind[0]}", tail.removeprefix(kind[0]).strip()
        yield asked("number", clause, f"How many {noun}", f"{tail} {when_}".strip(), 2.2, amount)


_BY_AMOUNT = (
    rf" by (?P<amount>{_ABOUT}(?:[\d.,]+|one|two|three|four|five|six|seven|eight|nine|ten|half|a quarter)"
    r"(?: ?%| [^,;:]{1,40}?)?)(?=,|;|:| (?:and|when|for|because|with|between|from|during|until|if)\b|$)"
)


def by_how_much(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X lengthens Y by 3 %`."""
    del chunk
    if clause.because or clause.verb in BE or clause.kind == "aux":
        return
    for tail, found in tails(" " + clause.rest, _BY_AMOUNT):
        if re.fullmatch(r"\d{4}", found["amount"]) or " to " in f" {tail} ":
            return
        if is_clean_tail(clause, tail, bare=True) and not re.match(r"(?:its|their|his)\b", tail):
            yield asked("number", clause, "By how much", tail, 2.4, found["amount"])
        return


_THERE = re.compile(
    rf"(?:In (?P<year>\d{{4}}), )?[Tt]here (?P<verb>are|were) {AMOUNT} (?P<noun>(?:[a-z-]+ ){{0,3}}?[a-z-]+s) "
    r"(?P<place>(?:in|at|on) (?:the )?[A-Z][^,;:.]{2,50}?)(?=,|;|\.|:| (?:and|of which|which|with|who|that)\b)"
)


def existence(text: str, chunk: str) -> Iterator[Question]:
    """`There are 33 members in X`."""
    del chunk
    found = _THERE.match(text)
    if found and tail_fits(found["place"]):
        place = found["place"] + (f" in {found['year']}" if found["year"] else "")
        question = stated("number", f"How many {found['noun']} {found['verb']} there {place}", 2.6)
        yield question._replace(
            indirect=f"how many {found['noun']} there {found['verb']} {place}",
            answer=tidy(f"{found['amount']} {found['noun']}").capitalize(),
        )
