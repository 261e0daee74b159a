"""What the replies to prompts are read into; a prompt file names one of these as its `reply`.

The reason always comes first, so that a model gives it before it decides.
"""

from ragset.llm.replies.answering import ClosedBookAnswer, ContextAnswer, GroundedAnswer, Quote, Ranking, ReaderAnswer
from ragset.llm.replies.asking import (
    ChunkScores,
    ChunkVerdict,
    ContextDraft,
    EvolutionVerdict,
    EvolvedQuery,
    KeyphraseDraft,
    NearMiss,
    NeededChunks,
    QueryDraft,
    QueryPart,
    QuerySplit,
    QueryVerdict,
    SameQuery,
    Sufficiency,
)
from ragset.llm.replies.base import Bit, Grade, Reply, Score
from ragset.llm.replies.judging import AnswerVerdict, Claim, Claims, Criticism, Critique, Support, Supports
from ragset.llm.replies.translating import TranslatedText, Translation

__all__ = [
    "AnswerVerdict",
    "Bit",
    "ChunkScores",
    "ChunkVerdict",
    "Claim",
    "Claims",
    "ClosedBookAnswer",
    "ContextAnswer",
    "ContextDraft",
    "Criticism",
    "Critique",
    "EvolutionVerdict",
    "EvolvedQuery",
    "Grade",
    "GroundedAnswer",
    "KeyphraseDraft",
    "NearMiss",
    "NeededChunks",
    "QueryDraft",
    "QueryPart",
    "QuerySplit",
    "QueryVerdict",
    "Quote",
    "Ranking",
    "ReaderAnswer",
    "Reply",
    "SameQuery",
    "Score",
    "Sufficiency",
    "Support",
    "Supports",
    "TranslatedText",
    "Translation",
]
