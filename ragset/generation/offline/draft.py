"""A query out of a sentence of the chunk, in one of four styles."""

import re

from ragset.generation.offline.candidates import Candidate, candidates
from ragset.generation.offline.keyphrases import keyphrases, ranked
from ragset.generation.offline.language import guess_language
from ragset.generation.offline.wording import as_exam
from ragset.llm.replies import KeyphraseDraft, QueryDraft
from ragset.text.rules.passage_references import leans

_PHRASES, _FEWEST = 5, 3
"""Key phrases shown, and those that a passage must have."""
_LIKED = {
    "open": {
        "why": 2.0,
        "how": 2.0,
        "condition": 1.8,
        "comparison": 1.8,
        "effect": 1.7,
        "definition": 1.2,
        "what": 1.2,
    },
    "factoid": {"when": 2.0, "who": 2.0, "number": 2.0, "where": 2.0, "object": 1.9, "definition": 0.6, "what": 0.5},
    "exam": {
        "why": 2.0,
        "how": 2.0,
        "condition": 1.8,
        "comparison": 1.8,
        "effect": 1.6,
        "definition": 1.4,
        "what": 1.2,
    },
    "keyphrase": {
        "what": 1.5,
        "effect": 1.5,
        "why": 1.5,
        "how": 1.5,
        "comparison": 1.5,
        "condition": 1.2,
        "definition": 1.0,
    },
}
"""What each style adds to the score of a kind of question."""
_STATES = {
    "why": "states a cause or a purpose", "how": "states the means by which it is done", "effect": "states an effect",
    "condition": "states what happens under a condition", "comparison": "compares two things",
    "definition": "says what its subject is", "what": "relates its subject to something else", "when": "states a date",
    "who": "names who or what did it", "where": "states a place", "number": "states a number",
    "object": "states what was done, with a date",
}  # fmt: skip


def draft(chunk: str, style: str) -> QueryDraft:
    """The best question that the chunk answers by a pattern, worded for the style."""
    found = _best(chunk, style, ())
    if found is None:
        return QueryDraft(reason=_why_none(chunk), query=None)
    return QueryDraft(reason=_reason(found), query=_worded(found, style))


def draft_keyphrase(chunk: str) -> KeyphraseDraft:
    """Key phrases, then the best question about one of them."""
    every = ranked(chunk)
    phrases = keyphrases(chunk)[:_PHRASES]
    phrases = phrases if len(phrases) >= _FEWEST else every[:_FEWEST]
    if len(phrases) < _FEWEST:
        return KeyphraseDraft(reason="It has fewer than three key phrases.", keyphrases=phrases, query=None)
    found = _best(chunk, "keyphrase", phrases) or _best(chunk, "keyphrase", every)
    if found is None:
        reason = "By rule: no question is about one of them." if candidates(chunk) else _why_none(chunk)
        return KeyphraseDraft(reason=reason, keyphrases=phrases, query=None)
    if not _about(found, phrases):
        held = next(phrase for phrase in every if _about(found, (phrase,)))
        phrases = (*phrases[: _PHRASES - 1], held)
    return KeyphraseDraft(reason=_reason(found), keyphrases=phrases, query=found.question.text)


def _best(chunk: str, style: str, phrases: tuple[str, ...]) -> Candidate | None:
    """Of equals the first in the text; where there are phrases, of those that hold one."""
    liked = _LIKED[style]
    fitting = [candidate for candidate in candidates(chunk) if not phrases or _about(candidate, phrases)]
    return max(fitting, key=lambda one: one.question.score + liked.get(one.question.kind, 0.0), default=None)


def _about(candidate: Candidate, phrases: tuple[str, ...]) -> bool:
    text = candidate.question.text.lower()
    return any(re.search(rf"(?<!\w){re.escape(phrase.lower())}(?!\w)", text) for phrase in phrases)


def _worded(found: Candidate, style: str) -> str:
    if style != "exam":
        return found.question.text
    query = as_exam(found.question)
    return query if leans(query) is None else found.question.text


def _reason(found: Candidate) -> str:
    start = re.sub(r"\s+", " ", found.answer)[:60].rstrip()
    return f'By rule: the sentence "{start}…" {_STATES[found.question.kind]}.'


def _why_none(chunk: str) -> str:
    if guess_language(chunk) is None:
        return "By rule: no rule for this language."
    return "By rule: no sentence has a form that a question with a named subject can be made from."
