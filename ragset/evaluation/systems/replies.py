"""What another system replies to a query, in one form, and files of such replies and of the chunks that it searches."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ragset.errors import InputError, ProviderError
from ragset.evaluation.citations import citations_of
from ragset.evaluation.efficiency import Effort
from ragset.models import Golden, Usage

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
    effort: Effort = Effort(usage=None)
    """What it took, as far as the system says; the time is measured where the system is asked."""
    cited: tuple[int, ...] | None = None
    """Numbers, from 1, of the passages that the answer cites; None where it does not say."""


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
    passages = tuple(_passage(one, rank, len(given)) for rank, one in enumerate(given, start=1))
    said = value.get("answer")
    answer = said if isinstance(said, str) and said.strip() else None
    return Reply(answer, passages, _effort(value), citations_of(value, answer, len(passages)))


def _effort(reply: Mapping[str, Any]) -> Effort:
    """`seconds`, `cost` in US dollars, and `usage` as OpenAI's, of the `model` that names its price."""

    def number(of: Mapping[str, Any], name: str) -> float | None:
        value = of.get(name)
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf):
            return value
        raise ProviderError(f"{name} must be a number of 0 or more")

    usage, model = reply.get("usage"), reply.get("model")
    rows: tuple[Usage, ...] | None = None
    if isinstance(usage, Mapping):
        sent, replied = (int(number(usage, name) or 0) for name in ("prompt_tokens", "completion_tokens"))
        known = model if isinstance(model, str) else ""
        rows = (Usage(stage="", prompt="", model=known, calls=1, prompt_tokens=sent, completion_tokens=replied),)
    elif usage is not None:
        raise ProviderError(f"a reply must be {FORM}; its usage has prompt_tokens and completion_tokens")
    return Effort(seconds=number(reply, "seconds"), usage=rows, cost=number(reply, "cost"))


def _passage(value: Any, rank: int, count: int) -> Returned:
    """The passage at `rank` of `count`; where it has no score, ranks stand in for scores."""
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


RunFile = tuple[dict[str, Reply], list[str]]
"""The replies by golden id, and the file's ids or queries that no golden has."""


def read_runs(path: Path, goldens: Sequence[Golden]) -> RunFile:
    """Read JSON Lines where the name ends with .jsonl, else TREC format."""
    lines = path.suffix == ".jsonl"
    replies, unknown = _read_lines(path, goldens) if lines else _read_trec(path, goldens)
    if not replies:
        example = min((golden.id for golden in goldens), default="g-…")
        how = f"its id (such as {example})" + (" or by its query" if lines else "")
        raise InputError(f"{path}: covers none of the {len(goldens)} goldens; each line must name one by {how}")
    return replies, unknown


def read_chunks(path: Path) -> dict[str, Returned]:
    """The chunks of another system by their ids: JSON Lines with `id` and `text`, or `document`, `start` and `end`."""
    found: dict[str, Returned] = {}
    for number, value in _lines(path):
        try:
            chunk = _passage(value, 1, 1)
        except ProviderError as error:
            raise InputError(f"{path}: line {number}: {str(error).replace('passage 1', 'a chunk')}") from None
        if not chunk.id or (chunk.text is None and chunk.start is None):
            raise InputError(f"{path}: line {number}: a chunk needs an id, and a text or document, start and end")
        found[chunk.id] = chunk
    return found


def _read_trec(path: Path, goldens: Sequence[Golden]) -> RunFile:
    rows: dict[str, list[tuple[int, Returned]]] = {}
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if parts := line.split():
            try:
                golden, _, id_, rank, score = parts[:5]
                rows.setdefault(golden, []).append((int(rank), Returned(float(score), id=id_)))
            except ValueError:
                raise InputError(f"{path}: line {number} is not `qid Q0 docid rank score tag`") from None
    known = {golden.id for golden in goldens}
    replies = {
        golden: Reply(None, tuple(one for _, one in sorted(found, key=lambda row: row[0])))
        for golden, found in rows.items()
        if golden in known
    }
    return replies, [golden for golden in rows if golden not in known]


def _read_lines(path: Path, goldens: Sequence[Golden]) -> RunFile:
    by_query: dict[str, list[str]] = {}
    for golden in goldens:
        by_query.setdefault(golden.query, []).append(golden.id)
    ids = {golden.id for golden in goldens}
    replies: dict[str, Reply] = {}
    unknown: list[str] = []
    for number, value in _lines(path):
        try:
            reply = read_reply(value)
        except ProviderError as error:
            raise InputError(f"{path}: line {number}: {error}") from None
        id_, query = str(value.get("id")), str(value.get("query"))
        named = [id_] if id_ in ids else by_query.get(query, [])
        if not named:
            unknown.append(id_ if value.get("id") is not None else query)
        replies.update(dict.fromkeys(named, reply))
    return replies, unknown


def _lines(path: Path) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if line.strip():
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path}: line {number}: {error}") from None
            yield number, value


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text") from None
