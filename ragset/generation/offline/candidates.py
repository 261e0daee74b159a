"""Every question that a chunk answers by one of the patterns, with the sentences that answer it."""

import re
from functools import lru_cache
from typing import NamedTuple

from ragset.generation.offline.cells import cells
from ragset.generation.offline.clause import parse
from ragset.generation.offline.european import european_questions
from ragset.generation.offline.faq import posed_questions
from ragset.generation.offline.language import guess_language
from ragset.generation.offline.nouns import is_capital
from ragset.generation.offline.prose import spoken
from ragset.generation.offline.question import Question
from ragset.generation.offline.questions import questions
from ragset.generation.offline.text import Sentence, sentences
from ragset.text.rules.passage_references import leans


class Candidate(NamedTuple):
    """A question with what answers it: the last sentence, and before it the one that names whom it speaks of.

    Of a question that the text itself asks it is the paragraph below, of a cell the rows of its head and its own.
    """

    question: Question
    evidence: tuple[Sentence, ...]
    answer: str
    """The answering sentence, its pronoun replaced by the name it stands for."""


_PRONOUN = re.compile(r"(?:He|She|It|They)(?= (?!seems|appears|takes|took)[a-z])")
_OTHER = re.compile(r"\b(?:it|him|them)\b")
_EXPLETIVE = re.compile(
    r"It (?:is|was|has been|can be|may be|would be) (?:\w+ ){0,3}(?:that|to|for|who|when|whether|not until|because)\b"
)
_SHORTEST, _LONGEST = 4, 60
"""Words of a sentence that is worth taking apart."""


@lru_cache(maxsize=64)
def candidates(chunk: str) -> tuple[Candidate, ...]:
    """In the order of the text; nothing in a language without rules."""
    language = guess_language(chunk)
    if language is None:
        return ()
    own = tuple(
        Candidate(question, evidence, " ".join(spoken(sentence.text) for sentence in evidence))
        for question, evidence in posed_questions(chunk, language)
    )
    if language == "en":
        return (*own, *_english(chunk), *_of_tables(chunk))
    return own + tuple(
        Candidate(question, (sentence,), spoken(sentence.text))
        for sentence in sentences(chunk)
        if _SHORTEST <= len(sentence.text.split()) <= _LONGEST
        for question in european_questions(sentence.text, language)
        if leans(question.text, language) is None
    )


class Told(NamedTuple):
    """A sentence that can be taken apart, on one line."""

    text: str
    """Its pronoun replaced by the name it stands for."""
    evidence: tuple[Sentence, ...]
    """The sentence, and before it the one that names whom it speaks of."""


@lru_cache(maxsize=64)
def told(chunk: str) -> tuple[Told, ...]:
    """The English sentences of `chunk` that name their subject, or whose pronoun stands for one without doubt."""
    found: list[Told] = []
    topic: tuple[str, bool, Sentence] | None = None
    for whole in sentences(chunk):
        sentence = _without_heading(whole)
        text = spoken(sentence.text)
        if not _SHORTEST <= len(text.split()) <= _LONGEST:
            topic = None
            continue
        pronoun = _PRONOUN.match(text)
        if pronoun:
            if topic is None or _EXPLETIVE.match(text) or not _stands_for(pronoun[0], topic[0], plural=topic[1]):
                topic = None
                continue
            text = topic[0][0].upper() + topic[0][1:] + text[pronoun.end() :]
            found.append(Told(text, (topic[2], sentence)))
            continue
        found.append(Told(text, (sentence,)))
        clause = parse(text, chunk)
        # After "Columbia released it", "it" is not Columbia.
        clear = clause is not None and clause.standing >= 2 and not _OTHER.search(text)
        topic = (clause.subject, clause.plural, sentence) if clause and clear else None
    return tuple(found)


def _english(chunk: str) -> list[Candidate]:
    # A sentence that names its subject itself is the better evidence.
    return [
        Candidate(question._replace(score=question.score - 0.6 * (len(evidence) - 1)), evidence, text)
        for text, evidence in told(chunk)
        for question in questions(text, chunk)
        if leans(question.text) is None
    ]


def _of_tables(chunk: str) -> list[Candidate]:
    return [
        Candidate(question, evidence, question.answer)
        for question, evidence in cells(chunk)
        if leans(question.text) is None
    ]


_HEADING = re.compile(r"[^\n.,;:!?=]{3,60}\n\s*(?=(?:A|An|The) [a-z])|(?:= ){1,4}[^\n=]{2,60}(?: =){1,4}\s+(?=[A-Z])")


def _without_heading(sentence: Sentence) -> Sentence:
    """A title on a line of its own, with no full stop, is no part of the sentence below it."""
    heading = _HEADING.match(sentence.text)
    if (
        heading is None
        or len(heading[0].replace("=", "").split()) > 7
        or not (heading[0][0].isupper() or heading[0][0] == "=")
    ):
        return sentence
    return Sentence(sentence.start + heading.end(), sentence.end, sentence.text[heading.end() :])


def _stands_for(pronoun: str, subject: str, *, plural: bool) -> bool:
    """Whether the pronoun can mean the subject of the sentence before."""
    words = subject.split()
    short = len(words) <= 6 and " and " not in subject
    named = len(words) <= 4 and all(
        is_capital(word) or word in {"of", "de", "von", "van", "al", "da"} for word in words
    )
    person = named and not any(len(word) > 2 and word.isupper() for word in words)
    if pronoun in {"He", "She"}:
        return person and not plural
    if pronoun == "It":
        return short and not plural and not subject.endswith("s") and not (person and len(words) > 1)
    return short and plural
