"""Which passages answer a query too, by the rule that answers queries and the words of the reference answer."""

from ragset.generation.offline.answer import answer_query, content, known
from ragset.generation.offline.candidates import Candidate, candidates
from ragset.generation.offline.judging import judge_answer
from ragset.generation.offline.text import numbers
from ragset.generation.offline.wording import wordings
from ragset.llm.replies import Support, Supports

_NEAR = 0.3
"""Share of the query's words from which a passage has something of the answer."""
_SPOKEN_OF = 0.75
"""Share of them that the answering sentences must hold: a name alone is in many passages that say something else."""
_EXACT = frozenset({"when", "number"})
"""Kinds of questions that numbers answer."""
_LIKE = 0.34
"""Share of the words of the shorter answer from which the longer says it too, in other words or at more length."""


def judge_support(query: str, answer: str, chunks: tuple[str, ...]) -> Supports:
    """Each passage by itself; in full where the rule answers from it, with all that the reference says."""
    passages = tuple(_judged(number, query, answer, chunk) for number, chunk in enumerate(chunks, start=1))
    full = sum(one.verdict == "full" for one in passages)
    return Supports(reason=f"By rule: {full} of {len(passages)} answer it in full.", passages=passages)


def _judged(number: int, query: str, answer: str, chunk: str) -> Support:
    reply = answer_query(chunk, query)
    if reply.verdict != "answered":
        asked = set(content(query))
        held = len(asked & set(content(chunk))) / max(1, len(asked))
        near = held >= _NEAR
        return Support(passage=number, reason=reply.reason, verdict="part" if near else "none", quotes=())
    if not answer:
        reason = "By rule: a sentence has what is asked."
        return Support(passage=number, reason=reason, verdict="full", quotes=reply.quotes)
    quoted = " ".join(reply.quotes)
    compared = judge_answer(query, answer, quoted)
    asked = set(content(query))
    spoken_of = len(asked & set(content(quoted))) >= _SPOKEN_OF * len(asked)
    if spoken_of and compared.correctness == 5 and compared.completeness == 1:
        return Support(passage=number, reason=compared.feedback, verdict="full", quotes=reply.quotes)
    same = _very_same(chunk, query)
    how = _otherwise(same, query, answer) if same else None
    if same and how:
        quotes = tuple(sentence.text for sentence in same.evidence)
        reason = f"By rule: it answers this very question {how}."
        return Support(passage=number, reason=reason, verdict="differs", quotes=quotes)
    return Support(passage=number, reason=compared.feedback, verdict="part", quotes=())


def _very_same(chunk: str, query: str) -> Candidate | None:
    """What a pattern finds in `chunk` with this query, however its words begin."""
    folded = query.casefold()
    return known(chunk, query) or next(
        (one for one in candidates(chunk) if folded in {text.casefold() for text in wordings(one.question)}), None
    )


def _otherwise(same: Candidate, query: str, answer: str) -> str | None:
    """How the answer that stands there is another than the reference; None where it may be the same."""
    said = same.question.answer or same.answer
    if same.question.kind in _EXACT:
        told, wanted = set(numbers(said)), set(numbers(answer))
        return "by other numbers" if told and wanted and not told & wanted else None
    asked = set(content(query))
    told, wanted = set(content(said)) - asked, set(content(answer)) - asked
    if not told or not wanted:
        return None
    return "in other words" if len(told & wanted) < _LIKE * min(len(told), len(wanted)) else None
