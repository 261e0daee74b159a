"""Splits queries that are really two into one for each question."""

import re
import unicodedata
from collections.abc import Sequence

from ragset.generation.stage import Case, Outcome, Question
from ragset.generation.stages.enough_chunks import enough_chunks
from ragset.generation.stages.judge_query import complain_of_query
from ragset.llm.ask import Complaint
from ragset.llm.replies import QuerySplit
from ragset.models import Candidate
from ragset.text.rules.conjoined import conjoined
from ragset.text.rules.passage_references import unnamed
from ragset.text.rules.tables import FUNCTION_WORDS

SPLIT = Question("split_query", "generator", QuerySplit)

_WORD = re.compile(r"[^\W_]+")
_STEM = 5
"""Letters by which a word is known again in another form."""


async def split_query(candidate: Candidate, case: Case) -> Sequence[Outcome]:
    """A candidate for each question that the query holds, with the chunks that it needs; the others are spare."""
    if candidate.spare and case.setup.widens(candidate):
        return [candidate]
    parts = await _parts(candidate, case, case.language_of(candidate))
    return [enough_chunks(part, case) for part in parts]


async def _parts(candidate: Candidate, case: Case, language: str) -> list[Candidate]:
    if len(candidate.chunks) == 1 or conjoined(candidate.query, language or "en") is None:
        return [candidate]
    inputs = {"chunks": candidate.texts, "titles": candidate.sections, "query": candidate.query}
    split = await case.ask(candidate, SPLIT, inputs, lambda reply: _complain(reply, candidate, language))
    if len(split.parts) == 1:
        return [candidate.grown(case.step(SPLIT, "one query"))]
    parts: list[Candidate] = []
    for number, part in enumerate(split.parts, start=1):
        query = part.query.strip()
        needed = [candidate.chunks[place - 1] for place in sorted(set(part.chunks))]
        narrowed = candidate.narrowed(needed, case.stage, f"part {number} of the query does not need it")
        metadata = {**narrowed.metadata, "split_from": candidate.query}
        parts.append(narrowed.grown(case.step(SPLIT, f"part {number}", query), query=query, metadata=metadata))
    return parts


def _complain(split: QuerySplit, candidate: Candidate, language: str) -> Complaint | None:
    queries, whole = [part.query.strip() for part in split.parts], candidate.query
    if len(queries) == 1 and _folded(queries[0]) == _folded(whole):
        return None
    for part, query in zip(split.parts, queries, strict=True):
        if complaint := _complain_of_part(query, part.chunks, len(candidate.chunks), language):
            return complaint
    if len(set(map(_folded, queries))) < len(queries):
        return Complaint(reason="same_parts", message="Two parts ask the same. Each must ask something of its own.")
    if lost := _lost(whole, " ".join(queries), language):
        told = f"The parts no longer ask for {', '.join(lost[:5])}. Together they must ask for all that the query asks."
        return Complaint(reason="lost_in_split", message=told)
    return None


def _complain_of_part(query: str, needed: Sequence[int], chunks: int, language: str) -> Complaint | None:
    if not query:
        return Complaint(reason="empty_part", message="A part has no query. Give each part one.")
    if not needed or not all(1 <= number <= chunks for number in needed):
        message = f'"{query}" must name the chunks that it needs, by numbers from 1 to {chunks}.'
        return Complaint(reason="wrong_chunks", message=message)
    pronoun = unnamed(query, language or "en")
    message = f'In "{query}" nobody can tell what "{pronoun}" stands for. Name it.'
    unclear = Complaint(reason="part_not_self_contained", message=message) if pronoun else None
    return complain_of_query(query, language) or unclear


def _lost(whole: str, parts: str, language: str) -> list[str]:
    """Words of the whole that no part holds, if they are a name or a number, or too many of all."""
    here = {word[:_STEM] for word in _folded(parts).split()}
    words = [word for word in _WORD.findall(whole) if word.casefold() not in FUNCTION_WORDS]
    lost = [word for word in words if _folded(word)[:_STEM] not in here]
    names = language != "de"  # where every noun has a capital
    named = [word for word in lost if word[0].isdigit() or (names and word[0].isupper() and not whole.startswith(word))]
    too_many = len(lost) > 0.34 * len(words)  # some words only joined the parts
    return list(dict.fromkeys(named or lost)) if named or too_many else []


def _folded(query: str) -> str:
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", query).casefold()))
