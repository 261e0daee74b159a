"""Which of two dated events of one matter came first."""

import re
from collections.abc import Iterator

from ragset.generation.offline.events import Event, events
from ragset.generation.offline.joined import Joined, place_holders
from ragset.generation.offline.nouns import VAGUE, is_capital
from ragset.generation.offline.substance import content

_FAR = 150
"""Years beyond which the order of two events is plain, or nobody's question."""
_FAR_KIND = 300
"""The same for things of one kind."""
_FEW = 3
"""Years that are worth counting."""
_NEAR = 60
"""Years between events that are known to be of one matter by a word alone."""
_RELATED = 0.08
"""Share of their words of substance that two chunks about one matter have in common."""
_CLOSE = 0.15
"""That share for two things or events that nothing but their chunks brings together."""
_FAINT = 3.2
"""Score of two events that nothing but their chunks brings together."""
_LONGEST = 26
"""Words of a query that is read at one go."""

_ORIGIN = re.compile(
    r" (?:(?:was|were) (?:\w+ly |first )?(?:invented|introduced|built|made|founded|established|opened|finished|completed|published"
    r"|launched|released|developed|patented|discovered|erected|constructed|created|unveiled|standardi[sz]ed|fixed|inserted"
    r"|written|composed)|(?:first )?(?:appeared|opened|came into use|started|began|premiered|debuted))\b"
)
"""How a thing comes into the world."""
_END = re.compile(
    r" (?:died|(?:was|were) (?:killed|buried|murdered|executed|abolished|dissolved|demolished|closed))\b| was born\b"
)
"""Before or after which all else about it must lie."""
_NAME = re.compile(r"[A-ZÀ-Þ][\w'’.&-]*(?: (?:(?:of|and|for|the|de|von|van) )*[A-ZÀ-Þ][\w'’.&-]*)*")
_AT_PLACE = re.compile(r"\b(?:in|at|from|to|into|near|of|across) (?:the )?$")
_INNER = re.compile(r" (?:of|in|on|at|for|with|from|by|to|between|that|which|who) ")


def ordered(first: str, second: str) -> Iterator[Joined]:
    """Queries like `Which came first, the anchor escapement or the lever escapement?`."""
    if not events(first) or not events(second):
        return
    related = _related(first, second)
    for one in events(first):
        for other in events(second):
            apart = one.when.before(other.when) or other.when.before(one.when)
            score = _go_together(one, other, related) if apart else 0
            if not score:
                continue
            which = _first_of(one, other) if _are_things(one, other) else _before(one, other)
            # What only its chunk brings together is asked for once.
            between = _years_between(one, other) if score > _FAINT else (None, "")
            for query, verdict in ((which, _verdict(one, other)), between):
                if query is None or len(query.split()) > _LONGEST:
                    continue
                yield Joined(
                    shape="comparison",
                    query=query,
                    parts=place_holders(one.evidence, other.evidence),
                    answer=f"{verdict} {one.answer} {other.answer}",
                    score=score - 0.05 * max(0, len(query.split()) - 14),
                    why="each states a date, and the dates can be put in order",
                )


def _before(one: Event, other: Event) -> str | None:
    if " before " in f"{one.asked} {other.stated}":
        return None
    return f"{one.asked[0].upper()}{one.asked[1:]} before {_short(one, other)}?"


def _first_of(one: Event, other: Event) -> str | None:
    """Asked once for two chunks, and not the other way round as well."""
    return f"Which came first, {one.subject} or {other.subject}?" if one.subject < other.subject else None


def _years_between(one: Event, other: Event) -> tuple[str | None, str]:
    """Of two dates that are known to the year, asked once: in the order in which they came."""
    lengths = [event.when.high - event.when.low for event in (one, other)]
    years = round((other.when.low + other.when.high - one.when.low - one.when.high) / 2)
    if max(lengths) > 1 or not _FEW <= years <= _FAR or " after " in f"{one.stated} {other.asked}":
        return None, ""
    # From a day to a year it is one more or one less.
    exact = min(lengths) == 1
    asked = f"ow many years after {one.stated} {other.asked}?"
    return (
        (f"H{asked}", f"{_spelt(years)} years.")
        if exact
        else (f"About h{asked}", f"About {_spelt(years).lower()} years.")
    )


_ONES = (
    "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def _spelt(number: int) -> str:
    """In words, since the sentences do not state it: `A hundred and three`."""
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    small = _ONES[rest] if rest < 20 else "-".join(filter(None, (_TENS[tens], _ONES[ones])))
    large = "" if not hundreds else "a hundred" if hundreds == 1 else f"{_ONES[hundreds]} hundred"
    words = " and ".join(filter(None, (large, small)))
    return words[0].upper() + words[1:]


def _verdict(one: Event, other: Event) -> str:
    if _are_things(one, other):
        earlier = one if one.when.before(other.when) else other
        return f"{earlier.subject[0].upper()}{earlier.subject[1:]} came first."
    return "Yes." if one.when.before(other.when) else "No."


def _are_things(one: Event, other: Event) -> bool:
    """Each is told of as it came into the world."""
    return all(
        event.stated.startswith(event.subject) and _ORIGIN.match(event.stated.removeprefix(event.subject))
        for event in (one, other)
    )


def _go_together(one: Event, other: Event, related: float) -> float:
    """How likely one is asked about with the other: 0 unless they have a thing, its kind or a matter in common."""
    years = max(one.when.low - other.when.high, other.when.low - one.when.high)
    if one.stated == other.stated or years > _FAR_KIND:
        return 0
    # Whoever died did so after all else; and the same done twice is not put in order.
    if one.subject == other.subject and one.stated.split()[-1] == other.stated.split()[-1]:
        return 0
    if any(
        _END.search(early.stated) and _END.split(early.stated)[0] in late.stated
        for early, late in ((one, other), (other, one))
    ):
        return 0
    things = _are_things(one, other)
    if things and _kind(one.subject) and _kind(one.subject) == _kind(other.subject):
        mine, others = set(content(one.subject)), set(content(other.subject))
        # The first pendulum clock and the last one are of one kind.
        return 0 if mine <= others or others <= mine else 4.4 - years / _FAR_KIND
    if years > _FAR:
        return 0
    if _names_the_same(one, other):
        return 4.2
    if things and related >= _CLOSE and not (_is_name(one.subject) or _is_name(other.subject)):
        return 4.0
    shared = set() if things else _matter(one) & _matter(other)
    if shared and related >= _RELATED and years <= _NEAR:
        return 3.6 + 0.2 * len(shared)
    return _FAINT if related >= _CLOSE and years <= _NEAR else 0


def _kind(subject: str) -> str:
    """`clock` of "the great clock of Westminster"; empty for a name."""
    head = _INNER.split(subject, maxsplit=1)[0].split()[-1]
    return "" if is_capital(head) or head in VAGUE or "'" in head or "’" in head else head.lower()


def _is_name(subject: str) -> bool:
    """Nothing but capitals: a person, a place or a body, of which nobody knows what sort of thing it is."""
    return bool(_NAME.fullmatch(subject.removeprefix("the ")))


def _names_the_same(one: Event, other: Event) -> bool:
    """What one is about has its name in the other, and not as the place or the whole of something."""
    return any(
        subject in _names(event.stated)
        for subject, event in ((_bare(one.subject), other), (_bare(other.subject), one))
        if _NAME.fullmatch(subject)
    )


def _names(stated: str) -> set[str]:
    return {found[0] for found in _NAME.finditer(stated) if not _AT_PLACE.search(stated[: found.start()])}


def _bare(subject: str) -> str:
    return subject.removeprefix("the ")


def _matter(event: Event) -> set[str]:
    """Stems of what is done and by whom, names apart."""
    return set(content(_NAME.sub("", event.stated[0].lower() + event.stated[1:])))


def _short(one: Event, other: Event) -> str:
    """The other event; its name alone where the same was done to both."""
    done = one.stated.removeprefix(one.subject)
    return other.subject if other.stated == f"{other.subject}{done}" else other.stated


def _related(first: str, second: str) -> float:
    mine, others = set(content(first)), set(content(second))
    return len(mine & others) / max(1, min(len(mine), len(others)))
