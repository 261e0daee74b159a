import pytest

from ragset.llm.refusals import excerpt, of_case, of_funds


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
