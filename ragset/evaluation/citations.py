"""The passages that an answer cites: a list in the reply, or numbers in brackets in the answer."""

import re
from collections.abc import Mapping
from typing import Any

from ragset.errors import ProviderError

_NUMBER = r"[1-9]\d?"
_RANGE = rf"(?:doc)?({_NUMBER})(?:\s*[-–]\s*(?:doc)?({_NUMBER}))?"
_ENTRY = re.compile(_RANGE)
_MARKER = re.compile(rf"[\[【]\^?({_RANGE}(?:\s*[,;]\s*{_RANGE})*)[\]】]")
"""`[1]`, `[2, 3]`, `[2-4]`, `[^1]`, `[doc1]`, `【1】`. A number above 99 is a year or an amount."""


def citations_of(reply: Mapping[str, Any], answer: str | None, passages: int) -> tuple[int, ...] | None:
    """Numbers, from 1, of the passages that are cited; None where neither the reply nor its answer says.

    A number in the answer that no passage has stays: it is a citation of nothing.
    """
    cited = reply.get("citations")
    if cited is None:
        return cited_in(answer or "") or None
    if not isinstance(cited, list | tuple) or any(type(one) is not int or not 1 <= one <= passages for one in cited):
        raise ProviderError("citations must be a list of numbers of passages, from 1")
    return tuple(sorted(set(cited)))


def cited_in(answer: str) -> tuple[int, ...]:
    """The numbers that stand in brackets in a text, each once."""
    entries = (entry for marker in _MARKER.finditer(answer) for entry in _ENTRY.findall(marker[1]))
    return tuple(sorted({number for first, last in entries for number in range(int(first), int(last or first) + 1)}))


def without_citations(answer: str) -> str:
    """The text without the numbers in brackets, which are no words of the answer."""
    return _MARKER.sub("", answer)
