import pytest

from ragset.dataset.relevance.repeats import same_words
from ragset.models import Span


@pytest.mark.parametrize(
    ("text", "quote", "other", "found"),
    [
        ("长江是最长的河。\n\n别的。", "长江是最长的河。", "概述：长江是最长的河。它发源于高原。", True),
        ("2024年长江的降水量多。", "2024年长江的降水量多", "在2024年长江的降水量多", True),
        ("The tower was built in 1889.", "The tower was built in 1889.", "The tower was built in 1889.1 It is", True),
        ("A sentence.", "A sentence.", "Say _A sentence._ again", True),
        ("A sentence", "A sentence", "A sentences", False),
        ("It is 5 km", "5 km", "It is 1.5 km", False),
        ("It is 5 km", "5 km", "It is 15 km", False),
    ],
)
def test_the_same_words_are_found_where_no_word_or_number_is_cut(
    text: str, quote: str, other: str, *, found: bool
) -> None:
    start = text.index(quote)
    pattern = same_words(text, Span(doc_id="d", start=start, end=start + len(quote)))
    assert bool(pattern.search(other)) is found
