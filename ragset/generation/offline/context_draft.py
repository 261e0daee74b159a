"""A query that needs several chunks: the best that the patterns find."""

from collections.abc import Sequence
from zlib import crc32

from ragset.generation.offline.answer import known
from ragset.generation.offline.context_answer import find
from ragset.generation.offline.contexts import joined
from ragset.generation.offline.joined import Joined
from ragset.generation.offline.language import guess_language
from ragset.llm.replies import ContextDraft, EvolvedQuery

_LIKED = 10.0
"""What the wished-for shape adds, so that another only stands in for it."""
_OF_THE_FIRST = 1.0
"""What the first chunk adds, which the others were found by: contexts that share their best pair ask about others, too."""
_NEARLY = 2.0
"""Of finds whose scores are closer than this, contexts that share them draw different ones, each always the same."""


def draft_multi(chunks: tuple[str, ...], shape: str) -> ContextDraft:
    """The best query of the shape that needs two of the chunks, or of another shape where there is none."""
    found = sorted(joined(chunks), key=lambda one: -_score(one, shape, chunks))
    best = next((one for one in found if _needs_both(one, found, chunks)), None)
    if best is None:
        return ContextDraft(reason=_why_none(chunks), query=None, shape=None)
    instead = "" if shape in {best.shape, "open"} else f", and no {shape} was found"
    numbers = " and ".join(str(place + 1) for place in best.needs)
    reason = f"By rule: of passages {numbers} {best.why}{instead}."
    return ContextDraft(reason=reason, query=best.query, shape=best.shape)


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


def _score(one: Joined, shape: str, context: tuple[str, ...]) -> float:
    # Whichever of the two is asked about first.
    asked = sorted(sentence.text for part in one.parts for sentence in part.sentences)
    drawn = crc32("\n".join([one.query.split()[0], *asked, *context]).encode()) / 2**32
    liked = _LIKED if one.shape == shape else 0.0
    return one.score + liked + (_OF_THE_FIRST if 0 in one.needs else 0.0) + _NEARLY * drawn


def _needs_both(one: Joined, found: Sequence[Joined], chunks: tuple[str, ...]) -> bool:
    """No other chunk can take the place of one of the two, and none answers alone."""
    return (
        len(one.needs) > 1
        and all(set(one.needs) <= set(other.needs) for other in found if other.query == one.query)
        and all(known(chunk, one.query) is None for chunk in chunks)
        and not any(find(_without(chunks, place), one.query).whole for place in one.needs)
    )


def _without(chunks: tuple[str, ...], place: int) -> tuple[str, ...]:
    return chunks[:place] + chunks[place + 1 :]


def _why_none(chunks: tuple[str, ...]) -> str:
    if not any(guess_language(chunk) == "en" for chunk in chunks):
        return "By rule: no rule for this language."
    return "By rule: no two passages state facts of one kind about different things."
