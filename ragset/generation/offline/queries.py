"""Judgements on queries: do they name what they are about, and ask one thing?"""

import re

from ragset.generation.offline.text import content
from ragset.llm.replies import Criticism, EvolvedQuery, QueryPart, QuerySplit, QueryVerdict, Score
from ragset.text.languages import guess_language
from ragset.text.rules.blocks import prose
from ragset.text.rules.conjoined import conjoined
from ragset.text.rules.passage_references import leans
from ragset.text.rules.pronouns import unnamed

_MOST_PARTS = 4
_LONGEST = 40
"""Words of a clear query."""


def fault(query: str) -> str | None:
    """What to name in a query that leans on something unseen."""
    language = guess_language(query) or "en"
    leaning = leans(query, language)
    if leaning:
        return f'name what is meant: "{leaning}" leans on something that nobody sees'
    pronoun = unnamed(query, language)
    if pronoun:
        return f'say who or what "{pronoun}" is'
    return None if content(query) else "name its subject: none of its words says what it is about"


def judge_query(query: str) -> QueryVerdict:
    """Refused for a wording that leans, a pronoun that stands for nothing named, no subject, or two questions."""
    wrong = fault(query)
    joint = conjoined(query, guess_language(query) or "en")
    told = [part for part in (wrong, f'ask one thing; the second begins at "{joint}"' if joint else "") if part]
    return QueryVerdict(
        feedback=f"By rule: {'; '.join(told) or 'it names its subject and asks one thing'}.",
        independent=0 if wrong else 1,
        clear=0 if joint else 1,
        verdict=0 if told else 1,
    )


def clarity(query: str) -> Criticism:
    """1 where the query leans on something unseen, 5 where it names its subject in a full question."""
    query = prose(query)
    wrong = fault(query)
    said: tuple[str, Score] = ("one question that names its subject", 5)
    if wrong:
        said = (wrong, 1 if leans(query, guess_language(query) or "en") else 2)
    elif len(query.split()) < 2 or len(query.split()) > _LONGEST:
        said = ("one word does not say what is asked, and too many hide it", 3)
    elif query.rstrip()[-1:] not in {"?", "."}:
        said = ("key words with one obvious reading", 4)
    return Criticism(reason=f"By rule: {said[0]}.", score=said[1])


def rewrite_query() -> EvolvedQuery:
    """Null: what a query lacks takes a language model to find."""
    return EvolvedQuery(reason="By rule: rewriting takes a language model.", query=None)


def split_query(chunks: tuple[str, ...], query: str) -> QuerySplit:
    """The questions that each end in a question mark, with the chunks that share most words with each."""
    pieces = [piece.strip() for piece in re.findall(r"[^?]+\?", query)]
    whole = not 2 <= len(pieces) <= _MOST_PARTS or any(fault(piece) for piece in pieces)
    parts = [query] if whole else pieces
    reason = "it cannot be told apart" if whole else f"it holds {len(parts)} questions"
    return QuerySplit(
        reason=f"By rule: {reason}.",
        parts=tuple(QueryPart(query=part, chunks=_speaking_of(chunks, part)) for part in parts),
    )


def _speaking_of(chunks: tuple[str, ...], query: str) -> tuple[int, ...]:
    """Numbers of the chunks that hold most of the query's words; all where none holds any."""
    asked = set(content(query))
    shared = [len(asked & set(content(chunk))) for chunk in chunks]
    most = max(shared, default=0)
    return tuple(place for place, count in enumerate(shared, start=1) if count == most)[:16]
