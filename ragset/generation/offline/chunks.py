"""Judgements on chunks: does one stand alone, does it say something, and how much is there to ask?"""

import re
from itertools import pairwise

from ragset.generation.offline.text import content, percent, sentences
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
_EXPLAINING = re.compile(
    r"\b(?:because|since|so that|therefore|due to|as a result|depends? on|means? that|called|known as|refers? to|consists? of|used (?:to|for)"
    r"|if|when|while|than|although|despite|such as|porque|debido|por lo tanto|se llama|cuando|aunque|permit\w+|para que"
    r"|weil|daher|deshalb|damit|wenn|obwohl|heißt|bedeutet|parce que|car|donc|afin|lorsque|bien que|permet\w*)\b",
    re.IGNORECASE,
)
"""Causes, means, conditions, definitions, contrasts."""
_FULL_SENTENCE = 5
"""Words."""


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
    prose = _prose(chunk)
    if not prose:
        return "holds no full sentence"
    opening = prose[0].lstrip("\"'“”‘’«»([*_>-•¿¡ \t")
    found = _OPENING.match(opening)
    if found:
        return f'opens with "{found[0]}", which stands for something said before'
    if opening[:1].islower():
        return "opens in the middle of a sentence"
    pointing = _POINTING.search(chunk)
    return f'points elsewhere with "{" ".join(pointing[0].split())}"' if pointing else None


def _prose(chunk: str) -> list[str]:
    """Its full sentences, and a first one that has lost its beginning."""
    found = [one.text for one in sentences(chunk) if not one.text.startswith(("#", "=", "|"))]
    return [
        one
        for one in found
        if len(one.split()) >= _FULL_SENTENCE and one.rstrip("\"'”’»)]*_ ")[-1:] in tuple(".!?…:。")
    ]


def score_chunk(chunk: str) -> ChunkScores:
    """Grades from counts of sentences that explain, and of words that come again."""
    judged = judge_chunk(chunk)
    prose = _prose(chunk)
    if not judged.not_metadata or not prose:
        return ChunkScores(reason=judged.reason, clarity=1, depth=1, structure=1, relevance=1)
    explaining = sum(_EXPLAINING.search(one) is not None for one in prose)
    words = [set(content(one)) for one in prose]
    linked = sum(bool(one & other) for one, other in pairwise(words)) / max(1, len(prose) - 1)
    depth: Grade = 3 if explaining >= 2 else 2 if explaining or re.search(r"\d", chunk) else 1
    link: Grade = 3 if linked >= 0.5 or len(prose) == 1 else 2 if linked >= 0.2 else 1
    return ChunkScores(
        reason=f"By rule: {explaining} of {len(prose)} sentences explain, {percent(linked)} share words with the one before.",
        clarity=3 if judged.self_containment else 1,
        depth=depth,
        structure=link,
        relevance=link,
    )
