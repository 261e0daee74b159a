import pytest

from ragset.models import Chunk, Span
from ragset.text.context_window import text_of

TEXT = "Rinse the filter, then dry it. Put it back at once."


def chunk(start: int, end: int, document: str = "d") -> Chunk:
    return Chunk(doc_id=document, start=start, end=end, text=TEXT[start:end])


@pytest.mark.parametrize(
    ("chunks", "wanted"),
    [
        ([chunk(0, 51)], "filter, then dry it. Put"),
        ([chunk(31, 51), chunk(0, 31)], "filter, then dry it. Put"),  # in whatever order
        ([chunk(0, 24), chunk(18, 51)], "filter, then dry it. Put"),  # what both hold once
        ([chunk(0, 30), chunk(31, 51)], "filter, then dry it. Put"),  # a space between them
        ([chunk(0, 17), chunk(31, 51)], "filter,              Put"),  # what none holds
        ([chunk(20, 26)], "          en dry        "),
        ([chunk(0, 51, "e")], " " * 24),  # another document's
    ],
)
def test_a_span_is_as_long_as_it_is_whoever_holds_it(chunks: list[Chunk], wanted: str) -> None:
    assert text_of(Span(doc_id="d", start=10, end=34), chunks) == wanted
