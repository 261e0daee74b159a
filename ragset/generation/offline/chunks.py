"""Judgements on chunks: does one say something, and how much is there to ask?"""

import re

from ragset.generation.offline.text import Sentence, sentences
from ragset.llm.replies import ChunkScores, ChunkVerdict, Grade
from ragset.text.rules.metadata import metadata_reason
from ragset.text.sentences import UNSPACED_STOP

_ENDED = re.compile(r"[.!?…:](?:[\"'”’»)\]*_`]|\s\([^()]*\))*$")


def judge_chunk(chunk: str) -> ChunkVerdict:
    """Whether it has full sentences, and more than titles and references; what it leans on, a rule does not see."""
    finding = metadata_reason(chunk)
    empty = f"{finding[0].replace('_', ' ')}: {finding[1]}" if finding else None
    if not empty and not any(map(_is_sentence, sentences(chunk))):
        empty = "holds no full sentence"
    reason = f"By rule: {empty or 'holds full sentences'}."
    return ChunkVerdict(reason=reason, self_containment=1, not_metadata=0 if empty else 1)


def _is_sentence(piece: Sentence) -> bool:
    """Whether it has three words and ends like a sentence, or is one in a script without spaces; headings and tables do not count."""
    text = piece.text
    ended = len(text.split()) >= 3 and _ENDED.search(text)
    return not text.startswith(("#", "=", "|")) and bool(ended or UNSPACED_STOP.search(text))


def score_chunk(chunk: str) -> ChunkScores:
    """The highest grades where the chunk passes `judge_chunk`, else the lowest: rules do not see depth."""
    judged = judge_chunk(chunk)
    grade: Grade = 3 if judged.not_metadata else 1
    return ChunkScores(reason=judged.reason, clarity=grade, depth=grade, structure=grade, relevance=grade)
