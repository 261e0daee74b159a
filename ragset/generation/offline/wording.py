"""One question in the forms that the styles ask for."""

import re

from ragset.generation.offline.question import Question

_ORDER = {
    "why": "Explain", "how": "Explain", "definition": "Explain", "comparison": "Explain", "condition": "Describe",
    "effect": "Explain",
}  # fmt: skip
_ARTICLES = re.compile(
    r"\b(?:the|an?) (?!(?:second|minute|hour|day|week|month|year|hundred|thousand|million|billion)\b(?! (?:of|[a-z]+ing)\b))",
    re.IGNORECASE,
)
"""But "5 seconds a day" keeps its measure."""


def as_exam(question: Question) -> str:
    """`Explain why …`, `Define …`, `State when …`."""
    if ":" in question.indirect:
        return question.text
    term = re.fullmatch(r"What (?:is|are) (?:an? )?(?P<term>(?!the )[a-z][\w-]*(?: [\w-]+){0,3})\?", question.text)
    if question.kind == "definition" and term and not re.search(r"\b(?:the|of|in|on|at|for)\b", term["term"]):
        return f"Define {term['term']}."
    return f"{_ORDER.get(question.kind, 'State')} {question.indirect}."


def wordings(question: Question) -> frozenset[str]:
    """All the forms that it may come back in."""
    return frozenset({question.text, as_exam(question), as_keywords(question) or question.text})


def as_keywords(question: Question) -> str | None:
    """As typed into a search box; None where nothing can go."""
    if ":" in question.indirect:
        return None
    supported = re.match(r"(?:\w+ ){1,4}?(?:do|does|did) ", question.text)
    base = question.indirect if supported else question.text.rstrip("?")
    short = _ARTICLES.sub("", base)
    if question.kind == "definition":
        one = re.fullmatch(r"What (?:is|was) the (?P<term>\S+ \S.*)", base)
        if one:
            return _ARTICLES.sub("", one["term"])
    short = short[0].lower() + short[1:]
    return short if len(short.split()) < len(question.text.split()) else None
