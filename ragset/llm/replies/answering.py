"""Answers, with what they are made from."""

from typing import Annotated, Literal

from pydantic import Field

from ragset.llm.replies.base import Reply, verdict


class GroundedAnswer(Reply):
    """An answer from the passage alone, with the words of the passage that carry it."""

    reason: str
    verdict: Annotated[Literal["answered", "not_in_passage"], verdict("answered", "not_in_passage")]
    answer: str | None
    quotes: tuple[str, ...] = Field(max_length=8)
    """Copied from the passage to the letter; empty where the verdict is `not_in_passage`."""


class Quote(Reply):
    """Words of one passage."""

    chunk: int
    """Number of the passage, from 1."""
    quote: str
    """Copied to the letter."""


class ContextAnswer(Reply):
    """An answer from several passages alone, with the words of each that carry it."""

    reason: str
    verdict: Annotated[Literal["answered", "not_in_passages"], verdict("answered", "not_in_passages")]
    answer: str | None
    quotes: tuple[Quote, ...] = Field(max_length=16)
    """Empty where the verdict is `not_in_passages`."""


class ReaderAnswer(Reply):
    """What a RAG system says to a query from the passages that it retrieved."""

    reason: str
    verdict: Annotated[Literal["answered", "abstained"], verdict("answered", "abstained")]
    answer: str | None
    """None where the verdict is `abstained`."""
    chunks: tuple[int, ...] = Field(max_length=100)
    """Numbers, from 1, of the passages that it is made from."""


class ClosedBookAnswer(Reply):
    """What a reader says to a query from memory, with no passage at hand."""

    reason: str
    verdict: Annotated[Literal["answered", "abstained"], verdict("answered", "abstained")]
    answer: str | None
    """None where the verdict is `abstained`."""


class Ranking(Reply):
    """Passages put in order by how well they answer a query."""

    reason: str
    order: tuple[int, ...] = Field(max_length=100)
    """Their numbers, from 1, best first."""
