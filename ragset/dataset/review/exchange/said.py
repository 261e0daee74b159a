"""What a person said of a golden in another tool."""

from typing import NamedTuple

from ragset.dataset.review.records import Verdict

Marks = tuple[tuple[int, int], ...]
"""Half-open ranges of characters of the text that was shown."""


class Said(NamedTuple):
    """One person's judgement of one golden, with whole values: what was not changed is there as it was shown."""

    item: str
    reviewer: str
    guideline: str  # `name@version`, as it was exported
    verdict: Verdict | None  # None: the person skipped it
    reasons: tuple[str, ...] = ()
    note: str = ""
    query: str = ""
    answer: str = ""
    text: str = ""  # that was shown
    evidence: Marks | None = None  # None: nothing is said of it
    equivalents: Marks | None = None
