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
    given = value if isinstance(value, Mapping) else {}
    text, document, start, end, id_ = (given.get(name) for name in ("text", "document", "start", "end", "id"))
    if not isinstance(text, str | None) or not isinstance(document, str | None) or not (text or document or id_):
        raise ProviderError(f"passage {rank} must be {_PASSAGE}")
    if any(type(one) not in {int, type(None)} for one in (start, end)):
        raise ProviderError(f"passage {rank}: start and end must be numbers of characters")
    if (start is None) != (end is None) or (start is not None and not document):
        raise ProviderError(f"passage {rank}: give document, start and end together")
    score = given.get("score")
    if not isinstance(score, int | float) or isinstance(score, bool):
        score = count - rank + 1
    return Returned(float(score), text, document or "", start, end, "" if id_ is None else str(id_))
