"""Which passages answer a query too, by the rule that answers queries and the words of the reference answer."""

from ragset.llm.offline.answer import answer_query, content, known
from ragset.llm.offline.judging import judge_answer
from ragset.llm.offline.text import numbers
from ragset.replies import Support, Supports

_NEAR = 0.3
"""Share of the query's words from which a passage has something of the answer."""
_SPOKEN_OF = 0.75
"""Share of them that the answering sentences must hold: a name alone is in many passages that say something else."""
_EXACT = frozenset({"when", "number"})
"""Kinds of questions that have one answer; what something "is" can be said in many ways."""


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
    same = known(chunk, query)
    told, wanted = set(numbers(reply.answer or "")), set(numbers(answer))
    if same and same.question.kind in _EXACT and told and wanted and not told & wanted:
        reason = "By rule: it answers this very question by other numbers."
        return Support(passage=number, reason=reason, verdict="differs", quotes=reply.quotes)
    return Support(passage=number, reason=compared.feedback, verdict="part", quotes=())
