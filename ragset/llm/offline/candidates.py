"""Every question that a chunk answers by one of the patterns, with the sentences that answer it."""

import re
from functools import lru_cache
from typing import NamedTuple

from ragset.llm.offline.clause import parse
from ragset.llm.offline.nouns import is_capital
from ragset.llm.offline.questions import Question, questions
from ragset.llm.offline.text import Sentence, sentences, tidy
from ragset.rules.leaning import leans


class Found(NamedTuple):
    """A question with what answers it: the last sentence, and before it the one that names whom it speaks of."""

    question: Question
    evidence: tuple[Sentence, ...]
    answer: str
    """The answering sentence, its pronoun replaced by the name it stands for."""


_PRONOUN = re.compile(r"(?P<pronoun>He|She|It|They)(?P<verb> (?!is (?:\w+ )?(?:that|to)\b|was (?:\w+ )?(?:that|to)\b|takes|took|seems|appears)[a-z])")
_EXPLETIVE = re.compile(r"It (?:is|was|has been|can be|may be|would be) (?:\w+ ){0,3}(?:that|to|for|who|when|whether)\b")


@lru_cache(maxsize=256)
def candidates(chunk: str) -> tuple[Found, ...]:
    """In the order of the text."""
    found: list[Found] = []
    topic: tuple[str, bool, Sentence] | None = None
    for sentence in sentences(chunk):
        size = len(sentence.text.split())
        if not 4 <= size <= 60:
            topic = None
            continue
        text, evidence = tidy(sentence.text), (sentence,)
        pronoun = _PRONOUN.match(text)
        if pronoun:
            if topic is None or _EXPLETIVE.match(text) or not _stands_for(pronoun["pronoun"], topic[0], topic[1]):
                topic = None
                continue
            text = topic[0][0].upper() + topic[0][1:] + text[pronoun.end("pronoun") :]
            evidence = (topic[2], sentence)
        for question in questions(text, chunk):
            if leans(question.text) is None:
                score = question.score - (0.6 if pronoun else 0.0)
                found.append(Found(question._replace(score=score), evidence, text))
        if not pronoun:
            clause = parse(text, chunk)
            topic = (clause.subject, clause.plural, sentence) if clause and clause.standing >= 2 else None
    return tuple(found)


def _stands_for(pronoun: str, subject: str, plural: bool) -> bool:
    words = subject.split()
    named = 1 <= len(words) <= 4 and all(is_capital(word) or word in {"of", "de", "von", "van", "al", "da"} for word in words)
    person = named and not any(len(word) > 2 and word.isupper() for word in words) and words[0] != "The"
    if pronoun in {"He", "She"}:
        return person and not plural
    if pronoun == "It":
        return not plural and " and " not in subject and len(words) <= 6 and not (person and len(words) > 1)
    return plural and len(words) <= 6
