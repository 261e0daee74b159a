"""Whether two queries ask the same: by their words, what they ask for, their evidence and their answers.

Names, numbers, opposites and what is asked for keep two queries apart, however similar their letters or vectors are. Other
content words may differ only where the evidence is the same and the answers agree.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from rapidfuzz import fuzz

from ragset.models import Candidate, Golden, Span
from ragset.text.rules.content_words import (
    Wording,
    content_words,
    inflected,
    mutual,
    names_in,
    opposed,
    plain,
    wording_of,
)

How = Literal["exact", "near", "semantic", "judged"]

_OF = {"es": frozenset({"de", "del"}), "fr": frozenset({"de", "du", "des", "d"})}
"""Words for "of" in languages whose subject may follow the verb, which then looks like a noun: "qué causa la fiebre"."""
NEAR = 0.75  # similarity of letters from which on two queries of the same evidence are alike
_AGREEING = 0.7  # share of the shorter answer's own words that the longer one must have


class Query(NamedTuple):
    """A query to compare, where there is no golden of it."""

    query: str
    evidence: tuple[Span, ...] = ()
    answer: str | None = None


Asked = Candidate | Golden | Query  # a query with its evidence and what answers it


class Compared(NamedTuple):
    """A query made ready for comparison."""

    wording: Wording
    core: frozenset[str]
    answer: frozenset[str]  # stems of the answer's words; empty where there is no answer

    @classmethod
    def of(cls, asked: Asked, language: str, names: frozenset[str]) -> "Compared":
        """`names` are those of all the queries and answers."""
        wording = wording_of(asked.query, language, names)
        answer = asked.answer or ""
        told = wording_of(answer, language, names)
        return cls(wording, wording.core, frozenset(told.content or content_words(answer, "")))

    @classmethod
    def each(cls, every: Sequence[Asked], language: str) -> "list[Compared]":
        """All of them, by the names that any of them has."""
        names = names_in(text for one in every for text in (one.query, one.answer or ""))
        return [cls.of(one, language, names) for one in every]

    @property
    def words(self) -> tuple[str, ...]:
        """Its words; sorted where it asks how two things differ, as their order makes no difference then."""
        words = self.wording.words
        return tuple(sorted(words)) if mutual(self.wording.content, self.wording.language) else words


def alike(
    one: Compared, other: Compared, *, semantic: float, same_evidence: bool, cosine: float | None
) -> tuple[How, float] | None:
    """How two queries of different words repeat each other, and their similarity; None if they do not.

    `semantic` is the least cosine. The order of the two makes no difference.
    """
    if apart(one, other):
        return None
    a, b = one.wording, other.wording
    left, right = one.core - other.core, other.core - one.core
    letters = max(fuzz.ratio(a.folded, b.folded), fuzz.token_sort_ratio(a.folded, b.folded)) / 100
    meaning = cosine is not None and cosine >= semantic
    agree = answers_agree(one, other)
    if agree is False and _genitive(a) != _genitive(b):
        return None
    if same_words(one, other):
        return "near", letters
    if agree is False or (sorted(a.words) == sorted(b.words) and one.words != other.words):
        return None
    if same_evidence:
        forms = {(word, form) for word in left for form in right if inflected(word, form)}
        left, right = left - {word for word, _ in forms}, right - {form for _, form in forms}
        if agree and not left and not right and _same_kind(a, b) and a.names == b.names:
            return "near", letters
        narrowed = left ^ right if not (left and right) else frozenset[str]()
        harmless = len(narrowed) == 1 and not narrowed & (a.names | b.names) and _same_kind(a, b)
        if letters >= NEAR and ((narrowed and agree) or harmless):
            return "near", letters
        if meaning and (agree or harmless):
            return "semantic", cosine or 0.0
    return None


def apart(one: Compared, other: Compared) -> bool:
    """Whether they have nothing in common, or names, opposites or a "not" that keep them apart."""
    a, b = one.wording, other.wording
    left, right = one.core - other.core, other.core - one.core
    named = a.names - b.names and b.names - a.names
    return not one.core & other.core or bool(named) or opposed(left, right, a.language) or "not" in left | right


def same_words(one: Compared, other: Compared) -> bool:
    """Whether no word of content differs, and no small word turns the sense round."""
    a, b = one.wording, other.wording
    if not one.core or one.core != other.core or a.names != b.names or not _same_kind(a, b):
        return False
    if {a.tense, b.tense} == {"present", "past"}:
        return False
    if len(one.core) == 1 and a.kind == "thing":
        # "What is a glacier?" and "What does a glacier do?": the small words are all the rest.
        return plain(a) == plain(b)
    # A German verb moves within its sentence; nouns have capitals, as names do.
    counting = a.names if a.language == "de" else one.core
    order = [word for word in a.content if word in counting], [word for word in b.content if word in counting]
    if a.agent != b.agent:
        # "Who defeated Napoleon?" is not "Who was defeated by Napoleon?", unless the words change places too.
        return order[0] != order[1]
    still = [[word for word in words if not word[0].isdigit()] for words in order]
    return still[0] == still[1] or a.possessive != b.possessive or mutual(a.content, a.language)


def answers_agree(one: Compared, other: Compared) -> bool | None:
    """Whether one answer says what the other does, beyond the words of the queries; None where either is not known."""
    if not one.answer or not other.answer:
        return None
    left, right = _own_answer(one, other), _own_answer(other, one)
    return len(left & right) >= _AGREEING * min(len(left), len(right))


def _own_answer(one: Compared, other: Compared) -> frozenset[str]:
    """What the answer says that neither query does; all of it where that leaves nothing of either."""
    asked = frozenset(one.wording.content) | frozenset(other.wording.content)
    return one.answer - asked if one.answer - asked and other.answer - asked else one.answer


def _genitive(wording: Wording) -> bool:
    return not _OF.get(wording.language, frozenset[str]()).isdisjoint(wording.words)


def _same_kind(a: Wording, b: Wording) -> bool:
    return a.kind == b.kind and (a.detail == b.detail or (a.kind != "degree" and not (a.detail and b.detail)))
