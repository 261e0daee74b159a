"""English questions that a sentence answers, each by a pattern of its clause."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ragset.llm.offline.clause import DATE, Clause, clauses, parse, plain, tail_fits
from ragset.llm.offline.nouns import VAGUE, is_capital, standing
from ragset.llm.offline.text import tidy
from ragset.llm.offline.verbs import PARTICIPLE, PAST_BY_BASE, is_finite, is_participle, past_of_participle, singular


class Question(NamedTuple):
    """A question with the wording it takes after "Explain" or "State", and how good it is."""

    kind: str
    """`why`, `how`, `effect`, `condition`, `comparison`, `definition`, `what`, `when`, `who`, `where`, `number`."""
    text: str
    indirect: str
    score: float
    answer: str = ""
    """The short answer, where the pattern knows it."""


def questions(sentence: str, chunk: str) -> list[Question]:
    """All that the patterns find in one sentence, best first."""
    found = list(_conditions(plain(sentence), chunk))
    found += _existence(plain(sentence))
    for clause in clauses(sentence, chunk):
        for rule in _RULES:
            for question in rule(clause, chunk):
                found.append(question._replace(score=question.score + _bonus(clause, question)))
    return sorted((q for q in found if _sound(q.text)), key=lambda q: -q.score)


def _bonus(clause: Clause, question: Question) -> float:
    length = len(question.text.split())
    return 0.4 * clause.standing - (0.1 * abs(length - 9) if length > 14 or length < 4 else 0)


_VAGUE_PHRASE = re.compile(
    r"\b[Tt]he (?:two |three |first |second |other |new |main |only |whole |next |last )?([a-z]+)(?=[ ?]|$)(?! (?:of|for|in|between|to) )"
)


def _sound(text: str) -> bool:
    """One line of plain words that names no single thing by a word like "the device"."""
    if not 3 <= len(text.split()) <= 20 or re.search(r"[\"“”\[\]()<>|*_=]|\s'|\.\.|\bwe\b|\bour\b", text):
        return False
    for found in _VAGUE_PHRASE.finditer(text):
        following = text[found.end() :].split()
        if found[1] in VAGUE and (
            not following or (following[0].islower() and (following[0] in _SMALL or is_finite(following[0])))
        ):
            return False
    return True


_SMALL = frozenset(
    [
        "in",
        "on",
        "at",
        "by",
        "for",
        "with",
        "from",
        "to",
        "into",
        "and",
        "or",
        "as",
        "than",
        "not",
        "so",
        "that",
        "be",
        "been",
        "use",
        "made",
        "used",
    ]
)


def _tails(rest: str, marker: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Each place of `marker` in `rest`, with what stands before it."""
    for found in re.finditer(marker, rest):
        yield rest[: found.start()].rstrip(" ,"), found


def _clean_tail(clause: Clause, tail: str, *, bare: bool = False) -> bool:
    """`bare`: nothing need stand after the verb."""
    if not tail_fits(tail):
        return False
    words = tail.split()
    if not words:
        return bare
    if words[0] in {"and", "or", "that"} or (clause.kind == "past" and len(words) > 1 and is_participle(words[-1])):
        return False
    # After "did" a second verb would keep its past form.
    if any(is_finite(word) for word in words if word not in PARTICIPLE) or (
        clause.kind != "aux"
        and any(
            w in {"and", "or"}
            and (n in PAST_BY_BASE or n in PARTICIPLE or (n.endswith("s") and n[:-1] in PAST_BY_BASE))
            for w, n in zip(words, words[1:], strict=False)
        )
    ):
        return False
    return True


_WHY = (
    r",? (?:(?:mainly |partly |largely |primarily |simply |precisely )?because(?: of)? |due to |as a result of |so that |so as to |in order to |owing to |thanks to )"
    r"|, since (?!\d)"
)
_PURPOSE = (
    r" to (?:prevent|avoid|reduce|ensure|protect|compensate|improve|allow|enable|minimi[sz]e|maximi[sz]e|keep|help|increase|stop|save|secure"
    r"|strengthen|preserve|promote|encourage|correct|counter|raise|commemorate|celebrate|honou?r|mark) "
)
_NO_PURPOSE_AFTER = frozenset(
    """ability able attempt attempts plan plans effort efforts need needs way ways right rights power powers order decision
    likely unlikely designed intended used required allowed forced able unable willing ready sought tried wanted began failed
    helped chance chances opportunity hard difficult easy possible necessary important enough seem seems tend tends
    continue continued agreed decided refused expected supposed said known authority obligation duty responsibility desire
    tendency going have has had asked ordered told persuaded encouraged urged led proposal proposals""".split()  # noqa: SIM905
)


_NO_PURPOSE_OF = frozenset(
    """order ask tell persuade want allow enable encourage urge force advise lead cause help need require expect authorize
    authorise prompt try seek agree attempt continue begin decide refuse""".split()  # noqa: SIM905
)


def _why(clause: Clause, chunk: str) -> Iterator[Question]:
    if clause.because and not clause.date:
        tail = re.split(r"[,;:]| (?:but|which|who|while|where) ", clause.rest, maxsplit=1)[0].strip()
        if _clean_tail(clause, tail):
            yield Question("why", clause.ask("Why", tail), clause.tell("why", tail), 3.4)
    for tail, _ in _tails(clause.rest, _WHY):
        if _clean_tail(clause, tail):
            yield Question("why", clause.ask("Why", tail), clause.tell("why", tail), 4.0)
            return
    for tail, _ in _tails(clause.rest, _PURPOSE):
        words = tail.split()
        if (
            words
            and words[-1].lower() not in _NO_PURPOSE_AFTER
            and _clean_tail(clause, tail)
            and len(words) >= 2
            and not is_participle(words[-1])
        ):
            yield Question("why", clause.ask("Why", tail), clause.tell("why", tail), 3.0)
            return


_MEANS = (
    r" (?:by (?!being|doing so|saying|far)(?:\w+ly )?[a-z]{2,}ing|through the use of|by means of|with the help of) "
)


def _how(clause: Clause, chunk: str) -> Iterator[Question]:
    for tail, found in _tails(" " + clause.rest, _MEANS):
        tail = tail.strip()
        bare = clause.kind != "aux"
        if found[0].strip() in {"by spring", "by king", "by evening", "by morning"}:
            continue
        if _clean_tail(clause, tail, bare=bare) and (bare or len(tail.split()) >= 1):
            yield Question("how", clause.ask("How", tail), clause.tell("how", tail), 3.7)
            return


_ROLE = re.compile(
    r"\b(?:mathematician|physicist|chemist|astronomer|scientist|engineer|inventor|philosopher|theologian|historian|geologist|writer"
    r"|author|poet|novelist|composer|musician|singer|painter|artist|sculptor|architect|actor|actress|director|producer|politician"
    r"|statesman|president|king|queen|emperor|prince|princess|duke|bishop|pope|general|admiral|officer|soldier|leader|ruler|economist"
    r"|clockmaker|watchmaker|craftsman|monk|priest|nun|lawyer|judge|journalist|editor|professor|teacher|scholar|footballer|player|coach"
    r"|quarterback|explorer|navigator|merchant|businessman|entrepreneur|founder|polymath|botanist|biologist|doctor|physician|surgeon|governor"
    r"|minister|senator|chancellor|khan|reformer|activist|sailor|carpenter|instrument maker|student|pupil|disciple|missionary|knight|nobleman|warrior|inventor|pioneer|man|woman|daughter|son|brother|sister)s?\b"
)


_SUPERLATIVE = re.compile(
    r"the (?:(?:second|third|fourth|fifth|world's|country's|nation's|state's)[- ])?(?:only|first|last|oldest|youngest|[a-z]{3,}est|most [a-z]+|capital|official [a-z]+) [^,;:]*?(?= (?:and|but|which|with|as|because|after|having)\b|,|;|:|$)"
)


def _superlative(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X is the largest city in Y`, asked for X."""
    if clause.verb not in {"is", "was"} or clause.standing < 3 or clause.place or clause.date:
        return
    found = _SUPERLATIVE.match(clause.rest)
    if found and tail_fits(found[0]) and len(found[0].split()) >= 4 and re.search(r"[A-Z]", found[0]) and not set(clause.subject.split()) & set(found[0].split()) - {"the", "of", "in"}:
        names = clause.subject.split()
        who = bool(_ROLE.search(re.split(r" (?:who|that|of|from|in|to) ", found[0], maxsplit=1)[0])) and is_capital(names[0])
        wh = "Who" if who else "What"
        yield Question("who", f"{wh} {clause.verb} {found[0]}?", f"{wh.lower()} {clause.verb} {found[0]}", 2.3, clause.subject[0].upper() + clause.subject[1:])


def _definition(clause: Clause, chunk: str) -> Iterator[Question]:
    rest = clause.rest
    if clause.verb not in {"is", "are", "was", "were"} or clause.date or clause.place or clause.because:
        return
    if not re.match(
        r"(?:(?:usually|generally|typically|basically|essentially|simply|often) )?(?:an?|the|one of|any) ", rest
    ):
        if not (clause.plural and re.match(r"(?:[a-z-]+ ){1,3}(?:that|which|used|made|designed|built) ", rest)):
            return
    of = clause.subject.startswith("the ") and " of " in clause.subject and not clause.plural
    if len(rest.split()) < (2 if of else 4) or re.match(
        r"the (?:same|case|only|result|reason|most|first|best|last|subject|way)\b|a (?:result|good|lot|very|few|little)\b",
        rest,
    ):
        return
    rest = re.sub(r"^one of the (?:\w+ )?", "", rest)
    head = re.split(r"[,;]| (?:who|which|that|of|from|in|and) ", rest, maxsplit=1)[0]
    names = clause.subject.split()
    personal = bool(_ROLE.search(head)) and is_capital(names[0]) and names[0] != "The"
    if (
        not personal
        and clause.past
        and 2 <= len(names) <= 3
        and all(is_capital(word) and word.isalpha() for word in names)
    ):
        return
    wh = "Who" if personal else "What"
    if of:
        score = 2.8
    else:
        score = (
            2.4
            + (0.5 if re.match(r"an? ", rest) else 0)
            + (0.3 if re.search(r" (?:that|which|used|where|who|whose|consisting|designed) ", rest) else 0)
        )
        if clause.subject.startswith("the ") and not any(is_capital(word) for word in names):
            score -= 0.5
    if clause.rest.startswith("one of"):
        score -= 0.8
    yield Question(
        "definition", f"{wh} {clause.verb} {clause.subject}?", f"{wh.lower()} {clause.subject} {clause.verb}", score
    )


_OBJECT = r"(?P<object>[^,;:]{3,70}?)(?=,|;|:| (?:and|but|which|who|when|while|because|although|in|on|after|before|during|at|by|from|under|with|that|to|for|as|where|so)\b|$)"


def _agent(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X was invented by Y` and `Y invented X`."""
    passive = re.match(
        r"(?P<adverb>first |originally |later |independently |[a-z]+ly )?(?P<participle>[a-z]+)(?P<tail>(?: [^,;:]{1,60}?)?) by (?P<agent>(?!means|using|the fact|way|the (?:use|time|end|early|late|year|mid)|\d)[^,;:]+)",
        clause.rest,
    )
    if (
        passive
        and clause.verb in {"is", "are", "was", "were"}
        and is_participle(passive["participle"])
        and not clause.place
    ):
        yield from _passive(clause, passive)
    elif clause.kind == "past" and clause.base in _MAKING and not clause.date and not clause.place:
        object_ = re.match(_OBJECT, clause.rest)
        words = clause.subject.split()
        if (
            object_
            and len(words) >= 2
            and all(is_capital(word) or word in {"and", "of", "de", "von", "van", "da"} for word in words)
        ):
            thing = object_["object"]
            if _is_thing(thing, chunk) and not set(words) & _GROUPS:
                text = f"Who {clause.verb} {thing}"
                yield Question("who", text + "?", text[0].lower() + text[1:], 2.2, clause.subject)


_NO_AGENT = frozenset(
    """follow precede go mean base increase characterize serve accompany represent surround dominate see consider know
    partially influence join bound border own use assist support replace succeed attend mark""".split()  # noqa: SIM905
)
_DRIVING = frozenset(
    """drive cause control power limit determine affect trigger regulate produce prevent protect govern create form generate
    damage destroy stimulate hamper threaten reduce inhibit measure improve carry""".split()  # noqa: SIM905
)


def _passive(clause: Clause, passive: re.Match[str]) -> Iterator[Question]:
    participle, tail, agent = passive["participle"], passive["tail"], passive["agent"].strip()
    if (
        re.match(r"[a-z]{2,}ing\b", agent)
        or re.match(r"(?:his|her|its|their|this|these|that|those|it|them|him)\b", agent)
        or not tail_fits(tail)
    ):
        return
    base = PARTICIPLE.get(participle)
    if base is None or base not in PAST_BY_BASE or base in _NO_AGENT:
        return
    name = re.match(
        r"(?:[A-ZÀ-Þ][\w.'’-]*|of|de|von|van|the(?= [A-Z])|and(?= [A-Z]))(?: (?:[A-ZÀ-Þ][\w.'’-]*|of(?= [A-Z])|de|von|van|and(?= [A-Z])))*",
        agent,
    )
    adverb = (passive["adverb"] or "").strip()
    adverb = "" if adverb in {"originally", "later"} else adverb
    verb = past_of_participle(participle) if clause.past else singular(base)
    personal = base in _MAKING or bool(name)
    wh = "Who" if personal else "What"
    if not personal and base not in _DRIVING:
        return
    text = tidy(f"{wh} {adverb} {verb} {clause.subject}{tail}")
    answer = name[0] if name and " " in name[0] else ""
    yield Question(
        "who" if personal else "effect", text + "?", text[0].lower() + text[1:], 2.6 if personal else 3.0, answer
    )


_MAKING = frozenset(
    """invent discover found write design build develop introduce propose publish paint compose direct produce patent coin create
    establish formulate devise construct demonstrate describe name make lead commission perform sing defeat conquer win
    translate edit first""".split()  # noqa: SIM905
)
_GROUPS = frozenset(
    [
        "University",
        "Company",
        "Corporation",
        "Council",
        "Party",
        "Church",
        "College",
        "School",
        "Act",
        "League",
        "Army",
        "Empire",
        "Dynasty",
        "Committee",
    ]
)


def _is_thing(phrase: str, chunk: str) -> bool:
    """An object that can be asked about by itself."""
    words = phrase.split()
    if (
        not tail_fits(phrase)
        or not words
        or words[0]
        in {
            "it",
            "them",
            "its",
            "his",
            "her",
            "their",
            "a",
            "an",
            "some",
            "several",
            "two",
            "three",
            "four",
            "more",
            "to",
            "that",
            "not",
            "into",
            "for",
        }
    ):
        return False
    return standing(words, chunk, past=False) >= 2 and (
        any(is_capital(word) for word in words)
        or re.match(r"the (?:first|modern|original|theory|law|concept|idea|name|term) [a-z]+", phrase) is not None
    )


_CAUSING = re.compile(
    r"(?:lead|result|cause|trigger|prevent|reduce|limit|affect|influence|determine|drive|increase|improve|threaten|stimulate|require|depend|differ)$"
)


_WITH_PREPOSITION = frozenset(
    {
        ("focus", "on"), ("specialize", "in"), ("deal", "with"), ("contribute", "to"), ("respond", "to"), ("suffer", "from"),
        ("benefit", "from"), ("relate", "to"), ("correspond", "to"), ("concentrate", "on"), ("rest", "on"), ("draw", "on"),
        ("originate", "from"), ("stem", "from"), ("evolve", "from"), ("specialise", "in"), ("apply", "to"), ("react", "with"),
        ("compete", "with"), ("emerge", "from"), ("arise", "from"), ("result", "from"), ("range", "from"), ("participate", "in"),
        ("insist", "on"), ("object", "to"), ("account", "for"), ("rank", "as"), ("act", "as"), ("function", "as"), ("aim", "to"),
    }
) - {("aim", "to"), ("range", "from")}  # fmt: skip


def _effect(clause: Clause, chunk: str) -> Iterator[Question]:
    if clause.kind == "aux" or clause.because:
        return
    rest, base = clause.rest, clause.base
    verb = clause.verb
    if (
        base in {"lead", "result"}
        and re.match(r"(?:directly )?(?:to|in) (?!the (?:way|east|west|north|south))\S", rest)
        and not (base == "lead" and rest.startswith("in"))
    ):
        preposition = "to" if base == "lead" else "in"
        yield Question("effect", clause.ask("What", preposition), clause.tell("what", preposition), 3.0)
    elif base in {"cause", "trigger", "stimulate"} and rest:
        yield Question("effect", clause.ask("What", ""), clause.tell("what", ""), 2.9)
    elif base in {"depend", "rely"} and re.match(r"(?:up)?on \S", rest):
        yield Question("what", clause.ask("What", "on"), clause.tell("what", "on"), 3.2)
    elif (base == "consist" and rest.startswith("of ")) or (base == "belong" and rest.startswith("to ")):
        preposition = rest.split()[0]
        yield Question("what", clause.ask("What", preposition), clause.tell("what", preposition), 2.9)
    elif base in {"require", "need"} and len(rest.split()) >= 2 and not rest.startswith("to "):
        yield Question("what", clause.ask("What", ""), clause.tell("what", ""), 2.9)
    elif (
        base in {"involve", "include", "comprise", "contain", "measure"}
        and len(rest.split()) >= 3
        and not re.match(r"\d", rest)
    ):
        yield Question("what", clause.ask("What", ""), clause.tell("what", ""), 2.5)
    elif base in {"refer"} and rest.startswith("to "):
        yield Question("what", clause.ask("What", "to"), clause.tell("what", "to"), 3.0)
    elif base == "mean" and len(rest.split()) >= 2:
        yield Question("what", clause.ask("What", ""), clause.tell("what", ""), 2.6)
    elif base == "derive" and rest.startswith("from "):
        yield Question("what", clause.ask("What", "from"), clause.tell("what", "from"), 2.7)
    elif base in {
        "suffer",
        "originate",
        "focus",
        "specialize",
        "specialise",
        "concentrate",
        "operate",
        "evolve",
        "emerge",
    }:
        pass
    elif base == "play" and (role := re.match(r"an? (?:[a-z-]+ ){0,3}role in [^,;:]{4,60}", rest)):
        tail = re.sub(r"^an? (?:[a-z-]+ ){0,3}role ", "", role[0])
        tail = re.split(r" (?:and|but|which|by|when|because|as) ", tail, maxsplit=1)[0]
        if tail_fits(tail):
            yield Question("what", clause.ask("What role", f"{tail}"), clause.tell("what role", tail), 3.0)


_PASSIVE_WHAT = (
    # participle and preposition, question word
    (
        r"(?:best |also |well |widely |mainly |mostly |chiefly |primarily )?known for (?!an? |being|his|her|the fact)\S",
        "What",
        "known for",
        3.0,
    ),
    (r"(?:best |also |well |widely |mainly |mostly )?(?:known|famous|noted) for \S", "What", "known for", 2.9),
    (
        r"(?:mainly |mostly |commonly |widely |often |primarily |still |usually |typically )?used (?:to|for|in|as) \S",
        "What",
        "used for",
        3.2,
    ),
    (r"(?:usually |typically |generally |often )?made (?:up )?of \S", "What", "made of", 3.0),
    (r"(?:usually |typically |generally |mainly |often )?composed of \S", "What", "composed of", 2.9),
    (r"(?:originally )?named (?:after|for|in honou?r of) \S", "What", "named after", 2.8),
    (r"responsible for \S", "What", "responsible for", 2.9),
    (r"(?:largely |mainly |partly |primarily )?based on \S", "What", "based on", 2.9),
    (r"(?:originally |derived )?(?:derived) from \S", "What", "derived from", 2.8),
    (r"(?:closely |strongly )?associated with \S", "What", "associated with", 2.5),
    (r"(?:commonly |often |formerly |sometimes |originally |popularly |officially |usually )?(?:known as|called|nicknamed|referred to as|dubbed) \S", "What", "known as", 2.5),
    (r"required (?:for) \S", "What", "required for", 2.6),
    (r"divided into \S", "What", "divided into", 2.9),
    (
        r"(?:mainly |mostly |currently |also )?(?:located|situated) (?:in|on|at|near|within|between|along|about|approximately|some|to|north|south|east|west|just)\b",
        "Where",
        "located",
        2.6,
    ),
    (r"(?:\w+ly )?(?:found) (?:in|on|at|near|throughout|within) \S", "Where", "found", 2.5),
    (r"born (?:in|at) [A-Z]", "Where", "born", 2.2),
    (r"buried (?:in|at) \S", "Where", "buried", 2.2),
    (r"headquartered in \S", "Where", "headquartered", 2.3),
)


def _passive_what(clause: Clause, chunk: str) -> Iterator[Question]:
    if clause.verb not in {"is", "are", "was", "were"} or clause.because:
        return
    for pattern, wh, tail, score in _PASSIVE_WHAT:
        if re.match(pattern, clause.rest):
            tail = f"{tail} {clause.place}".strip() if clause.place and wh == "What" else tail
            kind = "where" if wh == "Where" else "what"
            yield Question(kind, clause.ask(wh, tail), clause.tell(wh.lower(), tail), score)
            return
    general = re.match(
        r"(?P<adverb>\w+ly )?(?P<participle>[a-z]+) (?P<preposition>as|into|from|with|for|on) (?!account|purpose|behalf|the basis|\d|[A-Z][a-z]+ \d)\S",
        clause.rest,
    )
    if (
        general
        and general["participle"] in PARTICIPLE
        and clause.standing >= 2
        and not re.match(r"(?:its|his|her|their|this|that|it)\b", clause.rest[general.end() - 1 :])
    ):
        tail = f"{general['adverb'] or ''}{general['participle']} {general['preposition']} {clause.place}".strip()
        yield Question("what", clause.ask("What", tail), clause.tell("what", tail), 1.9)


_WHEN = rf" (?P<preposition>in|on|around|about|circa|from|between|until) (?P<date>(?:about |around |approximately )?{DATE}(?: (?:and|to|until) {DATE})?)"


_ALONE = frozenset(
    """die occur begin end arrive open close start happen collapse erupt sink appear emerge disappear retire resign win fall
    disband premiere debut depart originate""".split()  # noqa: SIM905
)


def _when(clause: Clause, chunk: str) -> Iterator[Question]:
    if clause.because:
        return
    if clause.date:
        tail = re.split(
            r"[,;:]| (?:and|but|which|who|while|where|when|after|before|because|although|with|following|making|leading) ",
            clause.rest,
            maxsplit=1,
        )[0].strip()
        if clause.past and _clean_tail(clause, tail) and len(tail.split()) >= 1 and not re.search(r"\d{4}", tail):
            if not (clause.verb in {"was", "were"} and not is_participle(tail.split()[0])) and "had" not in clause.verb:
                yield Question(
                    "when",
                    clause.ask("When", tail),
                    clause.tell("when", tail),
                    2.1,
                    f"In {clause.date}" if clause.date[0].isdigit() else "",
                )
        return
    if not clause.past:
        return
    for tail, found in _tails(" " + clause.rest, _WHEN):
        tail = tail.strip()
        if found["preposition"] in {"until", "from"}:
            continue
        bare = (clause.kind == "past" and clause.base in _ALONE) or (
            clause.verb in {"was", "were"} and clause.subject.startswith("the ")
        )
        if not _clean_tail(clause, tail, bare=bare) or re.search(r"\d{4}", tail):
            return
        if clause.verb in {"was", "were"} and tail and not any(is_participle(word) for word in tail.split()[:3]):
            return
        place = f" {clause.place}" if clause.place else ""
        answer = tidy(found[0])
        yield Question(
            "when",
            clause.ask("When", tail + place),
            clause.tell("when", tail + place),
            2.3,
            answer[0].upper() + answer[1:],
        )
        return


_TRANSITIVE = frozenset(
    """sign announce develop publish introduce propose launch create establish build found open invent discover win
    purchase acquire adopt pass release replace host reject write produce buy sell complete patent design construct rename
    demand order offer abandon abolish ban approve grant award join sponsor organize organise begin start conquer capture
    invade occupy defeat attack commission finish unveil recommend become""".split()  # noqa: SIM905
)


def _object(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X signed a treaty in 1985`, asked for the treaty."""
    if clause.kind != "past" or clause.base not in _TRANSITIVE or clause.standing < 3 or clause.because or clause.place:
        return
    if re.match(r"(?:it|them|him|her|to|in|on|at|from|with|that|as|for|by|up|out|its|his|not|what|into|over|against)\b", clause.rest):
        return
    year = ""
    if clause.date:
        year = f"in {clause.date}" if re.match(r"[A-Zt\d]", clause.date) and not re.match(r"\d{1,2} [A-Z]|[A-Z][a-z]+ \d{1,2}\b(?!\d)", clause.date) else f"on {clause.date}"
    else:
        found = re.match(rf"(?P<object>[^,;:]{{3,60}}?) (?P<when>(?:in|on) {DATE})", clause.rest)
        if found and tail_fits(found["object"]) and len(found["object"].split()) >= 2:
            year = found["when"]
    if year and re.search(r"\d", year):
        yield Question("object", clause.ask("What", year), clause.tell("what", year), 2.0)


_AMOUNT = r"(?P<amount>(?:(?:about|around|approximately|over|more than|nearly|almost|at least|up to|some|only|roughly|just|fewer than|less than) )*(?:[$€£]?\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a dozen)(?: (?:hundred|thousand|million|billion|trillion))?)"
_UNITS = {
    "long": r"(?:m|metres?|meters?|feet|foot|km|kilomet(?:re|er)s?|miles?|inches|cm|mm|years|hours|minutes|seconds|days)",
    "tall": r"(?:m|metres?|meters?|feet|foot|inches|stor(?:ies|eys))",
    "high": r"(?:m|metres?|meters?|feet|foot)",
    "wide": r"(?:m|metres?|meters?|feet|foot|km|miles?|inches|cm|mm)",
    "deep": r"(?:m|metres?|meters?|feet|foot|km|miles?)",
    "thick": r"(?:m|metres?|meters?|feet|foot|inches|cm|mm)",
    "old": r"(?:years|months|days)",
}
_COUNTING = frozenset(
    [
        "have",
        "contain",
        "include",
        "employ",
        "comprise",
        "operate",
        "win",
        "publish",
        "write",
        "own",
        "produce",
        "receive",
        "sell",
        "score",
        "lose",
        "hold",
        "feature",
        "cover",
        "record",
        "carry",
    ]
)


def _number(clause: Clause, chunk: str) -> Iterator[Question]:
    rest = clause.rest
    if clause.verb in {"is", "was", "are", "were"}:
        measure = re.match(
            rf"{_AMOUNT} (?P<unit>(?:{'|'.join(u[3:-1] for u in _UNITS.values())})) (?P<adjective>{'|'.join(_UNITS)})\b",
            rest,
        )
        if measure:
            wh = f"How {measure['adjective']}"
            yield Question(
                "number",
                clause.ask(wh, ""),
                clause.tell(wh.lower(), ""),
                2.4,
                tidy(f"{measure['amount']} {measure['unit']}"),
            )
        return
    if clause.kind == "aux" or clause.because:
        return
    if clause.base in {"last", "take", "span"} and (
        span := re.match(rf"{_AMOUNT} (?:years|months|weeks|days|hours|minutes|seconds)\b", rest)
    ):
        yield (
            Question("number", clause.ask("How long", ""), clause.tell("how long", ""), 2.4, span[0])
            if clause.base != "span"
            else Question("number", clause.ask("How long a time", ""), clause.tell("how long a time", ""), 1.0, span[0])
        )
    elif clause.base in {"cost", "weigh"} and (sum_ := re.match(rf"{_AMOUNT}(?: [a-z]+)?", rest)):
        yield Question("number", clause.ask("How much", ""), clause.tell("how much", ""), 2.4, sum_[0])
    elif clause.base in _COUNTING:
        counted = re.match(
            rf"{_AMOUNT} (?P<noun>(?:[a-z-]+ ){{0,3}}?[a-z-]+s)(?=,|;|$| (?:and|in|on|with|which|that|from|for|by|at|as|who|during|including|of)\b)",
            rest,
        )
        if (
            counted
            and not counted["noun"].startswith("more ")
            and "percent" not in counted["noun"]
            and not re.match(r"(?:is|was|years|times|of|as|less|plus)\b", counted["noun"])
        ):
            after = rest[counted.end() :]
            tail = ""
            prepositional = re.match(
                r" (?:of|in|for|at|from|on) [^,;:]{2,40}?(?=,|;|$| (?:and|which|that|including|with)\b)", after
            )
            if prepositional and tail_fits(prepositional[0].strip()):
                tail = prepositional[0].strip()
            year = (
                f" in {clause.date}"
                if clause.date and clause.date[0].isdigit() and "in " not in f"{tail} "
                else f" {clause.place}"
                if clause.place
                else ""
            )
            yield Question(
                "number",
                clause.ask(f"How many {counted['noun']}", tail + year),
                clause.tell(f"how many {counted['noun']}", tail + year),
                2.2,
                counted["amount"] + " " + counted["noun"],
            )


def _comparison(clause: Clause, chunk: str) -> Iterator[Question]:
    if clause.base == "differ" and (
        found := re.match(r"from (?P<other>[^,;:]{3,50}?)(?= (?:in|by|because|as)\b|,|$)", clause.rest)
    ):
        if standing(found["other"].split(), chunk, past=False) >= 1:
            yield Question("comparison", clause.ask("How", found[0]), clause.tell("how", found[0]), 3.6)
    found = re.match(
        r"(?:also |generally |usually |often |much |far |significantly |slightly |considerably )*(?:(?:more|less) [a-z-]+|[a-z]+er) (?:[a-z]+ )?than (?P<other>(?!the (?:one|other|average))[^,;:]{3,50}?)(?= (?:because|when|in|and|at|by|as|is|are|was|but)\b|,|;|$)",
        clause.rest,
    )
    if (
        found
        and clause.verb in {"is", "are", "was", "were"}
        and standing(found["other"].split(), chunk, past=False) >= 2
    ):
        yield Question(
            "comparison",
            f"How {'did' if clause.past else 'do' if clause.plural else 'does'} {clause.subject} compare with {found['other']}?",
            f"how {clause.subject} {'compared' if clause.past else 'compare' if clause.plural else 'compares'} with {found['other']}",
            3.0,
        )


_CONDITION = re.compile(
    r"^(?P<word>If|When|Whenever|As long as|Unless) (?P<condition>[^,;:]{8,90}), (?P<main>[^;:]{8,})$"
)


def _conditions(text: str, chunk: str) -> Iterator[Question]:
    """`If X happens, Y.`"""
    found = _CONDITION.match(text.rstrip(".!"))
    if found is None or found["word"] == "Unless" or not tail_fits(found["condition"]):
        return
    inner = parse(found["condition"][0].upper() + found["condition"][1:] + ".", chunk)
    if inner is None or inner.standing < 1 or re.match(r"(?:and|or|but|then,? )", found["main"]):
        return
    word = "if" if found["word"] == "If" else "when"
    if re.search(r"\bnot be (?:equal|true)\b", found["condition"]) or inner.verb in {"could", "would", "might", "may"}:
        return
    happens = "happened" if inner.past else "happens"
    body = found["condition"]
    text_ = f"What {happens} {word} {body}"
    yield Question("condition", text_ + "?", f"what {happens} {word} {body}", 3.3 + 0.4 * inner.standing)


_THERE = re.compile(
    rf"^(?:In (?P<year>\d{{4}}), )?[Tt]here (?P<verb>are|were) {_AMOUNT} (?P<noun>(?:[a-z-]+ ){{0,3}}?[a-z-]+s) (?P<place>(?:in|at|on) (?:the )?[A-Z][^,;:.]{{2,50}}?)(?=,|;|\.|:| (?:and|of which|which|with|who|that)\b)"
)


def _existence(text: str) -> Iterator[Question]:
    found = _THERE.match(text)
    if found and tail_fits(found["place"]):
        year = f" in {found['year']}" if found["year"] else ""
        yield Question(
            "number",
            f"How many {found['noun']} {found['verb']} there {found['place']}{year}?",
            f"how many {found['noun']} there {found['verb']} {found['place']}{year}",
            2.6,
            tidy(f"{found['amount']} {found['noun']}"),
        )


_RULES: tuple[Callable[[Clause, str], Iterator[Question]], ...] = (
    _why,
    _how,
    _definition,
    _agent,
    _effect,
    _passive_what,
    _when,
    _number,
    _comparison,
    _superlative,
    _object,
)
