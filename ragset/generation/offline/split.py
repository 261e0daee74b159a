"""A query that is really two, taken apart at its joint."""

import re

from ragset.generation.offline.answer import content
from ragset.generation.offline.context_answer import find
from ragset.generation.offline.text import sentences
from ragset.generation.offline.verbs import BASES, is_participle
from ragset.llm.replies import QueryPart, QuerySplit
from ragset.text.rules.passage_references import leans

_WH = r"(?:what|which|who|whom|whose|when|where|why|how)"
_SUPPORT = r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|must|may)"
_JOINT = re.compile(
    rf"(?:\?\s+(?:and |also )*|[,;.]\s+(?:and |but |or )?|\s+(?:and|or|but)(?: also)? )(?=(?:(?:by|for|in|at|to|with|from) )?{_WH}\b|{_SUPPORT} (?:it|they|he|she)\b)",
    re.IGNORECASE,
)
_TWO_WHS = re.compile(
    rf"(?P<one>{_WH}(?: (?:long|much|many|far|old|often))?) and (?P<other>{_WH})(?P<rest> .+)", re.IGNORECASE
)
_ASKED = re.compile(
    rf"(?P<wh>(?:(?:in|at|by|for|from|to|with) )?{_WH}(?: [\w'’-]+){{0,3}}?) (?P<aux>{_SUPPORT}) (?P<rest>.+)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|they|them|he|him|she|its|their|his|her)\b", re.IGNORECASE)
_SWEEPING = re.compile(r"\b(?:her|it (?:matter|mean|happen|take|rain|seem|possible|true))\b", re.IGNORECASE)
"""Where a pronoun stands for more than the subject, or for one of two things."""
_POSSESSIVE = frozenset(["its", "their", "his"])
_FOLLOWS = re.compile(r"(?:[a-z]+ly|first|always|not|used|able|made|called|known|so|different|important)$")
_STOPS = frozenset("in on at by for with from to into as than of about between".split())  # noqa: SIM905
_MOST = 4


def split_query(chunks: tuple[str, ...], query: str) -> QuerySplit:
    """The questions of `query`, each understood by itself; the query as it is where they cannot be told apart."""
    pieces = _pieces(" ".join(query.split()))
    if pieces is None:
        return QuerySplit(reason="By rule: it is one question.", parts=(_part(chunks, query),))
    parts = tuple(_part(chunks, piece) for piece in pieces)
    return QuerySplit(reason=f"By rule: {len(parts)} questions are joined in it.", parts=parts)


def _part(chunks: tuple[str, ...], query: str) -> QueryPart:
    found = tuple(part.chunk + 1 for part in find(chunks, query).parts)
    return QueryPart(query=query, chunks=found or _speaking_of(chunks, query))


def _speaking_of(chunks: tuple[str, ...], query: str) -> tuple[int, ...]:
    """The chunks that hold most of the query's words; all where none does."""
    asked = set(content(query))
    shares = [len(asked & set(content(chunk))) for chunk in chunks]
    most = max(shares, default=0)
    fitting = tuple(place + 1 for place, share in enumerate(shares) if most and share == most)
    return (fitting or tuple(range(1, len(chunks) + 1)))[:16]


def _pieces(query: str) -> list[str] | None:
    if len(sentences(query)) > _MOST:
        return None
    twice = _TWO_WHS.fullmatch(query)
    if twice and _JOINT.search(twice["rest"]) is None:
        return [_whole(f"{twice['one']}{twice['rest']}"), _whole(f"{twice['other']}{twice['rest']}")]
    bits = [bit for bit in _JOINT.split(query) if bit.strip(" ?.,;")]
    if not 2 <= len(bits) <= _MOST:
        return None
    first = _whole(bits[0])
    subject = _subject(first)
    pieces = [first]
    for bit in bits[1:]:
        piece = _resolved(_whole(bit), subject)
        if piece is None or not _stands_alone(piece):
            return None
        pieces.append(piece)
    return pieces if _stands_alone(first) and len(set(pieces)) == len(pieces) else None


def _whole(text: str) -> str:
    text = text.strip(" ?.,;")
    return f"{text[:1].upper()}{text[1:]}?"


def _stands_alone(question: str) -> bool:
    return leans(question) is None and len(question.split()) >= 3 and bool(content(question))


def _resolved(question: str, subject: str | None) -> str | None:
    """With the first question's subject for "it" and its like; None where it is not known what they stand for."""
    found = _PRONOUN.findall(question)
    if not found:
        return question
    if subject is None or len(found) > 2 or _SWEEPING.search(question):
        return None
    owned = subject + ("'" if subject.endswith("s") else "'s")
    # Its second pronoun may stand for something that the part itself names.
    return _PRONOUN.sub(lambda pronoun: owned if pronoun[0].lower() in _POSSESSIVE else subject, question, count=1)


def _subject(question: str) -> str | None:
    """Of "How does binary counting work?" what works."""
    asked = _ASKED.fullmatch(question.rstrip("?"))
    if asked is None:
        return None
    words = asked["rest"].split()
    aux = asked["aux"].lower()
    if aux in {"is", "are", "was", "were"} and asked["wh"].lower() in {"what", "who"}:
        return " ".join(words) if 1 <= len(words) <= 8 else None
    for place in range(1, len(words)):
        word = words[place].lower()
        verb = (
            word in BASES
            if aux in {"do", "does", "did", "can", "could", "will", "would", "should", "must", "may"}
            else (is_participle(word))
        )
        if (verb or _FOLLOWS.match(word)) and words[place - 1].lower() not in {"the", "a", "an", "of"}:
            return " ".join(words[:place]) if place <= 8 else None
    # "How does binary counting work": the verb need not be known where nothing follows it.
    if aux in {"do", "does", "did"} and 2 <= len(words) <= 6 and words[-1].lower() not in _STOPS:
        return " ".join(words[:-1])
    return None
