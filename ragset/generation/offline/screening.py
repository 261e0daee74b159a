"""Can a query be sent as it stands, and the same query with what it lacks taken from the chunk where that is sure."""

import re
from typing import NamedTuple

from ragset.generation.offline.answer import answer_query, content
from ragset.generation.offline.candidates import candidates
from ragset.generation.offline.critique import is_boundless
from ragset.generation.offline.joined import is_joined
from ragset.generation.offline.language import guess_language
from ragset.generation.offline.nouns import VAGUE
from ragset.generation.offline.split import split_query
from ragset.generation.offline.text import stem, words
from ragset.generation.offline.verbs import AUXILIARIES, BASES, PAST
from ragset.llm.replies import EvolvedQuery, QueryVerdict
from ragset.text.rules.conjoined import conjoined
from ragset.text.rules.passage_references import leans
from ragset.text.rules.pronouns import unnamed

_VAGUE_STEMS = frozenset(stem(word) for word in VAGUE)
_PASSAGE = (
    r"(?:the |this |el |este |la |der |dem |diesem |le |ce )?(?:(?:given|provided|above|following) )?"
    r"(?:passage|text|document|article|excerpt|chunk|context|texto|documento|pasaje|artículo|fragmento|abschnitt|dokument|artikel"
    r"|passage|texte|document|extrait)"
)
_SOURCE = re.compile(
    rf",? ?\b(?:according to|as (?:described|mentioned|stated|explained) in|(?:described|mentioned|stated|explained|given) in|in|from"
    rf"|según|en|laut|in|selon|d['’]après|dans) {_PASSAGE}\b,? ?",
    re.IGNORECASE,
)
"""Where it is said, which a query can do without."""

_GENERAL = frozenset(
    """economy law government population people nature language music police world weather public state church society
    system culture military industry data body field environment land water science past future""".split()  # noqa: SIM905
)
"""Nouns that mean all of it as often as one of them: "How does inflation affect the economy?"."""
_DEFINITE = re.compile(r"\b[Tt]he (?P<noun>[a-z]+)(?=[?.]?$| (?P<next>[a-z]+))")
_OF_ONE_CASE = re.compile(
    r"(?:How (?:long|tall|high|wide|deep|old|many|much)|When|Where|Who|Which)\b|.*\b(?:did|was|were|had)\b"
)


class _Fault(NamedTuple):
    independent: bool
    clear: bool
    feedback: str


def judge_query(query: str) -> QueryVerdict:
    """Refused for a wording that leans, a pronoun that stands for nothing named, no subject, two questions or none."""
    fault = _fault(query)
    if fault is None:
        return QueryVerdict(
            feedback="By rule: it names its subject and asks one thing.", independent=1, clear=1, verdict=1
        )
    return QueryVerdict(
        feedback=f"By rule: {fault.feedback}",
        independent=1 if fault.independent else 0,
        clear=1 if fault.clear else 0,
        verdict=0,
    )


def stands_alone(query: str) -> str | None:
    """What to name in a query that leans on something unseen; None where it names all that it is about."""
    language = guess_language(query) or "en"
    leaning = leans(query, language)
    if leaning:
        return f'name what is meant: "{leaning}" leans on something that nobody sees.'
    pronoun = unnamed(query, language)
    if pronoun:
        return f'say who or what "{pronoun}" is.'
    about = set(content(query))
    if not about:
        return "name its subject: none of its words says what it is about."
    if re.search(r"(?<=\w )[A-ZÀ-Þ]|\d", query):
        return None
    if len(about) == 1 and about <= _VAGUE_STEMS:
        return "name its subject: its words fit many."
    which = _left_open(query) if language == "en" and not is_joined(query) else None
    return f"say which {which} is meant." if which else None


def _left_open(query: str) -> str | None:
    """The noun that fits many where one is meant ("How many schools does the university run?")."""
    told = _OF_ONE_CASE.match(query) is not None or any(word in PAST for word in words(query)[1:3])
    if not told:
        return None
    supported = re.search(r"\b(?:do|does|did)\b", query) is not None
    for found in _DEFINITE.finditer(query):
        following = found["next"]
        ends = following is None or following in AUXILIARIES or (supported and following in BASES)
        if ends and found["noun"] in VAGUE - _GENERAL:
            return found["noun"]
    return None


def _fault(query: str) -> _Fault | None:
    lacking = stands_alone(query)
    joint = None if is_joined(query) else conjoined(query, guess_language(query) or "en")
    if joint:
        told = f'ask one thing; the second begins at "{joint}".'
        return _Fault(lacking is None, clear=False, feedback=f"{lacking} {told}" if lacking else told)
    if lacking:
        return _Fault(independent=False, clear=True, feedback=lacking)
    if is_boundless(query):
        return _Fault(
            independent=True, clear=False, feedback="say what about it is asked; nearly anything would answer it."
        )
    return None


def rewrite_query(chunk: str, query: str) -> EvolvedQuery:
    """The first of two questions, the query without its source, or the one question of the chunk that it is a part of."""
    asked = re.sub(r"\s+", " ", query).strip()
    ways = (
        ("of its questions the first stands alone", lambda: _first(chunk, asked)),
        ("it can do without saying where it is said", lambda: _without_source(asked)),
        ("the passage names what it left open", lambda: _named(chunk, asked)),
    )
    for reason, way in ways:
        mended = way()
        if mended and mended != asked and _fault(mended) is None and answer_query(chunk, mended).verdict == "answered":
            return EvolvedQuery(reason=f"By rule: {reason}.", query=mended)
    return EvolvedQuery(reason="By rule: the passage does not say for sure what it lacks.", query=None)


def _first(chunk: str, query: str) -> str | None:
    if conjoined(query, guess_language(query) or "en") is None:
        return None
    parts = split_query((chunk,), query).parts
    return parts[0].query if len(parts) > 1 else None


def _without_source(query: str) -> str | None:
    shorter = re.sub(r"\s+(?=[?.,])", "", _SOURCE.sub(" ", query, count=1)).strip()
    return shorter[:1].upper() + shorter[1:] if len(shorter.split()) >= 3 else None


def _named(chunk: str, query: str) -> str | None:
    """What the chunk answers with the same word of question and all that the query names, where it is the only one."""
    asked = {word for word in content(query) if word not in _VAGUE_STEMS} or set(content(query))
    opening = words(query)[:1]
    found = {
        candidate.question.text
        for candidate in candidates(chunk)
        if asked and asked <= set(content(candidate.question.text)) and words(candidate.question.text)[:1] == opening
    }
    return found.pop() if len(found) == 1 else None
