"""What X leads to, needs, consists of, is used for: questions for the other end of a relation."""

import re
from collections.abc import Iterator

from ragset.generation.offline.clause import Clause
from ragset.generation.offline.nouns import is_capital
from ragset.generation.offline.phrase import tail_fits
from ragset.generation.offline.question import Question, asked
from ragset.generation.offline.verbs import BASES, BE, PARTICIPLE

_OFTEN = r"(?:(?:best|also|well|widely|mainly|mostly|chiefly|primarily|largely|partly|commonly|often|still|usually|typically|generally|originally|closely|strongly|officially|popularly|formerly|sometimes|currently) )?"
_STATES = tuple(
    (re.compile(_OFTEN + pattern), wh, tail, score)
    for pattern, wh, tail, score in (
        (r"(?:known|famous|noted) for (?!an? |being|his|her|the fact)\S", "What", "known for", 3.0),
        (r"used (?:to|for|in|as) \S", "What", "used for", 3.2),
        (r"made (?:up )?of \S", "What", "made of", 3.0),
        (r"composed of \S", "What", "composed of", 2.9),
        (r"named (?:after|for|in honou?r of) \S", "What", "named after", 2.8),
        (r"responsible for \S", "What", "responsible for", 2.9),
        (r"based on \S", "What", "based on", 2.9),
        (r"derived from \S", "What", "derived from", 2.8),
        (r"associated with \S", "What", "associated with", 2.5),
        (r"(?:called|nicknamed|dubbed) (?!the [a-z]+ |an? )\S", "What", "called", 2.5),
        (r"(?:known as|referred to as) (?!the [a-z]+ |an? )\S", "What", "known as", 2.5),
        (r"required for \S", "What", "required for", 2.6),
        (r"awarded (?:an?|the) \S", "What", "awarded", 2.2),
        (r"divided into \S", "What", "divided into", 2.9),
        (
            r"(?:located|situated) (?:in|on|at|near|within|between|along|about|approximately|to|north|south|east|west|just)\b",
            "Where",
            "located",
            2.6,
        ),
        (r"found (?:in|on|at|near|throughout|within) (?!\d|[A-Z][a-z]+ \d|the \w+ century)\S", "Where", "found", 2.5),
        (r"born (?:in|at) [A-Z]", "Where", "born", 2.2),
        (r"buried (?:in|at) \S", "Where", "buried", 2.2),
        (r"headquartered in \S", "Where", "headquartered", 2.3),
    )
)
_GENERAL = re.compile(
    r"(?P<adverb>\w+ly )?(?P<participle>[a-z]+) (?P<preposition>as|into|from|for|on|(?<=tied )to|(?<=limited )to|(?<=linked )to|(?<=attached )to"
    r"|(?<=connected )to|(?<=restricted )to|(?<=dedicated )to) "
    r"(?!account|purpose|behalf|the basis|its|his|her|their|this|that|it|\d|[A-Z][a-z]+ \d)\S"
)


_FELT = re.compile(
    r"(?:very |highly |especially |particularly |more )?(?:(?:dangerous|harmful|sensitive|similar|equal|equivalent|essential|vital|immune|vulnerable"
    r"|resistant|accustomed|opposed) to|(?:essential|vital|important|useful|suitable|necessary|famous) for"
    r"|(?:capable|full|independent) of|(?:free|different) from)(?= (?!it\b|its\b|them\b|this|that|these|those|all\b)\S)"
)


def state(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X is used for Y`, `X was divided into Y`, `X is located in Y`."""
    del chunk
    if clause.verb not in BE or clause.because:
        return
    for pattern, wh, tail, score in _STATES:
        if pattern.match(clause.rest):
            place = clause.place if wh == "What" else ""
            yield asked("where" if wh == "Where" else "what", clause, wh, f"{tail} {place}".strip(), score)
            return
    told = re.match(
        r"(?P<participle>required|expected|obliged|entitled|permitted|designed|intended|forbidden) to (?P<verb>[a-z]+) ",
        clause.rest,
    )
    if told:
        verb = "have" if told["verb"] == "have" else "do"
        yield asked("what", clause, "What", f"{told['participle']} to {verb} {clause.place}".strip(), 2.5)
        return
    felt = _FELT.match(clause.rest)
    if felt:
        yield asked("what", clause, "What", f"{felt[0]} {clause.place}".strip(), 2.3)
        return
    found = _GENERAL.match(clause.rest)
    if found and found["participle"] in PARTICIPLE and found["participle"] != "cut" and clause.standing >= 2:
        tail = f"{found['adverb'] or ''}{found['participle']} {found['preposition']} {clause.place}".strip()
        yield asked("what", clause, "What", tail, 1.9)


_PREPOSITIONAL = {
    ("lead", "to"): 3.0, ("result", "in"): 3.0, ("contribute", "to"): 2.6, ("depend", "on"): 3.2, ("rely", "on"): 3.0,
    ("consist", "of"): 2.9, ("refer", "to"): 3.0, ("derive", "from"): 2.7, ("focus", "on"): 2.5, ("specialize", "in"): 2.4,
    ("specialise", "in"): 2.4, ("deal", "with"): 2.4, ("respond", "to"): 2.4, ("suffer", "from"): 2.6, ("stem", "from"): 2.7,
    ("benefit", "from"): 2.6, ("relate", "to"): 2.2, ("correspond", "to"): 2.6, ("concentrate", "on"): 2.4,
    ("rest", "on"): 2.5, ("originate", "from"): 2.5, ("evolve", "from"): 2.6, ("apply", "to"): 2.2, ("react", "with"): 2.4,
    ("compete", "with"): 2.2, ("emerge", "from"): 2.4, ("arise", "from"): 2.7, ("participate", "in"): 2.0, ("act", "as"): 2.5,
    ("object", "to"): 2.4, ("account", "for"): 2.3, ("function", "as"): 2.4, ("serve", "as"): 2.4, ("belong", "to"): 2.4,
    ("look", "like"): 2.4, ("work", "like"): 2.4, ("compensate", "for"): 2.6, ("differ", "in"): 2.3, ("result", "from"): 2.8,
}  # fmt: skip
"""Verb and preposition that ask "What does X … on?", with the score of the question."""
_PLAIN = {
    "cause": 2.9, "trigger": 2.9, "stimulate": 2.7, "require": 2.9, "need": 2.7, "involve": 2.5, "include": 2.3,
    "comprise": 2.5, "contain": 2.5, "mean": 2.6, "prevent": 2.7, "reduce": 2.6, "resemble": 2.2, "affect": 2.6, "influence": 2.4, "replace": 2.2, "cover": 2.3,
}  # fmt: skip
_SHOWING = frozenset(
    """show mark measure produce control drive indicate store supply protect represent transmit regulate govern describe
    define specify prohibit forbid guarantee determine release emit absorb""".split()  # noqa: SIM905
)
_SERVING = frozenset("use carry show recognise recognize describe employ treat regard define drive take".split())  # noqa: SIM905
_PUSHING = frozenset("allow enable help require encourage permit force lead persuade inspire oblige cause let".split())  # noqa: SIM905
_FINDING = frozenset("suggest show find indicate demonstrate conclude reveal propose".split())  # noqa: SIM905
_KINDS = re.compile(
    r"an? (?:[a-z-]+,? ){1,3}(?P<noun>climate|shape|form|structure|economy|population|system|culture|flavou?r|taste|style|design"
    r"|frame|body|effect|frequency|colou?r)(?=,|;| with| and| in| that| which|$)"
)
_LEANING_OBJECT = re.compile(r"\w+ (?:it|its|him|his|her|this|that|them|these|their)\b")


def relation(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X leads to Y`, `X needs Y`, `X allows Y to …`, `X has a … climate`."""
    del chunk
    if clause.because or clause.date:
        return
    if clause.kind == "aux":
        yield from _possible(clause)
        return
    rest, base, place = clause.rest, clause.base, clause.place
    first = rest.split(" ")[0]
    open_ = not place and _is_open(base, clause.subject)
    made = base in {"make", "let"} and _made_to_do(rest)
    pushed = re.match(r"(?P<whom>(?!to\b|up|directly|it\b|him\b|her\b)[^,;:]{3,40}?) to [a-z]+", rest)
    if made:
        yield asked("effect", clause, "What", f"{made} do {place}".strip(), 2.9)
    elif base in _PUSHING and pushed:
        if tail_fits(pushed["whom"]):
            yield asked("effect", clause, "What", f"{pushed['whom']} to do {place}".strip(), 2.9)
    elif (base, first) in _PREPOSITIONAL and len(rest.split()) >= 3:
        if (
            not open_
            and not _LEANING_OBJECT.match(rest)
            and not re.match(r"to (?:the (?:north|south|east|west)|be)\b", rest)
        ):
            score = _PREPOSITIONAL[base, first]
            kind = "effect" if score >= 3.0 else "what"
            yield asked(kind, clause, "What", f"{first} {place}".strip(), score)
    elif base in _PLAIN and len(rest.split()) >= 2:
        # "Replaced A by B" and a list that was long ago say half of what is asked.
        listed = (base == "include" and clause.past) or (base == "replace" and re.search(r" (?:by|with) ", rest))
        if (
            not open_
            and not listed
            and not re.match(r"(?:to|no|not|only|less|more|little|it|him|her|them|his|its|their|that|up|\d)\b", rest)
        ):
            yield asked("effect" if _PLAIN[base] > 2.6 else "what", clause, "What", place, _PLAIN[base])
    elif base in {"state", "say", "hold"} and rest.startswith("that ") and _LAW.search(clause.subject):
        yield asked("what", clause, "What", "", 2.9)
    elif (
        base in _FINDING
        and rest.startswith("that ")
        and re.search(r" (?:on|of|by) ", clause.subject)
        and clause.standing == 3
    ):
        yield asked("what", clause, "What", "", 2.0)
    elif base == "play" and (role := re.match(r"an? (?:[a-z-]+ ){0,3}role (?P<tail>in [^,;:]{4,60})", rest)):
        tail = re.split(r" (?:and|but|which|by|when|because|as) ", role["tail"], maxsplit=1)[0]
        if tail_fits(tail):
            yield asked("what", clause, "What role", tail, 3.0)
    elif base == "have" and (kind := _KINDS.match(rest)):
        yield asked("what", clause, f"What kind of {kind['noun']}", place, 2.7)
    elif base in {"occur", "happen", "arise"} and rest.startswith("when ") and not clause.past:
        yield asked("condition", clause, "When", place, 2.4)
    elif (
        through := _THROUGH.match(rest)
        if base not in _NO_OBJECT and clause.standing >= (3 if clause.past else 2)
        else None
    ):
        if tail_fits(through["tail"]) and tail_fits(through["object"]) and not place:
            yield asked("object", clause, "What", through["tail"], 1.8)
        if base in _SHOWING and not clause.past:
            yield from _shown(clause, rest)
    elif base in _SHOWING | _SERVING and clause.standing >= (3 if clause.past else 2):
        yield from _shown(clause, rest)


def _is_open(base: str, subject: str) -> bool:
    """Much may be said of the subject with this verb: "What does a sundial show?", "What did Ghent suffer from?"."""
    words = [word for word in subject.split() if word not in {"the", "a", "an"}]
    name = is_capital(words[-1])
    if re.search(r"\d|['’]s? | (?:of|in|on|at|for|with|from|by) ", subject):
        return False
    return (base in _MANY_OF_A_NAME and name and not subject.startswith("the ")) or (
        base in _MANY and (len(words) == 1 or name)
    )


_MANY = frozenset(
    """suffer participate focus concentrate specialize specialise deal respond benefit compete contribute act serve function account
    cause trigger stimulate require need involve include contain prevent reduce affect influence cover show mark measure produce
    control drive indicate store supply protect represent transmit regulate govern describe define specify prohibit forbid guarantee
    determine release emit absorb""".split()  # noqa: SIM905
)
"""What one thing does in many ways: only with a narrower subject, or a place, is one of them meant."""
_MANY_OF_A_NAME = frozenset({"consist", "comprise", "result"})
_THROUGH = re.compile(
    r"(?P<object>(?:an?|the|some|two|three|four|five|six|seven|eight|nine|ten|[a-z]{3,}s) (?:[\w'-]+ ){1,4}?)"
    r"(?P<tail>(?:into|from|in|with|onto|against) (?:an?|the|its|[a-z]{4,}|[A-Z]\w+) [^,;:]{3,50}?)(?=,|;|:|$)"
)
"""An object, and something that it is put into, taken from or done with."""
_NO_OBJECT = frozenset(
    """be have go run lie stand come live work stay remain become arrive belong appear rise fall last grow occur happen consist
    depend serve die begin end start continue defeat conquer meet join name help marry beat attack appoint elect kill lead make let take give play include involve cover need require mean""".split()  # noqa: SIM905
)


def _made_to_do(rest: str) -> str | None:
    """Of "the coils of the spring cling together" who is made to do it."""
    words = re.split(r"[,;:]", rest, maxsplit=1)[0].split()
    for place in range(2, min(len(words) - 1, 9)):
        if words[place] in BASES and words[place - 1] not in {"the", "a", "an", "of", "to", "more", "less", "and"}:
            whom = " ".join(words[:place])
            return whom if tail_fits(whom) and re.match(r"(?:the|an?|[a-z]+s) ", whom) else None
    return None


_LAW = re.compile(
    r"\b(?:conjecture|theorem|law|principle|rule|theory|hypothesis|Act|Article|Amendment|Treaty|Constitution|paradox)$"
)


def _possible(clause: Clause) -> Iterator[Question]:
    """`X can lead to Y`, `X may cause Y`."""
    base, _, rest = clause.rest.partition(" ")
    first = rest.split(" ")[0]
    if clause.verb not in {"can", "may", "must", "will"} or len(rest.split()) < 2 or _LEANING_OBJECT.match(rest):
        return
    if not clause.place and _is_open(base, clause.subject):
        return
    if (base, first) in _PREPOSITIONAL:
        yield asked(
            "effect", clause, "What", f"{base} {first} {clause.place}".strip(), _PREPOSITIONAL[base, first] - 0.2
        )
    elif base in {"cause", "trigger", "prevent", "affect", "reduce", "require"} and not re.match(
        r"(?:it|that|to|no)\b", rest
    ):
        yield asked("effect", clause, "What", f"{base} {clause.place}".strip(), 2.7)


def _shown(clause: Clause, rest: str) -> Iterator[Question]:
    """`X carries a jar as its bob`, asked for the jar."""
    base = clause.base
    if not re.match(r"(?:an?|the|two|three|four|[a-z]{4,}) [^,;:]{6,}", rest) or re.match(
        r"(?:that|which|only|more|less)\b", rest
    ):
        return
    role = re.match(r"[^,;:]{3,40}? (?P<role>(?:as|in place of|instead of) [^,;:]{3,40})$", rest)
    tail = role["role"] if role and base in _SERVING and tail_fits(role["role"]) else ""
    if not tail and (base not in _SHOWING or clause.past or (not clause.place and _is_open(base, clause.subject))):
        return
    yield asked("what", clause, "What", f"{tail} {clause.place}".strip(), 2.2 if tail else 1.7)
