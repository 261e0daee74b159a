"""Files of what another system found, and of the chunks that it searches."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ragset.errors import InputError, ProviderError
from ragset.evaluation.systems.replies import Reply, Returned, read_passage, read_reply
from ragset.models import Golden

RunFile = tuple[dict[str, Reply], list[str]]
"""The replies by golden id, and the ids or queries of the file that no golden has."""


def read_runs(path: Path, goldens: Sequence[Golden]) -> RunFile:
    """JSON Lines where the name ends with .jsonl, else TREC format.

    Raises:
        InputError: the file cannot be read, a line of it has another form, or it covers no golden.
    """
    lines = path.suffix == ".jsonl"
    replies, unknown = _read_lines(path, goldens) if lines else _read_trec(path, goldens)
    if not replies:
        example = min((golden.id for golden in goldens), default="g-…")
        raise InputError(
            f"{path}: covers none of the {len(goldens)} goldens; each line must name one by its id (such as {example})"
            + (" or by its query" if lines else "")
        )
    return replies, unknown


def read_chunks(path: Path) -> dict[str, Returned]:
    """The chunks of another system by their ids: JSON Lines with `id` and `text`, or `document`, `start` and `end`.

    Raises:
        InputError: the file cannot be read, or a line of it has another form.
    """
    found: dict[str, Returned] = {}
    for number, value in _lines(path):
        try:
            chunk = read_passage(value, 1, 1)
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
