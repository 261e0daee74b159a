"""The text of a span, put together from the chunks that hold it."""

from collections.abc import Iterable

from ragset.models import Chunk, Span


def text_of(span: Span, chunks: Iterable[Chunk]) -> str:
    """As long as the span; what no chunk holds is spaces, as what lies between two chunks is white space."""
    text, end = "", span.start
    ours = (chunk for chunk in chunks if chunk.doc_id == span.doc_id)
    for chunk in sorted(ours, key=lambda chunk: (chunk.start, chunk.end)):
        start = max(end, chunk.start)
        if start < min(span.end, chunk.end):
            text += " " * (start - end) + chunk.text[start - chunk.start : span.end - chunk.start]
            end = min(span.end, chunk.end)
    return text + " " * (span.end - end)
