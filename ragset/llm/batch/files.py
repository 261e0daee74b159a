"""The files of a batch: a request a line, and a result a line, in any order."""

import json
from collections import Counter
from collections.abc import Collection
from typing import Any, NamedTuple

from ragset.llm.protocol import Completion
from ragset.llm.responses import read_completion

PATH = "/v1/chat/completions"
MOST_REQUESTS = 50_000
MOST_BYTES = 200_000_000


class Results(NamedTuple):
    """What a batch brought."""

    completions: dict[str, Completion]
    faults: Counter[str]
    """Why requests have no completion, counted."""


def request_line(key: str, body: dict[str, Any]) -> bytes:
    """A line of the input file; `key` names its result."""
    line = {"custom_id": key, "method": "POST", "url": PATH, "body": body}
    return json.dumps(line, ensure_ascii=False).encode(errors="replace") + b"\n"


def read_results(content: bytes, keys: Collection[str], model: str) -> Results:
    """The results of `keys` in the lines of output and error files; lines that nobody can read count as missing."""
    completions: dict[str, Completion] = {}
    faults: dict[str, str] = {}
    for line in filter(None, content.splitlines()):
        try:
            result = json.loads(line)
            key, response = result["custom_id"], result.get("response") or {}
            if response.get("status_code") == 200:
                completions.setdefault(key, read_completion(response["body"], model, batch=True))
            else:
                faults[key] = str((result.get("error") or {}).get("code") or f"status {response.get('status_code')}")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue
    found = {key: completions[key] for key in keys if key in completions}
    return Results(found, Counter(faults.get(key, "no result") for key in keys if key not in completions))
