"""Questions that the text itself asks and answers, as lists of frequent questions do."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragset.generation.offline.question import Question, is_sound, posed
from ragset.generation.offline.substance import content, names
from ragset.generation.offline.text import Sentence, sentences, tidy
from ragset.text.rules.conjoined import conjoined
from ragset.text.rules.passage_references import leans
from ragset.text.rules.pronouns import unnamed

_MARK = r"(?:Q|F|P|Question|Frage|Pregunta)\d{0,3}[ \t]?[:.)]"
_NUMBER = r"(?:\d{1,3}[.)][ \t]+)?"
_ANSWER = re.compile(r"\s*(?:\*\*|__)?(?:A|R|Answer|Antwort|Réponse|Respuesta)\d{0,3}[ \t]?[:.)](?:\*\*|__)?\s*|\s*")
_ASKED = re.compile(
    rf"""^[ \t]*(?:(?:[-*+]|\d{{1,3}}[.)])[ \t]+)?(?:
      (?P<bold>\*\*|__){_NUMBER}(?:{_MARK}\s*)?(?P<strong>[^*_\n]{{8,200}}\?)(?P=bold)
    | \#{{1,6}}[ \t]+(?:\*\*)?{_NUMBER}(?:{_MARK}\s*)?(?P<heading>[^\#*\n]{{8,200}}\?)(?:\*\*)?[ \t]*(?=\n)
    | (?:\*\*|__)?{_MARK}(?:\*\*|__)?[ \t]*(?P<marked>[^\n]{{8,200}}?\?)(?=[ \t]*\n|[ \t]+(?:\*\*)?(?:A|R|Antwort|Answer)[:.)])
    )""",
    re.MULTILINE | re.VERBOSE,
)
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:\#|\||```|[-*+][ \t]|\d{1,3}[.)][ \t]))")
_NO_PROSE = re.compile(r"\s*(?:\||```|~~~|[-*+][ \t]|\d{1,3}[.)][ \t]|!\[|https?:)")
_OF_WHOEVER_ANSWERS = {
    "en": re.compile(r"(?:Do|Does|Are|Can|Will|Have|Did|Could|Would) you\b|.*\b(?:your|yours|our|ours|us|we)\b", re.IGNORECASE),
    "es": re.compile(r"¿(?:[a-z]+[ae]n|[a-z]+[áé]is)\b|.*\b(?:vuestr[oa]s?|nuestr[oa]s?|ustedes)\b", re.IGNORECASE),
    "de": re.compile(r"(?:[A-ZÄÖÜ]\w+)(?: Sie\b| ihr\b)|.*\b(?:Ihr|Ihre[rsnm]?|euch|eure[rsnm]?|unsere?[rsnm]?|uns)\b"),
    "fr": re.compile(r"\w+-vous\b|.*\b(?:votre|vos|notre|nos)\b", re.IGNORECASE),
}  # fmt: skip
"""It asks the one who answers about themselves, and nobody else knows who that is."""
_NO_SUBJECT = re.compile(
    r"\b(?:it|its|they|them|this|that|these|those|he|she|him|esto|eso|lo|das|dies|diese[rsmn]?|es|ça|cela|ce|what now|else)\b[^?]{0,3}\?$|^(?:And|But|Y|Und|Et) ",
    re.IGNORECASE,
)
_KINDS = (
    ("number", re.compile(r"how (?:many|much|long|often|old|far|tall|high|big|large)\b|¿cuánt[oa]s?\b|wie (?:viele?|lange|oft|hoch|groß|alt|weit)\b|combien\b", re.IGNORECASE)),
    ("how", re.compile(r"how\b|¿cómo\b|wie\b|comment\b", re.IGNORECASE)),
    ("why", re.compile(r"why\b|¿por qué\b|(?:warum|weshalb|wieso)\b|pourquoi\b", re.IGNORECASE)),
    ("when", re.compile(r"when\b|¿cuándo\b|wann\b|quand\b", re.IGNORECASE)),
    ("where", re.compile(r"where\b|¿(?:a)?dónde\b|wo(?:hin|her)?\b|où\b", re.IGNORECASE)),
    ("who", re.compile(r"who\b|¿quién(?:es)?\b|we[rmn]\b|qui\b", re.IGNORECASE)),
    ("condition", re.compile(r"what happens\b|¿qué (?:pasa|ocurre|sucede)\b|was (?:passiert|geschieht)\b|que se passe-t-il\b", re.IGNORECASE)),
)  # fmt: skip
_SCORE = 5.0
"""Whoever wrote the text knew that it is asked."""
_MOST_SENTENCES, _FEWEST_WORDS = 4, 5
_LONGEST = 25


class Posed(NamedTuple):
    """A question of the text, and the sentences of the paragraph below it."""

    question: Question
    evidence: tuple[Sentence, ...]


def posed_questions(chunk: str, language: str) -> Iterator[Posed]:
    """Those that stand alone and have prose for an answer, in the order of the text."""
    found = list(_ASKED.finditer(chunk))
    for place, one in enumerate(found):
        end = found[place + 1].start() if place + 1 < len(found) else len(chunk)
        text = tidy(one["strong"] or one["heading"] or one["marked"]).strip("*_ ")
        said = _said(chunk, one.end(), end)
        if said and stands_alone(text, language):
            kind = next((kind for kind, pattern in _KINDS if pattern.match(text)), "what")
            yield Posed(posed(kind, text, "Explain", _SCORE), said)


def stands_alone(text: str, language: str) -> bool:
    """One question that names what it is about, and asks no one about themselves."""
    if not 4 <= len(text.split()) <= _LONGEST or re.search(r"[.!?…]\s", text) or text.count("?") != 1:
        return False
    if leans(text, language) or unnamed(text, language) or conjoined(text, language) or _NO_SUBJECT.search(text):
        return False
    of_themselves = _OF_WHOEVER_ANSWERS.get(language)
    if of_themselves and of_themselves.match(text):
        return False
    if language == "en" and not is_sound(text):
        return False
    return len(set(content(text))) >= 2 or bool(names(text))


def _said(chunk: str, start: int, end: int) -> tuple[Sentence, ...]:
    mark = _ANSWER.match(chunk, start, end)
    start = mark.end() if mark else start
    stop = _PARAGRAPH_END.search(chunk, start, end)
    end = stop.start() if stop else end
    if start >= end or _NO_PROSE.match(chunk, start, end):
        return ()
    told = [
        Sentence(start + one.start, start + one.end, one.text) for one in sentences(chunk[start:end])[:_MOST_SENTENCES]
    ]
    # What ends in the middle of a sentence, or in a colon, goes on elsewhere.
    while told and not re.search(r"[.!?…][\"'”’»)\]*_]*$", told[-1].text):
        told.pop()
    return tuple(told) if sum(len(one.text.split()) for one in told) >= _FEWEST_WORDS else ()
