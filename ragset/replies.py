"""What the replies to prompts are read into; a prompt file names one of these as its `reply`.

The reason always comes first, so that a model gives it before it decides.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema


class Reply(BaseModel):
    """Closed, but forgiving of the order of fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Bit = Literal[0, 1]
Score = Literal[1, 2, 3, 4, 5]


class ChunkVerdict(Reply):
    """Is a chunk worth asking about?"""

    reason: str
    self_containment: Bit
    """1: understood by someone who sees nothing else of the document."""
    not_metadata: Bit
    """1: says something, rather than listing references, links, contents or boilerplate."""


class QueryDraft(Reply):
    """A query, or none where the passage holds nothing worth asking."""

    reason: str
    query: str | None


class KeyphraseDraft(Reply):
    """Key phrases of a passage, then a query about one of them."""

    reason: str
    keyphrases: tuple[str, ...] = Field(max_length=8)
    query: str | None


class EvolvedQuery(Reply):
    """A query rewritten, or null where the passage does not carry the rewriting."""

    reason: str
    query: str | None


class GroundedAnswer(Reply):
    """An answer from the passage alone, with the words of the passage that carry it."""

    reason: str
    verdict: Literal["answered", "not_in_passage"]
    answer: str | None
    quotes: tuple[str, ...] = Field(max_length=8)
    """Copied from the passage to the letter; empty where the verdict is `not_in_passage`."""


class Criticism(Reply):
    """One score, after its reason."""

    reason: str
    score: Score


class Critique(Reply):
    """Three scores, each after its reason."""

    groundedness: Criticism
    relevance: Criticism
    clarity: Criticism


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
    verdict: Literal["in_full", "in_part", "not_at_all"]


class Quote(Reply):
    """Words of one passage."""

    chunk: int
    """Number of the passage, from 1."""
    quote: str
    """Copied to the letter."""


class ContextAnswer(Reply):
    """An answer from several passages alone, with the words of each that carry it."""

    reason: str
    verdict: Literal["answered", "not_in_passages"]
    answer: str | None
    quotes: tuple[Quote, ...] = Field(max_length=16)
    """Empty where the verdict is `not_in_passages`."""


class ReaderAnswer(Reply):
    """What a RAG system says to a query from the passages that it retrieved."""

    reason: str
    verdict: Literal["answered", "abstained"]
    answer: str | None
    """None where the verdict is `abstained`."""
    chunks: tuple[int, ...] = Field(max_length=100)
    """Numbers, from 1, of the passages that it is made from."""


class Ranking(Reply):
    """Passages put in order by how well they answer a query."""

    reason: str
    order: tuple[int, ...] = Field(max_length=100)
    """Their numbers, from 1, best first."""


def _in_halves(value: float) -> float:
    if value not in (0, 0.5, 1):
        raise ValueError("must be 0, 0.5 or 1")
    return value


Half = Annotated[float, AfterValidator(_in_halves), WithJsonSchema({"type": "number", "enum": [0, 0.5, 1]})]


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
