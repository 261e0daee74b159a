"""Somebody else's RAG system: an HTTP endpoint, a Python function, or a file of what it found."""

import importlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from ragset.corpus import Corpus
from ragset.errors import InputError, ProviderError
from ragset.foreign.finder import find_contexts
from ragset.fusion import Hit
from ragset.grid import ExternalSystem
from ragset.llm.refusals import passing
from ragset.models import Golden
from ragset.results.model import Run

_AT_ONCE = 8
_LARGEST = 20_000_000
"""Bytes of one reply."""
_TRIES = 4
_PAUSE = 0.5
"""Seconds before the second try; twice as long each time."""


class Found(NamedTuple):
    """What a system said to a query."""

    answer: str | None
    passages: tuple[tuple[str, float], ...]
    """Text and score, best first."""


class External(NamedTuple):
    """What a system said to all queries, with its passages as spans."""

    run: Run
    answers: Mapping[str, str | None]
    unaligned: int
    """Passages that do not stand in the corpus."""


def ask_system(system: ExternalSystem, goldens: Sequence[Golden], corpus: Corpus) -> External:
    """Every query asked, or looked up in the file; passages are found again in the corpus.

    A passage that does not stand there is no hit, keeps its rank, and is counted.

    Raises:
        ProviderError: the system cannot be reached in a few tries, its function fails, or a reply has another form.
        InputError: the function or the file cannot be used.
    """
    if system.runs and Path(system.runs).suffix != ".jsonl":
        return External(_read_trec(Path(system.runs), goldens), {}, 0)
    found = _read_lines(Path(system.runs), goldens) if system.runs else _ask(system, goldens)
    texts = list(dict.fromkeys(text for one in found.values() for text, _ in one.passages))
    spans = find_contexts(texts, corpus)
    run: dict[str, list[Hit]] = {}
    unaligned = 0
    for golden, one in found.items():
        hits: list[Hit] = []
        for rank, (text, score) in enumerate(one.passages, start=1):
            places = spans[text].spans
            unaligned += not places
            # A passage of nobody's still takes its place in the ranking.
            ids = [place.id for place in places] or [f"unaligned-{golden}-{rank}:0-{max(1, len(text))}"]
            hits += [Hit(id_, score) for id_ in ids]
        run[golden] = hits
    answered = {golden: one.answer for golden, one in found.items()}
    return External(run, answered if any(answered.values()) else {}, unaligned)


def _ask(system: ExternalSystem, goldens: Sequence[Golden]) -> dict[str, Found]:
    function = _function(system.python) if system.python else None

    def ask(golden: Golden) -> Found:
        reply = _call(function, system, golden.query) if function else _post(system, golden.query)
        return _read(reply, system.name)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return {golden.id: reply for golden, reply in zip(goldens, pool.map(ask, goldens), strict=True)}


def _call(function: Callable[[str], Any], system: ExternalSystem, query: str) -> Any:
    try:
        return function(query)
    except (Exception, SystemExit) as error:  # it is not ours, and may raise anything
        raise ProviderError(
            f"system {system.name}: python {system.python!r} failed on query {_short(query)!r}: {_said(error)}"
        ) from error


def _post(system: ExternalSystem, query: str) -> Any:
    if not system.http.startswith(("http://", "https://")):
        raise InputError(f"system {system.name}: http: must be an address such as http://localhost:9000/query")
    body = json.dumps({"query": query}, ensure_ascii=False).encode()
    request = Request(system.http, data=body, headers={"Content-Type": "application/json"}, method="POST")  # noqa: S310
    content = b""
    for number in range(1, _TRIES + 1):
        try:
            with urlopen(request, timeout=system.timeout) as reply:  # noqa: S310 (http and https alone)
                content = reply.read(_LARGEST)
                break
        except (OSError, HTTPException) as error:  # a URLError is an OSError
            lasting = isinstance(error, HTTPError) and not passing(error.code)
            if number == _TRIES or lasting:
                tries = f" in {number} tries" if number > 1 else ""
                raise ProviderError(
                    f"system {system.name}: {system.http} cannot be asked{tries} ({_reason(error)}) on query "
                    f"{_short(query)!r}"
                ) from None
        time.sleep(_PAUSE * 2 ** (number - 1))
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise ProviderError(f"system {system.name}: its reply is no JSON") from None


def _reason(error: Exception) -> str:
    if isinstance(error, HTTPError):
        return f"status {error.code} {error.reason}".strip()
    if isinstance(error, URLError):
        return str(error.reason)
    return _said(error)


def _said(error: BaseException) -> str:
    """Kind and words of an error, on one line."""
    return _short(f"{type(error).__name__}: {error}".removesuffix(": "), 300)


def _short(text: str, most: int = 100) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"


def _function(name: str) -> Callable[[str], Any]:
    module, _, attribute = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"python: {name!r} cannot be imported ({error}); write module:function") from None
    except (Exception, SystemExit) as error:  # of the module itself
        raise InputError(f"python: {name!r} cannot be imported, since {module} fails ({_said(error)})") from error
    if not callable(found):
        raise InputError(f"python: {name!r} is no function")
    return found


def _read(reply: Any, name: str) -> Found:
    if not isinstance(reply, Mapping) or not isinstance(reply.get("passages", []), list | tuple):
        raise ProviderError(f'system {name}: a reply must be {{"answer": …, "passages": [{{"text": …}}, …]}}')
    passages: list[tuple[str, float]] = []
    given = reply.get("passages", [])
    for rank, passage in enumerate(given):
        text = passage.get("text") if isinstance(passage, Mapping) else passage
        if not isinstance(text, str):
            raise ProviderError(f"system {name}: a passage has no text")
        score = passage.get("score") if isinstance(passage, Mapping) else None
        passages.append((text, float(score) if isinstance(score, int | float) else float(len(given) - rank)))
    answer = reply.get("answer")
    return Found(answer if isinstance(answer, str) and answer.strip() else None, tuple(passages))


def _read_trec(path: Path, goldens: Sequence[Golden]) -> Run:
    known = {golden.id for golden in goldens}
    rows: dict[str, list[tuple[int, Hit]]] = {}
    for number, line in enumerate(_text(path).splitlines(), start=1):
        parts = line.split()
        if not parts:
            continue
        try:
            golden, _, id_, rank, score = parts[:5]
            rows.setdefault(golden, []).append((int(rank), Hit(id_, float(score))))
        except ValueError:
            raise InputError(f"{path}: line {number} is not `qid Q0 docid rank score tag`") from None
    if not known & set(rows):
        raise InputError(f"{path}: none of its query ids is the id of a golden (such as {min(known, default='g-…')})")
    return {
        golden: [hit for _, hit in sorted(hits, key=lambda row: row[0])]
        for golden, hits in rows.items()
        if golden in known
    }


def _read_lines(path: Path, goldens: Sequence[Golden]) -> dict[str, Found]:
    by_query = {golden.query: golden.id for golden in goldens}
    ids = {golden.id for golden in goldens}
    found: dict[str, Found] = {}
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
            reply = _read(value, path.name)
        except (ValueError, RecursionError, ProviderError) as error:
            raise InputError(f"{path}: line {number}: {error}") from None
        golden = value.get("id") if value.get("id") in ids else by_query.get(value.get("query"))
        if golden is not None:
            found[golden] = reply
    if not found:
        raise InputError(f"{path}: no line has the `query` or the `id` of a golden")
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text") from None
