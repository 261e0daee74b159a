"""A query about less: under one more condition, or about one case of what it asks for in general."""

import re
from collections.abc import Iterator

from ragset.generation.offline.candidates import Candidate, candidates, told
from ragset.generation.offline.clause import Clause, clauses, parse
from ragset.generation.offline.facts import at_date
from ragset.generation.offline.opening import DATE
from ragset.generation.offline.phrase import tail_fits
from ragset.generation.offline.prose import plain
from ragset.generation.offline.question import Question
from ragset.generation.offline.substance import content, names
from ragset.generation.offline.verbs import BASES, is_finite, is_participle

_SUBORDINATE = re.compile(r"\b(?:that|which|who|whom|whose|because|when|if|than|before|after|until|while|where)\b")
_MAIN = re.compile(r"[,;:]| (?:and|but|or|so|that|which|who|whose|because|since|although|while|where|than|not) ")
_ADJUNCT = re.compile(
    rf" (?P<adjunct>(?:in|on|about|around|during|since) (?:about |around )?{DATE}"
    r"|(?:in|at) (?:the )?[A-Z][\w.'’-]*(?: (?:of (?:the )?)?[A-Z][\w'’-]*){0,3}"
    r"|(?:during|under|without|throughout|across) (?:the |an? )?[a-z][\w'’-]*(?: [\w'’-]+){0,4}"
    r"|(?:when|if|until|after|before|while) [a-z][\w'’-]*(?: [\w'’-]+){0,8})$"
)
"""At the end of the main clause: a time, a place, a circumstance."""
_SETTLED = {
    "when": re.compile(r"\d|centur|^(?:when|after|before|during|until|while|since)"),
    "where": re.compile(r"^(?:in|at|on|across)\b"),
}
"""What would be the answer, by the kind of question."""
_LEFT = 5
"""Words of the answer, at most, between what the query says and the condition."""
_UNBOUND = frozenset({"condition", "definition", "comparison", "effect"})
_SAID = re.compile(
    r"\b(?P<kind>(?:[A-Za-z][a-z-]* )?[A-Za-z][a-z-]{2,}s),? (?:such as|including) "
    r"(?P<case>(?:the |an? )?(?!when\b|where\b|those\b|these\b|how\b|what\b)[\w'’-]+(?: (?!and\b|or\b|is\b|are\b|was\b|were\b|to\b|that\b|which\b)[\w'’-]+){0,2}?)"
    r"(?=,|;|\.|\)| (?:and|or|is|are|was|were|to|that|which|in|on|at|of|for|by|with)\b)"
)
_SINGULAR = {"do": "does", "are": "is", "were": "was", "have": "has"}
_BEFORE_KIND = frozenset("of in on by for with from to between among as than against into did can must".split())  # noqa: SIM905
"""Behind anything else it may be a narrower kind: "precious metals"."""
_GENUS = re.compile(r"an? (?:[a-z-]+ ){0,2}?[a-z-]+(?=[,;:]|$| (?:that|which|who|of|used|in|with|for|made)\b)")
_NARROWING = (
    r"(?!(?:other|new|good|own|such|same|many|few|most|all|some|these|those|the|first|last|main|great)\b)[\w'’-]+"
)
_SHARED = 2
"""Words of substance that a query and one about a case of it have in common."""
_GENERAL = re.compile(r"\b(?:an? (?P<one>[a-z-]+)|(?<![a-z] )(?P<all>[a-z-]{4,}s))\b")


def constrained(asked_for: Candidate, query: str, chunk: str) -> Iterator[str]:
    """The query under a condition that the answering sentence states with its answer."""
    question = asked_for.question
    if question.kind in _UNBOUND or _SUBORDINATE.search(query[1:]) or query[-1:] not in "?.":
        return
    known = set(content(query)) | set(content(question.answer))
    for clause in clauses(plain(asked_for.answer), chunk):
        for condition in _conditions(clause, known):
            if _fits(question, condition, query):
                yield f"{query[:-1]} {condition}{query[-1]}"


def _conditions(clause: Clause, known: set[str]) -> Iterator[str]:
    if clause.date:
        yield at_date(clause.date)
    if clause.place:
        yield clause.place
    main = f" {_MAIN.split(clause.rest, maxsplit=1)[0]}"
    found = _ADJUNCT.search(main)
    # What the query leaves out must be its answer, not a second verb that the condition belongs to.
    left = [word for word in main[: found.start()].split() if not set(content(word)) <= known] if found else []
    if found and len(left) <= _LEFT and not any(_is_verbal(word) for word in left):
        yield found["adjunct"]


def _is_verbal(word: str) -> bool:
    return is_finite(word) or is_participle(word) or word in BASES or word.endswith("ing") or word in {"to", "as"}


def _fits(question: Question, condition: str, query: str) -> bool:
    """It is neither asked for nor said already, and can stand at the end."""
    settled = _SETTLED.get(question.kind)
    new = set(content(condition)) or {condition}
    if (settled and settled.search(condition)) or new & (set(content(query)) | set(content(question.answer))):
        return False
    opens = condition.split()[0]
    if opens in {"when", "if", "while"} and not any(is_finite(word) for word in condition.split()[1:]):
        return False
    return tail_fits(condition.removeprefix(opens).strip())


def concretised(asked_for: Candidate, query: str, chunk: str) -> Iterator[str]:
    """The query about a case that the chunk names of what it asks about, or the same about a narrower thing."""
    for found in _SAID.finditer(plain(chunk)):
        kind, case = found["kind"][0].lower() + found["kind"][1:], found["case"]
        new = set(content(case)) - set(content(kind))
        if new and new.isdisjoint(content(query)) and not any(_is_verbal(word) for word in case.split()):
            yield from _put(kind, case, query)
    yield from _by_genus(query, chunk)
    if names(query):
        return
    for general in _GENERAL.finditer(query):
        noun = general["one"] or general["all"]
        for candidate in candidates(chunk):
            text = candidate.question.text
            same = candidate.question.kind == asked_for.question.kind != "definition"
            if (
                text != query
                and same
                and _is_case(noun, text)
                and len(set(content(query)) & set(content(text))) >= _SHARED
            ):
                yield text


def _put(kind: str, case: str, query: str) -> Iterator[str]:
    """With the case in the place of its kind, and the auxiliary before it in the number of the case."""
    place = re.search(
        rf"(?P<narrower>[a-z-]+ )?\b(?:(?P<do>do|are|were|have) )?{re.escape(kind)}\b(?! (?:such|of|that|which|who)\b)",
        query,
    )
    if place is None:
        return
    if place["do"] is None and (place["narrower"] or "").strip() not in _BEFORE_KIND:
        return
    start = place.start("do") if place["do"] else place.end() - len(kind)
    auxiliary = ""
    if place["do"]:
        plural = case.endswith("s") and not case.endswith(("ss", "us", "is"))
        auxiliary = f"{place['do'] if plural else _SINGULAR[place['do']]} "
    yield f"{query[:start]}{auxiliary}{case}{query[place.end() :]}"


def _by_genus(query: str, chunk: str) -> Iterator[str]:
    """Of `A clepsydra is a water clock`, what is asked of a water clock asked of a clepsydra."""
    for text, _ in told(chunk):
        clause = parse(text, chunk)
        said = _GENUS.match(clause.rest) if clause and clause.verb in {"is", "are"} else None
        if clause is None or said is None or set(content(clause.subject)) & set(content(query)):
            continue
        place = re.search(rf"\b{re.escape(said[0])}\b(?! (?:of|that|which|who|for|made|used)\b)", query)
        if place:
            yield f"{query[: place.start()]}{clause.subject}{query[place.end() :]}"


def _is_case(noun: str, text: str) -> bool:
    """Whether it asks about a kind of the noun: of a clock, about a water clock or the Salisbury clock."""
    narrower = rf"(?:[Aa]n?|[Tt]he|do|does|did|are|were) (?P<which>{_NARROWING}) {re.escape(noun)}\b(?! of\b)"
    return re.search(narrower, text) is not None
