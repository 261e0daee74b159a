"""Chunks and queries: what is worth asking, and how it is asked."""

from typing import Annotated, Literal

from pydantic import Field

from ragset.llm.replies.base import TEXT, WORD, Bit, Grade, Reply


class ChunkVerdict(Reply):
    """Is a chunk worth asking about?"""

    reason: str
    self_containment: Bit
    """1: understood by someone who sees nothing else of the document."""
    not_metadata: Bit
    """1: says something, rather than listing references, links, contents or boilerplate."""


class ChunkScores(Reply):
    """How much a chunk has to ask about, in four grades."""

    reason: str
    clarity: Grade
    """Is it understood at the first reading?"""
    depth: Grade
    """Does it explain, rather than mention?"""
    structure: Grade
    """Does one thing follow from the other?"""
    relevance: Grade
    """Is it about the subject that it names, all through?"""


class QueryDraft(Reply):
    """A query, or none where the passage holds nothing worth asking."""

    reason: str
    query: str | None


class ContextDraft(Reply):
    """A query over several passages with the shape that it has, or none where they carry no such query."""

    reason: str
    query: str | None
    shape: Annotated[Literal["comparison", "bridge", "aggregation"], WORD] | None
    """Of the query as it was made, whatever was wished for; None where there is no query."""


class KeyphraseDraft(Reply):
    """Key phrases of a passage, then a query about one of them."""

    reason: str
    keyphrases: tuple[str, ...] = Field(max_length=8)
    query: str | None


class NearMiss(Reply):
    """A query that a passage nearly answers, or none where it does not lend itself to one."""

    reason: str
    query: str | None
    missing: Annotated[str, TEXT]
    """What there would have to be for an answer: the entity, date or condition; empty where there is no query."""


class QueryVerdict(Reply):
    """Can a query be sent to a search engine as it stands?"""

    feedback: str
    """What to mend, to somebody who can."""
    independent: Bit
    """1: understood without any outside context."""
    clear: Bit
    """1: there is no doubt about what is wanted."""
    verdict: Bit
    """1: it can stay as it is."""


class EvolvedQuery(Reply):
    """A query rewritten, or null where the passage does not carry the rewriting."""

    reason: str
    query: str | None


class SameQuery(Reply):
    """Is an evolved query merely the old one again?"""

    reason: str
    same_constraints: Bit
    """1: it asks about the same thing, under the same conditions."""
    same_depth: Bit
    """1: it takes as much to answer, and reaches as far."""
    same: Bit
    """1: both are, and nothing but words has changed."""


class EvolutionVerdict(Reply):
    """Does a query still stand after it was evolved?"""

    reason: str
    standalone: Bit
    """1: understood by someone who sees the query alone."""
    answerable: Bit
    """1: the passages answer it in full."""


class QueryPart(Reply):
    """One question of several that a query held."""

    query: str
    chunks: tuple[int, ...] = Field(max_length=16)
    """Numbers, from 1, of the passages that this question alone needs."""


class QuerySplit(Reply):
    """The questions of a query; one part where it is one question after all."""

    reason: str
    parts: tuple[QueryPart, ...] = Field(min_length=1, max_length=4)


class NeededChunks(Reply):
    """Which of several passages the answer to a query is made from."""

    reason: str
    chunks: tuple[int, ...] = Field(max_length=16)
    """Numbers, from 1."""


class Sufficiency(Reply):
    """Do these passages answer a query, with nothing else at hand?"""

    reason: str
    verdict: Annotated[Literal["in_full", "in_part", "not_at_all"], WORD]
