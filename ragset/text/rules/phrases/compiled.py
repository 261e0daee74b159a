"""How the patterns of all languages are read."""

import re
from collections.abc import Iterable


def compiled(patterns: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    """Ready, without regard to case."""
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)
