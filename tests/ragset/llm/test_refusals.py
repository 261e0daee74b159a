import time
from email.utils import formatdate

import pytest

from ragset.llm.refusals import excerpt, retry_after


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
