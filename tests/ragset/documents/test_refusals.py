import time
from email.utils import formatdate

import pytest

from ragset.documents.refusals import excerpt, of_case, of_funds, passing, retry_after


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "nan"}, None),
    ],
)
def test_wait_is_read_in_seconds(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_wait_given_as_a_date_counts_from_now() -> None:
    wait = retry_after({"retry-after": formatdate(time.time() + 100, usegmt=True)})
    assert wait == pytest.approx(100, abs=3)


def test_date_in_the_past_is_no_wait() -> None:
    assert retry_after({"retry-after": formatdate(0, usegmt=True)}) == 0.0


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


def test_only_faults_of_the_moment_pass() -> None:
    assert [status for status in (400, 401, 404, 408, 409, 422, 425, 429, 500, 501, 503, 530) if passing(status)] == [
        408, 409, 425, 429, 500, 503, 530,
    ]  # fmt: skip
