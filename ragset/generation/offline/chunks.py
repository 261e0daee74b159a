"""Judgements on chunks: does one stand alone, does it say something, and how much is there to ask?"""

import re

from ragset.generation.offline.text import Sentence, sentences
from ragset.llm.replies import ChunkScores, ChunkVerdict, Grade
from ragset.text.languages import guess_language
from ragset.text.rules.metadata import metadata_reason
from ragset.text.sentences import UNSPACED_STOP

_AFTER = {
    "en": r"he|she|it(?! (?:\w+ ){1,3}(?:that|to)\b)|they|him|his|her|its|their|them|this|these|that|those(?! who\b)|such"
    r"|however|moreover|furthermore|therefore|thus|hence|nevertheless|instead|meanwhile|similarly|likewise|also|and|but|or|so|yet"
    r"|then|another|(?:both|either|neither)(?! .{1,60}? (?:and|or|nor)\b)|the (?:latter|former|same|other)|as a result"
    r"|in addition(?! to\b)|for (?:example|instance)|in contrast|t?here(?!['’]s| (?:is|are|was|were|at|in)\b)",
    "es": r"est[eao]s?|es[eao]s?|ellos|ellas|él|ella|sin embargo|además|por lo tanto|así|también|pero",
    "de": r"dies(?:e[rsnm]?)?|er|sie(?! (?:können|müssen|sollten|dürfen|möchten)\b)|es(?! (?:gibt|ist)\b)"
    r"|jedoch|außerdem|daher|deshalb|aber",
    "fr": r"ce|cette|ces|il(?! (?:y a|faut)\b)|elle|ils|elles|cependant|ainsi|donc|mais",
}
"""Words that stand for, or follow from, something said before, by language."""
_WITHIN = re.compile(
    r"[^\W\d_]+,? (?!(?:is|are|was|were|has|have|can|will|should|must|may|does|es|son|ist|sind|est|sont)\b)[^\W\d_]"
    r"(?![^\n]{0,60}\n\s*[A-ZÀ-Þ])"
)
"""Two plain words: no option, no label on a line of its own, no name in lower case (`jq is …`)."""
_ENDED = re.compile(r"[.!?…:](?:[\"'”’»)\]*_`]|\s\([^()]*\))*$")


def judge_chunk(chunk: str) -> ChunkVerdict:
    """1 and 1 for prose that stands without what came before it; the reason names one fault, or says what is good."""
    finding = metadata_reason(chunk)
    empty = f"{finding[0].replace('_', ' ')}: {finding[1]}" if finding else None
    if not empty and not any(map(_is_sentence, sentences(chunk))):
        empty = "holds no full sentence"
    leaning = None if empty else _leaning(chunk)
    good = "holds full sentences, and its opening leans on nothing said before"
    return ChunkVerdict(
        reason=f"By rule: {empty or leaning or good}.",
        self_containment=0 if leaning else 1,
        not_metadata=0 if empty else 1,
    )


def _leaning(chunk: str) -> str | None:
    """How its first sentence depends on what came before; None where a title, a label or code comes first."""
    first = sentences(chunk)[0]
    if not _is_sentence(first):
        return None
    language = guess_language(chunk)
    known = language if language in _AFTER else "en"
    text = " ".join(first.text.split()).lstrip("\"'“”‘’«»([*_¿¡")
    if found := re.match(rf"(?:{_AFTER[known]})(?![\w-])", text, re.IGNORECASE):
        return f'opens with "{found[0]}", which stands for, or follows from, something said before'
    others = [piece for piece in sentences(chunk)[1:] if _is_sentence(piece)]
    # Items of lists may begin in lower case, and some people write everything so.
    usual = bool(chunk[: first.start].strip()) or 2 * sum(one.text[0].islower() for one in others) > len(others)
    if first.text[0].islower() and not usual and _WITHIN.match(first.text):
        return f'opens in the middle of a sentence, with "{first.text.split()[0]}"'
    return None


def _is_sentence(piece: Sentence) -> bool:
    """Whether it has three words and ends like a sentence, or is one in a script without spaces; headings and tables do not count."""
    text = piece.text
    ended = len(text.split()) >= 3 and _ENDED.search(text)
    return not text.startswith(("#", "=", "|")) and bool(ended or UNSPACED_STOP.search(text))


def score_chunk(chunk: str) -> ChunkScores:
    """The highest grades where the chunk passes `judge_chunk`, else the lowest: rules do not see depth."""
    judged = judge_chunk(chunk)
    grade: Grade = 3 if judged.not_metadata and judged.self_containment else 1
    return ChunkScores(reason=judged.reason, clarity=grade, depth=grade, structure=grade, relevance=grade)
