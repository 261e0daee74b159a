"""What another system replies to a query, in one form."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ragset.errors import ProviderError

FORM = '{"answer": …, "passages": […]}'
_PASSAGE = "a text, or an object with text, with document and perhaps start and end, or with id"


class Returned(NamedTuple):
    """One passage as the system names it: by its text, by a place in a document, or by an id of its own."""

    score: float
    text: str | None = None
    document: str = ""
    """Id, path, file name or title; empty where nothing is said."""
    start: int | None = None
    end: int | None = None
    """Half-open characters of the document as ragset normalises it."""
    id: str = ""


class Reply(NamedTuple):
    """What the system said to one query."""

    answer: str | None
    passages: tuple[Returned, ...]
    """Best first."""


def read_reply(value: Any) -> Reply:
    """The reply that was parsed from JSON or returned by a function.

    Raises:
        ProviderError: it has another form; the message says which part.
    """
    if not isinstance(value, Mapping):
        raise ProviderError(f"a reply must be {FORM}")
    given = value.get("passages", [])
    if not isinstance(given, list | tuple):
        raise ProviderError(f"a reply must be {FORM}; its passages are no list")
    passages = tuple(read_passage(one, rank, len(given)) for rank, one in enumerate(given, start=1))
    answer = value.get("answer")
    return Reply(answer if isinstance(answer, str) and answer.strip() else None, passages)


def read_passage(value: Any, rank: int, count: int) -> Returned:
    """The passage at `rank` of `count`; where it has no score, ranks stand in for scores.

    Raises:
        ProviderError: it has another form.
    """
    if isinstance(value, str):
        return Returned(float(count - rank + 1), value)
    if not isinstance(value, Mapping):
        raise ProviderError(f"passage {rank} must be {_PASSAGE}")
    text, document, id_ = (value.get(name) for name in ("text", "document", "id"))
    start, end = value.get("start"), value.get("end")
    score = value.get("score")
    if not isinstance(text, str | None) or not isinstance(document, str | None) or not (text or document or id_):
        raise ProviderError(f"passage {rank} must be {_PASSAGE}")
    if not all(isinstance(one, int | None) and not isinstance(one, bool) for one in (start, end)):
        raise ProviderError(f"passage {rank}: start and end must be numbers of characters")
    if (start is None) != (end is None) or (start is not None and not document):
        raise ProviderError(f"passage {rank}: give document, start and end together")
    return Returned(
        float(score) if isinstance(score, int | float) and not isinstance(score, bool) else float(count - rank + 1),
        text,
        document or "",
        start,
        end,
        str(id_) if id_ is not None else "",
    )
