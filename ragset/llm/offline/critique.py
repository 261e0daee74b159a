"""Groundedness, relevance and clarity by counting."""

from ragset.llm.offline.text import stem, tidy, words
from ragset.replies import Criticism, Critique, Score
from ragset.rules.leaning import leans
from ragset.rules.marks import FUNCTION_WORDS


def groundedness(chunk: str, query: str, answer: str) -> Criticism:
    del query
    if tidy(answer) in tidy(chunk):
        return Criticism(reason="By rule: the answer stands in the passage word for word.", score=5)
    said = {stem(word) for word in words(answer)}
    share = len(said & {stem(word) for word in words(chunk)}) / len(said) if said else 0.0
    score: Score = 5 if share == 1 else 4 if share > 0.9 else 3 if share > 0.7 else 2 if share > 0.4 else 1
    return Criticism(reason=f"By rule: {round(100 * share)} % of the answer's words stand in the passage.", score=score)


def relevance(audience: str, query: str, chunk: str) -> Criticism:
    del audience
    asked = {stem(word) for word in words(query) if word not in FUNCTION_WORDS}
    here = {stem(word) for word in words(chunk)}
    shared = len(asked & here)
    return Criticism(reason=f"By rule: {shared} words of the query stand in the passage.", score=4 if shared else 2)


def clarity(query: str) -> Criticism:
    phrase = leans(query)
    if phrase:
        return Criticism(reason=f'By rule: leans on something unseen with "{phrase}".', score=1)
    if len(words(query)) < 3:
        return Criticism(reason="By rule: too short to name a subject.", score=3)
    return Criticism(reason="By rule: stands alone and names its subject.", score=5)


def critique(audience: str, chunk: str, query: str, answer: str) -> Critique:
    return Critique(
        groundedness=groundedness(chunk, query, answer),
        relevance=relevance(audience, query, chunk),
        clarity=clarity(query),
    )
