"""Judgements on chunks: does one stand alone, does it say something, and how much is there to ask?"""

import re

from ragset.generation.offline.text import sentences
from ragset.llm.replies import ChunkScores, ChunkVerdict, Grade
from ragset.text.rules.metadata import metadata_reason

_OPENING = re.compile(
    r"(?:he|she|it|they|him|his|her|its|their|them|this|these|that|those|such|here|however|moreover|furthermore|therefore|thus"
    r"|hence|nevertheless|instead|meanwhile|similarly|likewise|also|and|but|or|so|yet|then|another|both|neither|either"
    r"|the (?:latter|former|same|other)|as a result|in addition|for (?:example|instance)|in contrast|there(?! (?:is|are|was|were)\b)"
    r"|est[eao]s?|es[eao]s?|ellos|ellas|él|ella|sin embargo|además|por lo tanto|así|también|pero"
    r"|dies(?:e[rsnm]?)?|er|sie|es|jedoch|außerdem|daher|deshalb|aber|ce|cette|ces|il|elle|ils|elles|cependant|ainsi|donc|mais)\b",
    re.IGNORECASE,
)
"""Words that stand for, or follow from, something said before."""
_POINTING = re.compile(
    r"\bas (?:seen|shown|described|discussed|mentioned|noted|explained) (?:above|below|earlier|previously|before)\b"
    r"|\b(?:see|in|from|cf\.?) (?:the )?(?:figure|fig\.|table|section|chapter|appendix|equation) ?\d"
    r"|\b(?:previous|preceding|next) (?:section|chapter)\b",
    re.IGNORECASE,
)


def judge_chunk(chunk: str) -> ChunkVerdict:
    """1 and 1 for prose that names its subject and says something."""
    finding = metadata_reason(chunk)
    leaning = _leaning(chunk)
    said = f"{finding[0].replace('_', ' ')}: {finding[1]}" if finding else "says something in sentences"
    return ChunkVerdict(
        reason=f"By rule: {leaning or 'opens with a sentence that names its subject'}; {said}.",
        self_containment=0 if leaning else 1,
        not_metadata=0 if finding else 1,
    )


def _leaning(chunk: str) -> str | None:
    """How the chunk depends on what came before it."""
    lines = (one.text for one in sentences(chunk) if not one.text.startswith(("#", "=", "|")))
    full = (one for one in lines if len(one.split()) >= 5)
    prose = next((one for one in full if one.rstrip("\"'”’»)]*_ ")[-1:] in tuple(".!?…:。")), None)
    if prose is None:
        return "holds no full sentence"
    opening = prose.lstrip("\"'“”‘’«»([*_>-•¿¡ \t")
    if found := _OPENING.match(opening):
        return f'opens with "{found[0]}", which stands for something said before'
    if opening[:1].islower():
        return "opens in the middle of a sentence"
    pointing = _POINTING.search(chunk)
    return f'points elsewhere with "{" ".join(pointing[0].split())}"' if pointing else None


def score_chunk(chunk: str) -> ChunkScores:
    """The highest grades where the chunk passes `judge_chunk`, else the lowest: rules do not see depth."""
    judged = judge_chunk(chunk)
    grade: Grade = 3 if judged.not_metadata and judged.self_containment else 1
    return ChunkScores(reason=judged.reason, clarity=grade, depth=grade, structure=grade, relevance=grade)
