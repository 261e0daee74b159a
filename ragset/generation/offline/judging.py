"""A RAG system and its examiner by counting words: the reader, the reranker, and the judge of answers."""

import math
from collections import Counter

from ragset.generation.offline.answer import answer_query, content
from ragset.generation.offline.text import numbers, sentences, stem, words
from ragset.llm.replies import AnswerVerdict, Claim, Claims, ClosedBookAnswer, Ranking, ReaderAnswer, Score

_SUPPORTED = 0.8
"""Share of a claim's words of substance that one passage must hold."""
_MOST_CLAIMS = 64


def read_passages(chunks: tuple[str, ...], query: str) -> ReaderAnswer:
    """The best sentences of the passage whose quotes share most words with the query; of equals the first passage."""
    asked = set(content(query))
    best: tuple[float, int, str] | None = None
    for number, chunk in enumerate(chunks, start=1):
        reply = answer_query(chunk, query)
        if reply.verdict != "answered" or not reply.answer:
            continue
        share = len(asked & set(content(" ".join(reply.quotes)))) / max(1, len(asked))
        if best is None or share > best[0]:
            best = share, number, reply.answer
    if best is None:
        return ReaderAnswer(reason="By rule: no passage answers it.", verdict="abstained", answer=None, chunks=())
    share, number, answer = best
    reason = f"By rule: {_percent(share)} of the query's words stand in what passage {number} says."
    return ReaderAnswer(reason=reason, verdict="answered", answer=answer, chunks=(number,))


def answer_closed_book() -> ClosedBookAnswer:
    """An abstention, whatever is asked."""
    return ClosedBookAnswer(reason="By rule: rules know nothing by heart.", verdict="abstained", answer=None)


def rerank_passages(chunks: tuple[str, ...], query: str) -> Ranking:
    """By the query's words that a passage holds, those that few passages hold weighing more; of equals the first."""
    held = [set(content(chunk)) for chunk in chunks]
    frequency = Counter(word for found in held for word in found)
    # In the order of the query: a sum over a set would depend on the seed of its hashes.
    asked = [word for word in dict.fromkeys(content(query)) if frequency[word]]
    weight = {word: math.log(1 + len(chunks) / frequency[word]) for word in asked}
    scores = [sum(weight[word] for word in asked if word in found) for found in held]
    order = sorted(range(len(chunks)), key=lambda place: -scores[place])
    return Ranking(reason="By rule: by the query's words in each.", order=tuple(place + 1 for place in order))


def judge_answer(query: str, reference: str, answer: str) -> AnswerVerdict:
    """By the reference's words that the answer has, and the answer's words that the reference has."""
    known = set(_stems(query))
    wanted = [word for word in _stems(reference) if word not in known] or _stems(reference)
    said = set(_stems(answer))
    held = sum(word in said for word in wanted) / len(wanted) if wanted else 0.0
    added = [word for word in said if word not in known]
    to_the_point = sum(word in wanted for word in added) / len(added) if added else 1.0
    wrong = [number for number in numbers(reference) if number not in query and number not in numbers(answer)]
    score: Score = 5 if held >= 0.9 else 4 if held >= 0.75 else 3 if held >= 0.5 else 2 if held >= 0.2 else 1
    return AnswerVerdict(
        feedback=(
            f"By rule: the answer has {_percent(held)} of the reference's words"
            + (f", and not {wrong[0]}" if wrong else "")
            + f"; {_percent(to_the_point)} of what it adds to the query stands in the reference."
        ),
        correctness=min(score, 2) if wrong else score,
        completeness=_half(held, 0.9, 0.3),
        conciseness=_half(to_the_point, 0.5, 0.2) if said else 0,
    )


def judge_faithfulness(chunks: tuple[str, ...], answer: str) -> Claims:
    """Each sentence is a claim, supported where one passage holds its numbers and most of its words."""
    held = [({stem(word) for word in words(chunk)}, set(numbers(chunk))) for chunk in chunks]
    claims: list[Claim] = []
    for sentence in sentences(answer)[:_MOST_CLAIMS]:
        about, counted = set(content(sentence.text)), set(numbers(sentence.text))
        if not about:
            continue
        shares = [len(about & found) / len(about) if counted <= there else 0.0 for found, there in held]
        share = max(shares, default=0.0)
        place = f"passage {shares.index(share) + 1}" if share else "any passage that has its numbers"
        reason = f"By rule: {_percent(share)} of its words stand in {place}."
        claims.append(Claim(claim=sentence.text, reason=reason, supported=1 if share >= _SUPPORTED else 0))
    return Claims(claims=tuple(claims))


def _stems(text: str) -> list[str]:
    """Of the words that carry meaning, each once; of all words where none does."""
    return list(dict.fromkeys(content(text) or [stem(word) for word in words(text)]))


def _half(share: float, whole: float, part: float) -> float:
    return 1 if share >= whole else 0.5 if share >= part else 0


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"
