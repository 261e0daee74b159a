"""Which of two dated events came first."""

from collections.abc import Iterator

from ragset.llm.offline.events import Event, events
from ragset.llm.offline.joined import Joined, place_holders
from ragset.llm.offline.substance import content

_FAR = 500
"""Years between events that nobody would ask about in one breath, unless they speak of the same thing."""
_RELATED = 0.08
"""Share of their words of substance that two chunks about one matter have in common."""
_LONGEST = 26
"""Words of a query that is read at one go."""


def ordered(first: str, second: str) -> Iterator[Joined]:
    """Queries like `Did the great clock of Westminster start before Edinburgh added a gun?`."""
    if not events(first) or not events(second) or not _of_one_matter(first, second):
        return
    for one in events(first):
        for other in events(second):
            apart = one.when.before(other.when) or other.when.before(one.when)
            if not apart or not _go_together(one, other):
                continue
            query = f"{one.asked[0].upper()}{one.asked[1:]} before {_short(one, other)}?"
            if len(query.split()) > _LONGEST:
                continue
            verdict = "Yes" if one.when.before(other.when) else "No"
            yield Joined(
                shape="comparison",
                query=query,
                parts=place_holders(one.evidence, other.evidence),
                answer=f"{verdict}. {one.answer} {other.answer}",
                score=4.0 + 0.2 * len(_shared(one, other)) - 0.05 * max(0, len(query.split()) - 14),
                why="each states a date, and the dates can be put in order",
            )


def _go_together(one: Event, other: Event) -> bool:
    if one.stated == other.stated or " before " in f"{one.asked} {other.stated}":
        return False
    shared = _shared(one, other)
    if one.subject == other.subject and one.stated.split()[-1] == other.stated.split()[-1]:
        return False
    return bool(shared) or min(abs(one.when.low - other.when.high), abs(other.when.low - one.when.high)) <= _FAR


def _short(one: Event, other: Event) -> str:
    """The other event; its name alone where the same was done to both."""
    done = one.stated.removeprefix(one.subject)
    return other.subject if other.stated == f"{other.subject}{done}" else other.stated


def _of_one_matter(first: str, second: str) -> bool:
    mine, others = set(content(first)), set(content(second))
    return len(mine & others) >= _RELATED * min(len(mine), len(others))


def _shared(one: Event, other: Event) -> set[str]:
    return set(content(one.stated)) & set(content(other.stated))
