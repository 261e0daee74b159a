"""Prompts as JSON: the standard library takes ten times as long for long texts, which cost more than all else of a call."""

import json

import orjson


def dump(value: object) -> bytes:
    """The value as UTF-8, with `?` for each half of a surrogate pair, which no request can hold."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value, ensure_ascii=False).encode(errors="replace")
