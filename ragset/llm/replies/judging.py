"""Judgements on goldens, passages and answers."""

from typing import Annotated, Literal

from pydantic import Field

from ragset.llm.replies.base import WORD, Bit, Half, Reply, Score


class Criticism(Reply):
    """One score, after its reason."""

    reason: str
    score: Score


class Critique(Reply):
    """Three scores, each after its reason."""

    groundedness: Criticism
    relevance: Criticism
    clarity: Criticism


class Support(Reply):
    """Does one passage answer a query?"""

    passage: int
    """Its number, from 1."""
    reason: str
    verdict: Annotated[Literal["full", "part", "differs", "none"], WORD]
    """`full`: it alone gives the same answer; `differs`: it alone gives another one."""
    quotes: tuple[str, ...] = Field(max_length=8)
    """Copied to the letter, where the verdict is `full` or `differs`."""


class Supports(Reply):
    """Which of several passages answer a query."""

    reason: str
    passages: tuple[Support, ...] = Field(max_length=32)
    """Each once."""


class AnswerVerdict(Reply):
    """How good an answer is, measured by the reference."""

    feedback: str
    correctness: Score
    completeness: Half
    """Of what the reference says: all, a part, or nothing."""
    conciseness: Half
    """1: nothing that was not asked for."""


class Claim(Reply):
    """One statement of an answer."""

    claim: str
    reason: str
    supported: Bit
    """1: the passages state or plainly imply it."""


class Claims(Reply):
    """Every statement of an answer, each checked against the passages."""

    claims: tuple[Claim, ...] = Field(max_length=64)
    """Empty where the answer states nothing."""
