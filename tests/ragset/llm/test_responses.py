import json
from typing import Any

import pytest

from ragset.llm.responses import excerpt, of_case, of_funds, read_answer


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


def test_excerpt_is_one_line_of_at_most_200_characters() -> None:
    assert excerpt("a\n b\t" + "x" * 500, "no-key") == "a b " + "x" * 196


@pytest.mark.parametrize("words", ["my-own-key", "sk-proj-0123456789abc", "Bearer 0123456789abc", "key-0123456789"])
def test_excerpt_masks_whatever_looks_like_a_key(words: str) -> None:
    assert excerpt(f"Bad: {words}, try another", "my-own-key").startswith("Bad: …")
    assert words not in excerpt(f"Bad: {words}", "my-own-key")


def test_excerpt_leaves_ordinary_words_alone() -> None:
    assert excerpt("The key provided is not for this", "x") == "The key provided is not for this"


@pytest.mark.parametrize(
    ("status", "words", "found"),
    [
        (400, "this model's maximum context length is 4096 tokens", True),
        (400, "unsupported parameter: 'temperature'", False),
        (413, "", True),
        (429, "request too large for m on tokens per min", True),
        # other limits of rate may well speak of safety
        (429, "too many requests, for everybody's safety", False),
        (500, "the prompt may be too long", False),
    ],
)
def test_refusal_of_a_case_speaks_of_its_length_or_content(status: int, words: str, *, found: bool) -> None:
    assert of_case(status, words) == found


def test_payment_is_asked_for_by_status_or_by_name() -> None:
    assert of_funds(402, "")
    assert of_funds(429, "insufficient_quota")
    assert not of_funds(429, "rate_limit_exceeded")
    assert not of_funds(500, "insufficient_quota")
