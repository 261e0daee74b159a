"""Who invented X, what drives X: questions for the one who does it, from the passive and the active."""

import re
from collections.abc import Iterator

from ragset.generation.offline.clause import Clause
from ragset.generation.offline.nouns import is_capital, standing
from ragset.generation.offline.phrase import again_and_again, tail_fits
from ragset.generation.offline.question import Question, stated
from ragset.generation.offline.text import tidy
from ragset.generation.offline.verbs import BE, PARTICIPLE, past_of_participle, singular

_PASSIVE = re.compile(
    r"(?P<adverb>first |originally |later |independently |[a-z]+ly )?(?P<participle>[a-z]+)(?P<tail>(?: [^,;:]{1,60}?)??) by "
    r"(?P<agent>(?!means|using|the fact|way|the (?:use|time|end|early|late|year|mid)|\d)[^,;:]+)"
)
_OBJECT = re.compile(
    r"(?P<object>[^,;:]{3,70}?)(?=,|;|:| (?:but|which|who|when|while|because|although|in|on|after|before|during|at|by|from"
    r"|under|with|that|to|for|as|where|so)\b|$)"
)
_NAME = re.compile(
    r"(?:[A-ZÀ-Þ][\w.'’-]*|the(?= [A-Z]))(?: (?:[A-ZÀ-Þ][\w.'’-]*|of(?= [A-Z])|de|von|van|and(?= [A-Z])))*"
)
MAKING = frozenset(
    """invent discover found write design build develop introduce propose publish paint compose direct produce patent coin
    create establish formulate devise construct demonstrate name commission perform sing defeat conquer translate edit
    launch open order found install sponsor donate restore rebuild repair pioneer promote encourage ordain crown elect
    award appoint kill capture arrest lead""".split()  # noqa: SIM905
)
"""What is done on purpose, by someone who can be asked for by name."""
_DRIVING = frozenset(
    """drive cause control power limit determine affect trigger regulate produce prevent protect create form generate
    damage destroy stimulate hamper threaten reduce inhibit measure improve correct govern""".split()  # noqa: SIM905
)
"""What a thing can do."""
_TOLD = frozenset("order commission appoint encourage lead elect name direct crown award".split())  # noqa: SIM905
"""Their object may be who is to do something."""
_HALF_WAY = frozenset("partly partially mainly largely mostly primarily chiefly jointly".split())  # noqa: SIM905
"""With such an adverb there were others too."""
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
    ]
)


def agent(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X was invented by Y`, `Y invented X`."""
    passive = _PASSIVE.match(clause.rest)
    if passive and clause.verb in BE:
        if not clause.place:
            yield from _of_passive(clause, passive)
    elif clause.kind == "past" and clause.base in MAKING and not clause.date and not clause.place:
        words = clause.subject.split()
        found = _OBJECT.match(clause.rest)
        if found and len(words) >= 2 and all(_is_name_part(word) for word in words):
            thing = found["object"]
            # "Ordered the fleet to sail" is an order to it, and not for it.
            if clause.base in _TOLD and re.match(r" to [a-z]", clause.rest[found.end() :]):
                return
            if not set(words) & _GROUPS and _is_known_thing(thing, chunk):
                yield stated("who", f"Who {clause.verb} {thing}", 2.2, clause.subject)


def _of_passive(clause: Clause, passive: re.Match[str]) -> Iterator[Question]:
    doer = passive["agent"].strip()
    if re.match(r"(?:[a-z]{2,}ing|his|her|its|their|this|these|that|those|it|them|him)\b", doer):
        return
    tail, last = passive["tail"], passive["tail"].rpartition(" ")[2]
    if again_and_again(tail) or last in _HALF_WAY:
        return
    # How it was done says nothing of by whom.
    tail = tail.removesuffix(f" {last}") if last.endswith("ly") else tail
    base = PARTICIPLE.get(passive["participle"], "")
    verb = past_of_participle(passive["participle"]) if clause.past else singular(base)
    if not verb or not tail_fits(tail) or re.search(r"\b(?:and|or)\b", tail):
        return
    adverb = (passive["adverb"] or "").strip()
    adverb = "" if adverb in {"originally", "later"} else adverb
    name = _NAME.match(doer)
    if name and re.match(
        r" (?!in|on|at|for|during|from|after|before|and|as|to|with|of|under|between)[a-z]", doer[name.end() :]
    ):
        name = None
    predicate = tidy(f"{adverb} {verb} {clause.subject}{tail}")
    if base in MAKING and (name or not re.match(r"(?:an?|the) ", doer) or clause.past):
        yield stated("who", f"Who {predicate}", 2.6, name[0] if name and " " in name[0] else "")
    elif base in _DRIVING:
        yield stated("effect", f"What {predicate}", 3.0)


def _is_known_thing(phrase: str, chunk: str) -> bool:
    """An object that can be asked about by itself."""
    words = phrase.split()
    if (
        not words
        or not tail_fits(phrase)
        or words[0] in {"a", "an", "two", "three", "four", "into", "for", "not", "to"}
    ):
        return False
    known = re.match(r"the (?:first|modern|original|theory|law|concept|idea|name|term) [a-z]+", phrase)
    named = any(is_capital(word) for word in words)
    full = len(words) >= 5 and "of" in words
    return standing(words, chunk, past=False) >= 2 and (known is not None or named or full)


def _is_name_part(word: str) -> bool:
    return (
        is_capital(word)
        or word in {"of", "de", "von", "van", "da"}
        or re.match(r"(?:al|ad|ibn)-[A-Z]", word) is not None
    )
