"""Another system, asked query by query over HTTP or as a Python function."""

import importlib
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from ragset.documents.http_status import is_transient
from ragset.errors import InputError, LLMUnavailable, ProviderError
from ragset.evaluation.grid import ExternalSystem
from ragset.evaluation.results.external import UnansweredQuery
from ragset.evaluation.systems.replies import Reply, read_reply
from ragset.models import Golden

_AT_ONCE = 8
_LARGEST = 20_000_000
"""Bytes of one reply."""
_TRIES = 4
_PAUSE = 0.5
"""Seconds before the second try; twice as long each time."""
_QUOTED = 3


def ask_queries(
    system: ExternalSystem, goldens: Sequence[Golden]
) -> tuple[dict[str, Reply], tuple[UnansweredQuery, ...]]:
    """The replies by golden id, and the queries that the system failed on, both in the order of the goldens.

    A query fails where the address cannot be asked in a few tries, the function raises, or the reply has another form.

    Raises:
        ProviderError: more queries failed than `max_failures` allows; the rest are not asked. It is LLMUnavailable where the
            system was not reached, and may be later.
        InputError: the address or the function cannot be used.
    """
    ask = _asker(system)
    allowed = system.failures_allowed(len(goldens))
    replies: dict[str, Reply] = {}
    reasons: dict[str, str] = {}
    passes = True
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        asked = {pool.submit(ask, golden.query): golden for golden in goldens}
        try:
            for done in as_completed(asked):
                golden = asked[done]
                try:
                    replies[golden.id] = done.result()
                except ProviderError as error:
                    reasons[golden.id] = str(error)
                    passes = passes and isinstance(error, LLMUnavailable)
                if len(reasons) > allowed:
                    break
        finally:
            pool.shutdown(cancel_futures=True)
    failed = tuple(
        UnansweredQuery(golden=golden.id, query=_short(golden.query), reason=reasons[golden.id])
        for golden in goldens
        if golden.id in reasons
    )
    if len(failed) > allowed:
        told = "; ".join(f"on query {one.query!r}: {one.reason}" for one in failed[:_QUOTED])
        raise (LLMUnavailable if passes else ProviderError)(
            f"system {system.name}: failed on {len(failed)} of {len(replies) + len(failed)} queries, more than "
            f"max_failures ({system.max_failures:g}) allows: {told}"
        )
    return {golden.id: replies[golden.id] for golden in goldens if golden.id in replies}, failed


def _asker(system: ExternalSystem) -> Callable[[str], Reply]:
    if system.python:
        function = _function(system.python)
        return lambda query: read_reply(_call(function, system, query))
    if not system.http.startswith(("http://", "https://")):
        raise InputError(f"system {system.name}: http: must be an address such as http://localhost:9000/query")
    return lambda query: read_reply(_post(system, query))


def _call(function: Callable[[str], Any], system: ExternalSystem, query: str) -> Any:
    try:
        return function(query)
    except (Exception, SystemExit) as error:  # it is not ours, and may raise anything
        raise ProviderError(f"python {system.python!r} failed: {_said(error)}") from error


def _post(system: ExternalSystem, query: str) -> Any:
    body = json.dumps({"query": query}, ensure_ascii=False).encode()
    request = Request(system.http, data=body, headers={"Content-Type": "application/json"}, method="POST")  # noqa: S310
    content = _content(request, system)
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise ProviderError("its reply is no JSON") from None


def _content(request: Request, system: ExternalSystem) -> bytes:
    """The body of the reply, asked for again where the failure may pass."""
    number = 1
    while True:
        try:
            with urlopen(request, timeout=system.timeout) as reply:  # noqa: S310 (http and https alone)
                return reply.read(_LARGEST)
        except (OSError, HTTPException) as error:  # a URLError is an OSError
            lasting = isinstance(error, HTTPError) and not is_transient(error.code)
            if isinstance(error, HTTPError):
                error.close()
            if number == _TRIES or lasting:
                tries = f" in {number} tries" if number > 1 else ""
                kind = ProviderError if lasting else LLMUnavailable
                raise kind(f"{system.http} cannot be asked{tries} ({_reason(error)})") from None
        time.sleep(_PAUSE * 2 ** (number - 1))
        number += 1


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
