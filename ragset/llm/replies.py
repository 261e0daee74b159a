"""What the replies to prompts are read into; a prompt file names one of these classes as its `reply`.

The reason always comes first, so that a model gives it before it decides. A class's docstring and the order of its fields
are part of the schema that a model sees, and so of the digests of prompts.
"""

from typing import Annotated, Literal

from pydantic import Field

from ragset.llm.reply_fields import TEXT, WORD, Bit, Grade, Half, Judgement, Relevance, Reply, Score, verdict


class ChunkVerdict(Judgement):
    """Is a chunk worth asking about?"""

    reason: str
    self_containment: Bit
    not_metadata: Bit


class ChunkScores(Judgement):
    """How much a chunk has to ask about, in four grades."""

    reason: str
    clarity: Grade
    depth: Grade
    structure: Grade
    relevance: Grade


class QueryDraft(Reply):
    """A query with its answer and the words of the passage that carry it, or none where the passage holds nothing worth asking."""

    reason: str
    query: str | None
    answer: str | None = None
    quotes: tuple[str, ...] = Field(default=(), max_length=8)  # to the letter; empty where there is no query


class Quote(Reply):
    """Words of one passage."""

    chunk: int
    quote: str


class ContextDraft(Reply):
    """A query over some of several passages, with their numbers, its shape and its answer."""

    reason: str = ""
    chunks: tuple[int, ...] = Field(default=(), max_length=16)  # numbers, from 1, of those joined
    query: str | None = None
    shape: Annotated[Literal["comparison", "bridge", "aggregation"], WORD] | None = None
    answer: str | None = None
    quotes: tuple[Quote, ...] = Field(default=(), max_length=16)


class ContextDrafts(Reply):
    """The queries that several passages carry, or none where no two of them carry one."""

    reason: str
    drafts: tuple[ContextDraft, ...] = Field(max_length=8)


class TurnDraft(Reply):
    """An earlier question of a dialogue, answered by one passage."""

    question: str
    answer: str
    chunk: int  # number, from 1, of the passage
    quote: str  # to the letter


class ConversationDraft(Reply):
    """The turns that lead to a question, and the question as it is asked after them; none where no dialogue leads to it."""

    reason: str
    turns: tuple[TurnDraft, ...] = Field(max_length=5)  # first to last; empty where there is no question
    question: str | None


class PassageClaim(Reply):
    """What one of several passages claims, with the words that prove it."""

    chunk: int  # number, from 1, of the passage
    claim: str
    quote: str  # to the letter


class PassageClaims(Reply):
    """What several passages claim that is worth comparing with other documents."""

    reason: str
    claims: tuple[PassageClaim, ...] = Field(max_length=64)


class AssertionDraft(Reply):
    """A statement that an answer should make, with the claims that bear it out."""

    statement: str
    claims: tuple[int, ...] = Field(max_length=64)  # their numbers, from 1


class CorpusQueryDraft(Reply):
    """A query that many documents answer together, and what its answer should say; none where they share no theme."""

    reason: str
    query: str | None
    assertions: tuple[AssertionDraft, ...] = Field(max_length=16)  # empty where there is no query


class AssertionVerdict(Reply):
    """Which quotes prove an assertion, and whether the question calls for it."""

    assertion: int
    reason: str
    quotes: tuple[int, ...] = Field(max_length=64)  # numbers, from 1, of its quotes; empty where they do not prove it
    vital: Bit


class AssertionVerdicts(Judgement):
    """Does a question ask about a whole collection, and do assertions answer it?"""

    reason: str
    whole: Bit
    assertions: tuple[AssertionVerdict, ...] = Field(max_length=16)


class KeyphraseDraft(Reply):
    """Key phrases of a passage, then a query about one of them, its answer, and the words of the passage that carry it."""

    reason: str
    keyphrases: tuple[str, ...] = Field(max_length=8)
    query: str | None
    answer: str | None = None
    quotes: tuple[str, ...] = Field(default=(), max_length=8)  # to the letter; empty where there is no query


class NearMiss(Reply):
    """A query that a passage nearly answers, or none where it does not lend itself to one."""

    reason: str
    query: str | None
    missing: Annotated[str, TEXT]  # what an answer would need: the entity, date or condition; empty without a query


class QueryVerdict(Judgement):
    """Can a query be sent to a search engine as it stands?"""

    feedback: str
    independent: Bit
    clear: Bit
    verdict: Bit


class EvolvedQuery(Reply):
    """A query rewritten, or null where the passage does not carry the rewriting."""

    reason: str
    query: str | None


class SameQuery(Judgement):
    """Is an evolved query merely the old one again?"""

    reason: str
    same: Bit


class ConversationVerdict(Judgement):
    """Does the last question of a dialogue ask what a query asks, with its answer not yet given?"""

    reason: str
    same: Bit
    open: Bit


class EvolutionVerdict(Judgement):
    """Does a query still stand after it was evolved?"""

    reason: str
    standalone: Bit
    answerable: Bit


class QueryPart(Reply):
    """One question of several that a query held."""

    query: str
    chunks: tuple[int, ...] = Field(max_length=16)  # numbers, from 1, of the passages that this question alone needs


class QuerySplit(Reply):
    """The questions of a query; one part where it is one question after all."""

    reason: str
    parts: tuple[QueryPart, ...] = Field(min_length=1, max_length=4)


class GroundedAnswer(Reply):
    """An answer from the passage alone, with the words of the passage that carry it."""

    reason: str
    verdict: Annotated[Literal["answered", "not_in_passage"], verdict("answered", "not_in_passage")]
    answer: str | None
    quotes: tuple[str, ...] = Field(max_length=8)  # to the letter; empty where the verdict is `not_in_passage`


class ContextAnswer(Reply):
    """An answer from several passages alone, with the words of each that carry it."""

    reason: str
    verdict: Annotated[Literal["answered", "not_in_passages"], verdict("answered", "not_in_passages")]
    answer: str | None
    quotes: tuple[Quote, ...] = Field(max_length=16)


class AnswersCompared(Judgement):
    """Does an answer from fewer passages say all that an answer from more says to a question?"""

    reason: str
    verdict: Annotated[Literal["same", "lesser", "other"], WORD]


class ReaderAnswer(Reply):
    """What a RAG system says to a query from the passages that it retrieved."""

    reason: str
    verdict: Annotated[Literal["answered", "abstained"], verdict("answered", "abstained")]
    answer: str | None
    chunks: tuple[int, ...] = Field(max_length=100)  # numbers, from 1, of the passages that it is made from


class ClosedBookAnswer(Reply):
    """What a reader says to a query from memory, with no passage at hand."""

    reason: str
    verdict: Annotated[Literal["answered", "abstained"], verdict("answered", "abstained")]
    answer: str | None


class Ranking(Reply):
    """Passages put in order by how well they answer a query."""

    reason: str
    order: tuple[int, ...] = Field(max_length=100)  # their numbers, from 1, best first


class Criticism(Reply):
    """One score, after its reason."""

    reason: str
    score: Score


class QueryCritique(Judgement):
    """Two scores of a query that is seen alone, each after its reason."""

    clarity: Criticism
    relevance: Criticism


class AudiencePortrait(Reply):
    """Who reads some documents, and why."""

    reason: str
    audience: str


class Grounding(Reply):
    """Which quotes an answer needs, and how well they carry it."""

    reason: str
    needed: tuple[int, ...] = Field(max_length=64)  # numbers, from 1, of the quotes without which it cannot be given
    score: Score


class Critique(Judgement):
    """Three scores, each after its reason."""

    groundedness: Grounding
    relevance: Criticism
    clarity: Criticism


class Support(Reply):
    """Does one passage answer a query?"""

    passage: int
    reason: str
    # `full`: it alone gives the same answer; `differs`: it alone gives another one.
    verdict: Annotated[Literal["full", "part", "differs", "none"], WORD]
    quotes: tuple[str, ...] = Field(max_length=8)  # to the letter, where the verdict is `full` or `differs`


class Supports(Judgement):
    """Which of several passages answer a query."""

    reason: str
    passages: tuple[Support, ...] = Field(max_length=32)


class PassageGrade(Reply):
    """How relevant one passage is to a query."""

    passage: int
    reason: str
    grade: Relevance


class PassageGrades(Judgement):
    """How relevant each of several passages is to a query."""

    reason: str  # what the searcher wants to know
    grades: tuple[PassageGrade, ...] = Field(max_length=32)


class AnswerVerdict(Judgement):
    """How good an answer is, measured by the reference."""

    feedback: str
    correctness: Score
    completeness: Half  # of what the reference says: all, a part, or nothing
    conciseness: Half


class Claim(Reply):
    """One statement of an answer."""

    claim: str
    reason: str
    supported: Bit


class Claims(Judgement):
    """Every statement of an answer, each checked against the passages."""

    claims: tuple[Claim, ...] = Field(max_length=64)


class ReferenceClaim(Reply):
    """One statement of a reference answer."""

    claim: str
    reason: str
    vital: Bit


class ReferenceClaims(Reply):
    """Every statement of a reference answer, and which of them an answer must make."""

    reason: str  # what the question asks for
    claims: tuple[ReferenceClaim, ...] = Field(max_length=64)


class ClaimSource(Reply):
    """Which passages state one of several claims."""

    claim: int
    reason: str
    chunks: tuple[int, ...] = Field(max_length=100)  # numbers, from 1; empty where none does


class ClaimSources(Reply):
    """For each claim the passages that state it."""

    sources: tuple[ClaimSource, ...] = Field(max_length=128)


class ClaimMatch(Reply):
    """Whether a text states one of several claims."""

    claim: int
    reason: str
    stated: Bit


class AnswerMatch(Reply):
    """The claims of a reference held against an answer, and those of the answer held against the reference."""

    reference: tuple[ClaimMatch, ...] = Field(max_length=64)  # does the answer state it?
    answer: tuple[ClaimMatch, ...] = Field(max_length=64)  # does the reference state it?


class TranslatedText(Reply):
    """One of several texts in another language."""

    number: int
    text: str


class Translation(Reply):
    """Texts in another language."""

    reason: str
    texts: tuple[TranslatedText, ...] = Field(max_length=400)
