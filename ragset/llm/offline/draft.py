"""A query out of a sentence of the chunk, in one of four styles."""

from ragset.llm.offline.candidates import Found, candidates
from ragset.replies import KeyphraseDraft, QueryDraft

_STYLE = {
    "open": {"why": 2.0, "how": 2.0, "condition": 1.8, "comparison": 1.8, "effect": 1.7, "definition": 1.2, "what": 1.2},
    "factoid": {"when": 2.0, "who": 2.0, "number": 2.0, "where": 2.0, "object": 1.9, "definition": 0.6, "what": 0.5},
    "exam": {"why": 2.0, "how": 2.0, "condition": 1.8, "comparison": 1.8, "effect": 1.6, "definition": 1.4, "what": 1.2},
    "keyphrase": {"what": 1.5, "effect": 1.5, "why": 1.5, "how": 1.5, "comparison": 1.5, "condition": 1.2, "definition": 1.0},
}


def pick(chunk: str, style: str) -> Found | None:
    likes = _STYLE[style]
    return max(candidates(chunk), key=lambda f: f.question.score + likes.get(f.question.kind, 0.0), default=None)


def draft(chunk: str, style: str) -> QueryDraft:
    found = pick(chunk, style)
    if found is None:
        return QueryDraft(reason="By rule: no sentence fits a pattern.", query=None)
    return QueryDraft(reason=f"By rule: {found.question.kind}.", query=found.question.text)


def draft_keyphrase(chunk: str) -> KeyphraseDraft:
    found = draft(chunk, "keyphrase")
    return KeyphraseDraft(reason=found.reason, keyphrases=(), query=found.query)
