"""Which of two dated events came first."""

from collections.abc import Iterator

from ragset.llm.offline.answer import content
from ragset.llm.offline.events import Event, events
from ragset.llm.offline.joined import Joined, place_holders

_FAR = 200
"""Years between events that nobody would ask about in one breath, unless they speak of the same thing."""
_LONGEST = 26
"""Words of a query that is read at one go."""


def ordered(first: str, second: str) -> Iterator[Joined]:
    """Queries like `Did the great clock of Westminster start before Edinburgh added a gun?`."""
    for one in events(first):
        for other in events(second):
            apart = one.when.before(other.when) or other.when.before(one.when)
            if not apart or not _go_together(one, other):
                continue
            query = f"{one.asked[0].upper()}{one.asked[1:]} before {other.stated}?"
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
    if one.subject == other.subject and one.asked.split()[-1:] == other.asked.split()[-1:]:
        return False
    return bool(shared) or abs(one.when.low - other.when.low) <= _FAR


def _shared(one: Event, other: Event) -> set[str]:
    return set(content(one.stated)) & set(content(other.stated))
