import json
from typing import Any

import pytest

from ragset.llm.answers import read_answer


def answer(message: dict[str, Any], **others: Any) -> bytes:
    return json.dumps({"choices": [{"message": message, "finish_reason": "stop"}], **others}).encode()


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": "Yes"}, "Yes"),
        ({"content": None}, ""),
        ({"content": None, "refusal": "I cannot."}, "I cannot."),
        ({}, ""),
        ({"content": [{"type": "text", "text": "Y"}, {"type": "image"}, {"type": "text", "text": "es"}, "!"]}, "Yes!"),
        ({"content": "half \ud83d"}, "half ?"),
    ],
)
def test_text_is_read_from_whatever_holds_it(message: dict[str, Any], text: str) -> None:
    assert read_answer(answer(message), "m").text == text


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        ({"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 8}}, (9, 8, 4)),
        ({"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": None}, (9, 0, 4)),
        ({"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 20}}, (9, 9, 4)),
        ({"prompt_tokens": None, "completion_tokens": -4}, (0, 0, 0)),
        ({"prompt_tokens": 9.0, "completion_tokens": 10**30}, (9, 0, 2**53)),
        (None, (0, 0, 0)),
    ],
)
def test_tokens_are_counts_whatever_the_server_says(usage: Any, counts: tuple[int, int, int]) -> None:
    read = read_answer(answer({"content": "Yes"}, usage=usage), "m")
    assert (read.prompt_tokens, read.cached_tokens, read.completion_tokens) == counts


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"<html></html>", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"", "not JSON"),
        (b'{"a": ' * 5_000, "not JSON"),
        (b"null", "no completion"),
        (b'"text"', "no completion"),
        (b'{"choices": null}', "no completion"),
        (b'{"choices": [{}]}', "no completion"),
        (b'{"choices": [{"message": null}]}', "no completion"),
        (b'{"error": {"message": "upstream is down", "code": 502}}', "upstream is down"),
        (b'{"error": "upstream is down"}', "upstream is down"),
    ],
)
def test_what_is_no_completion_says_what_it_is(content: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_answer(content, "m")
