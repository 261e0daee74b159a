"""A RAG system made of rules: the reader, the reranker, and the reader that knows nothing by heart."""

import math
from collections import Counter

from ragset.generation.offline.answer import answer_query
from ragset.generation.offline.text import content, percent, share
from ragset.llm.replies import ClosedBookAnswer, Ranking, ReaderAnswer


def read_passages(chunks: tuple[str, ...], query: str) -> ReaderAnswer:
    """The best sentences of the passage whose quotes share most words with the query; of equals the first passage."""
    asked = set(content(query))
    replies = [answer_query(chunk, query) for chunk in chunks]
    shares = [share(set(content(" ".join(one.quotes))), asked) if one.answer else -1.0 for one in replies]
    most = max(shares, default=-1.0)
    if most < 0:
        return ReaderAnswer(reason="By rule: no passage answers it.", verdict="abstained", answer=None, chunks=())
    place = shares.index(most)
    reason = f"By rule: {percent(most)} of the query's words stand in what passage {place + 1} says."
    return ReaderAnswer(reason=reason, verdict="answered", answer=replies[place].answer, chunks=(place + 1,))


def answer_closed_book() -> ClosedBookAnswer:
    """An abstention, whatever is asked."""
    return ClosedBookAnswer(reason="By rule: rules know nothing by heart.", verdict="abstained", answer=None)


def rerank_passages(chunks: tuple[str, ...], query: str) -> Ranking:
    """By the query's words that a passage holds, those that few passages hold weighing more; of equals the first."""
    held = [set(content(chunk)) for chunk in chunks]
    frequency = Counter(word for found in held for word in found)
    # In the order of the query: a sum over a set would depend on the seed of its hashes.
    weight = {word: math.log(1 + len(chunks) / frequency[word]) for word in content(query) if frequency[word]}
    scores = [sum(weight[word] for word in weight if word in found) for found in held]
    order = sorted(range(len(chunks)), key=lambda place: -scores[place])
    return Ranking(reason="By rule: by the query's words in each.", order=tuple(place + 1 for place in order))
