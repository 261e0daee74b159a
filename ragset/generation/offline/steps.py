"""Questions that two statements of one chunk answer only together."""

from functools import lru_cache

from ragset.generation.offline.candidates import Candidate
from ragset.generation.offline.contexts import joined
from ragset.generation.offline.joined import Joined
from ragset.generation.offline.question import Question
from ragset.generation.offline.substance import content
from ragset.generation.offline.text import Sentence

_STEPS = frozenset({"bridge", "comparison"})
"""Shapes in which one statement is what the other is read by; an aggregation, or a difference, sets them side by side."""

_SAME = 0.6
"""Share of words of substance from which two events are one."""


@lru_cache(maxsize=64)
def stepped(chunk: str) -> tuple[Candidate, ...]:
    """Who is meant must be found out first, or two dates or measures be set against each other; best first."""
    found: list[tuple[float, Candidate]] = []
    for one in joined((chunk,)):
        first, second = (part.sentences for part in one.parts)
        if one.shape not in _STEPS or first[-1] == second[-1] or " differ from " in one.query:
            continue
        # "A clock that is wrong by half a second" may be any; a person who did a thing is one.
        if one.shape == "bridge" and "the person who " not in one.query:
            continue
        if " before " in one.query and not _goes_together(one, first[-1], second[-1]):
            continue
        evidence: tuple[Sentence, ...] = tuple(sorted({*first, *second}))
        question = Question(one.shape, one.query, f"Work out: {one.query}", one.score)
        found.append((one.score, Candidate(question, evidence, one.answer)))
    return tuple(candidate for _, candidate in sorted(found, key=lambda scored: -scored[0]))


def _goes_together(one: Joined, first: Sentence, second: Sentence) -> bool:
    """The two speak of one matter, and the order of what they tell is not plain from the words ("opened, reopened")."""
    earlier, _, later = one.query.partition(" before ")
    mine, others = set(content(earlier)), set(content(later))
    if len(mine & others) >= _SAME * min(len(mine), len(others)):
        return False
    return bool(set(content(first.text)) & set(content(second.text)))
