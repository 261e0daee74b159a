"""A query rewritten where a rule can do it; most passages do not carry most rewritings, and then it is null."""

import re
from collections.abc import Callable, Iterable

from ragset.generation.offline.answer import answer_query, known
from ragset.generation.offline.candidates import Candidate, candidates
from ragset.generation.offline.joined import is_joined
from ragset.generation.offline.narrowed import concretised, constrained
from ragset.generation.offline.opening import DATE
from ragset.generation.offline.steps import stepped
from ragset.generation.offline.substance import content, names
from ragset.generation.offline.tabled import blank, tabled
from ragset.generation.offline.text import words
from ragset.generation.offline.wording import as_keywords, wordings
from ragset.llm.replies import EvolvedQuery
from ragset.text.rules.passage_references import leans

_TIME = re.compile(rf" (?:in|on|of|about|around|since|during) (?:about |around )?(?:{DATE}|the \d{{4}}s)")
_PLACE = re.compile(r" (?:in|at) (?:the )?[A-Z][\w.'’-]*(?: (?:of |the )?[A-Z][\w.'’-]*){0,3}(?=\?$|\.$)")
_RANKED = re.compile(
    r"\b(?:first|last|only|next|original|earliest|latest|second|third|most|least|best|worst|than|after|before|until|from|between"
    r"|(?!(?:west|east|rest|forest|interest|guest|test|request|invest|suggest|harvest|protest|arrest|contest|honest)\b)[a-z]{3,}est)\b",
    re.IGNORECASE,
)
"""What holds of a time and a place: "first ordered in Germany" is not "first ordered"."""
_OPEN_ENDED = re.compile(r"(?:What (?:do|does|did|was|were|is|are) |How many )")

_BEHIND = 0.7
"""Share of the words of a why or how that the answer must hold, to be about that."""
_ANOTHER = 0.34
"""Share of words of substance up to which two questions are about different things."""


def evolve(chunk: str, query: str, kind: str) -> EvolvedQuery:
    """The query as `kind` would have it, or null with the reason."""
    if is_joined(query) and known(chunk, query) is None:
        return EvolvedQuery(reason="By rule: it asks about two things, and would lose one of them.", query=None)
    evolved, reason = _WAYS[kind](chunk, query)
    if evolved is None or evolved == query:
        return EvolvedQuery(reason=f"By rule: {reason}.", query=None)
    return EvolvedQuery(reason=f"By rule: {reason}.", query=evolved)


def _generalise(chunk: str, query: str) -> tuple[str | None, str]:
    del chunk
    if _OPEN_ENDED.match(query):
        return None, "without its particulars it would have many answers"
    if _RANKED.search(query):
        return None, "it ranks or compares, and that holds of its time and place"
    for pattern, what in ((_TIME, "time"), (_PLACE, "place")):
        wider = pattern.sub("", query, count=1)
        if wider != query and len(wider.split()) >= 5 and len(set(content(wider))) >= 3:
            return wider, f"the {what} narrows it, and it is answered without"
    return None, "it names no time or place that could go"


def _reasoning(chunk: str, query: str) -> tuple[str | None, str]:
    found = _about(chunk, query, {"why", "effect", "how"})
    return found, "a cause is stated for the same subject" if found else "no cause is stated for its subject"


def _conditional(chunk: str, query: str) -> tuple[str | None, str]:
    found = _about(chunk, query, {"condition"})
    return found, "a condition is stated for the same subject" if found else "no condition is stated for its subject"


def _about(chunk: str, query: str, kinds: set[str]) -> str | None:
    """The best other question of these kinds about what the query is about."""
    asked = set(content(query))

    def shared(candidate: Candidate) -> int:
        return len(asked & set(content(candidate.question.text)))

    fitting = [
        candidate
        for candidate in candidates(chunk)
        if candidate.question.kind in kinds
        and query not in wordings(candidate.question)
        and _same_subject(query, candidate.question.text)
    ]
    best = max(fitting, key=lambda candidate: (shared(candidate), candidate.question.score), default=None)
    return best.question.text if best else None


def _same_subject(query: str, other: str) -> bool:
    """Two words of substance in common, or one that neither narrows: "escapement" alone is shared by all its kinds."""
    named, other_named = names(query), names(other)
    if named - other_named and other_named - named:
        return False
    shared = set(content(query)) & set(content(other))
    if len(shared) != 1:
        return bool(shared)
    (word,) = shared
    return _narrowing(query, word) == _narrowing(other, word) == ""


def _narrowing(query: str, word: str) -> str:
    """The word of substance just before `word`, which is a stem."""
    before = ""
    for token in words(query):
        found = content(token)
        if word in found:
            return before
        before = found[0] if found else ""
    return ""


def _compress(chunk: str, query: str) -> tuple[str | None, str]:
    asked_for = known(chunk, query)
    if asked_for:
        short = as_keywords(asked_for.question)
    else:
        short = re.sub(r"\b(?:the|an?) ", "", query.rstrip("?.").strip())
        short = short[:1].lower() + short[1:] if len(short.split()) < len(query.split()) else None
    return short, "articles and auxiliaries can go" if short else "nothing can go without losing what is asked"


def _constraints(chunk: str, query: str) -> tuple[str | None, str]:
    found = _narrower(chunk, query, constrained)
    return found, "the answering sentence binds it to a condition" if found else "its sentence states no condition more"


def _concretise(chunk: str, query: str) -> tuple[str | None, str]:
    found = _narrower(chunk, query, concretised)
    return found, "the passage names a case of it" if found else "the passage names no case of it"


def _narrower(chunk: str, query: str, way: Callable[[Candidate, str, str], Iterable[str]]) -> str | None:
    """The first that can be sent as it stands and that the same sentence, or one of its own, answers."""
    asked_for = known(chunk, query)
    if asked_for is None or blank(query):
        return None
    for found in way(asked_for, query, chunk):
        if found != query and leans(found) is None and _answers(chunk, found, asked_for):
            return found
    return None


def _answers(chunk: str, query: str, asked_for: Candidate) -> bool:
    reply = answer_query(chunk, query)
    own = known(chunk, query) is not None
    return reply.verdict == "answered" and (own or asked_for.evidence[-1].text in reply.quotes)


def _deepen(chunk: str, query: str) -> tuple[str | None, str]:
    asked_for = known(chunk, query)
    best = None
    if asked_for and asked_for.question.kind not in {"how", "effect", "bridge"}:
        stated = set(content(asked_for.answer))

        def behind(candidate: Candidate) -> bool:
            asks = set(content(candidate.question.text))
            return (
                candidate.question.kind in {"why", "how"}
                and candidate.question.text != asked_for.question.text
                and len(asks & stated) >= max(2, _BEHIND * len(asks))
                and not asks.isdisjoint(content(query))
                and names(candidate.question.text) <= stated
            )

        fitting = [candidate for candidate in candidates(chunk) if behind(candidate)]
        best = max(fitting, key=lambda candidate: candidate.question.score, default=None)
    reason = "the passage says why or how that is so" if best else "the passage does not say what is behind it"
    return best.question.text if best else None, reason


def _more_steps(chunk: str, query: str) -> tuple[str | None, str]:
    asked_for = known(chunk, query)
    fact = asked_for.evidence[-1] if asked_for else None
    found = next((one.question.text for one in stepped(chunk) if fact in one.evidence), None)
    return found, "a second statement must be found first" if found else "no other statement leads to its answer"


def _complicate_input(chunk: str, query: str) -> tuple[str | None, str]:
    asked_for = None if blank(query) else known(chunk, query)
    found = tabled(chunk, asked_for) if asked_for else None
    return found, "its answer is left out of a table of facts" if found else "its facts fill no table"


def _broaden(chunk: str, query: str) -> tuple[str | None, str]:
    """The best question about something else, from a sentence that the query is not answered by."""
    asked = set(content(query))
    asked_for = known(chunk, query)
    used = asked_for.evidence if asked_for else ()

    def other(candidate: Candidate) -> bool:
        about = set(content(candidate.question.text))
        return candidate.evidence[-1] not in used and len(asked & about) <= _ANOTHER * min(len(asked), len(about))

    best = max(filter(other, candidates(chunk)), key=lambda candidate: candidate.question.score, default=None)
    reason = "the passage states this of another thing" if best else "the passage answers nothing about another thing"
    return best.question.text if best else None, reason


_WAYS: dict[str, Callable[[str, str], tuple[str | None, str]]] = {
    "generalise": _generalise,
    "reasoning": _reasoning,
    "conditional": _conditional,
    "constraints": _constraints,
    "deepen": _deepen,
    "concretise": _concretise,
    "more_steps": _more_steps,
    "complicate_input": _complicate_input,
    "broaden": _broaden,
    "compress": _compress,
}
