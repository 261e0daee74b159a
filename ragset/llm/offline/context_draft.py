"""A query that needs several chunks: the best that the patterns find."""

from ragset.llm.offline.answer import known
from ragset.llm.offline.contexts import joined
from ragset.llm.offline.joined import Joined
from ragset.llm.offline.language import guess_language
from ragset.replies import EvolvedQuery, QueryDraft

_LIKED = 10.0
"""What the wished-for shape adds, so that another only stands in for it."""
_OF_THE_FIRST = 1.0
"""What the first chunk adds, which the others were found by: contexts that share their best pair ask about others, too."""


def draft_multi(chunks: tuple[str, ...], shape: str) -> QueryDraft:
    """The best query of the shape that needs two of the chunks, or of another shape where there is none."""
    found = joined(chunks)
    best: Joined | None = None
    for one in found:
        if not _needs_both(one, found, chunks):
            continue
        if best is None or _score(one, shape) > _score(best, shape):
            best = one
    if best is None:
        return QueryDraft(reason=_why_none(chunks), query=None)
    instead = "" if shape in {best.shape, "open"} else f", and no {shape} was found"
    numbers = " and ".join(str(place + 1) for place in best.needs)
    return QueryDraft(reason=f"By rule: of passages {numbers} {best.why}{instead}.", query=best.query)


def evolve_multi(chunk: str, second: str, query: str) -> EvolvedQuery:
    """A query about what `query` asks for that needs the second chunk as well, or null."""
    asked_for = known(chunk, query)
    if asked_for is None:
        return EvolvedQuery(reason="By rule: no pattern makes this query.", query=None)
    found = joined((chunk, second))
    fact = asked_for.evidence[-1]
    fitting = [
        one
        for one in found
        if _needs_both(one, found, (chunk, second))
        and any(part.chunk == 0 and fact in part.sentences for part in one.parts)
    ]
    # The first chunk's fact stays what is asked about.
    best = max(fitting, key=lambda one: (one.parts[0].chunk == 0, one.score), default=None)
    if best is None:
        return EvolvedQuery(reason="By rule: the second passage states nothing of its kind.", query=None)
    return EvolvedQuery(reason=f"By rule: of the two passages {best.why}.", query=best.query)


def _score(one: Joined, shape: str) -> float:
    return one.score + (_LIKED if one.shape == shape else 0.0) + (_OF_THE_FIRST if 0 in one.needs else 0.0)


def _needs_both(one: Joined, found: tuple[Joined, ...], chunks: tuple[str, ...]) -> bool:
    """No other chunk can take the place of one of the two, and none answers alone."""
    return (
        len(one.needs) > 1
        and all(set(one.needs) <= set(other.needs) for other in found if other.query == one.query)
        and all(known(chunk, one.query) is None for chunk in chunks)
    )


def _why_none(chunks: tuple[str, ...]) -> str:
    if not any(guess_language(chunk) == "en" for chunk in chunks):
        return "By rule: no rule for this language."
    return "By rule: no two passages state facts of one kind about different things."
