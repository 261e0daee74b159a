"""Evidence that a search found in another place: chunks that say the same word for word.

A benchmark takes every such place for the evidence (`ragset.evaluation.metrics.repeats`). Here only the chunks that were found are
looked at, and the text around them where a copy may run over their ends.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from ragset.evaluation.metrics.repeats import SHORTEST
from ragset.models import Chunk, Span
from ragset.text.words import writes_without_spaces

_PIECE = SHORTEST // 2
"""Characters of a copy that a chunk has at least; with fewer it would not be relevant."""
_REACH = 200
"""Characters by which a copy may be longer than the evidence, for its white space."""


def find_copies(said: str, chunks: Sequence[Chunk], passage: Callable[[Span], str]) -> tuple[Span, ...]:
    """Where the chunks say what was `said`, each place once; white space is no difference, and no word may be cut.

    `passage` gives the text of a span. Of fewer than 20 characters there are no copies: so little is said by chance.
    """
    words = said.split()
    if len(" ".join(words)) < SHORTEST:
        return ()
    pattern = _pattern(words)
    reach = len(said) + _REACH
    found: dict[Span, None] = {}
    for chunk in chunks:
        places = list(_places(pattern, chunk.doc_id, chunk.start, chunk.text))
        if not places and _begun("".join(words), "".join(chunk.text.split())):
            around = Span(doc_id=chunk.doc_id, start=max(0, chunk.start - reach), end=chunk.end + reach)
            places = _places(pattern, chunk.doc_id, around.start, passage(around))
        found.update(dict.fromkeys(place for place in places if place.overlap(chunk.span)))
    return tuple(found)


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    first, last = words[0][0], words[-1][-1]
    begins = r"(?<![^\W_])" if first.isalnum() and not writes_without_spaces(first) else ""
    ends = r"(?![^\W_])" if last.isalnum() and not writes_without_spaces(last) else ""
    return re.compile(begins + r"\s+".join(map(re.escape, words)) + ends)


def _places(pattern: re.Pattern[str], doc_id: str, start: int, text: str) -> Iterator[Span]:
    for match in pattern.finditer(text):
        yield Span(doc_id=doc_id, start=start + match.start(), end=start + match.end())


def _begun(said: str, text: str) -> bool:
    """Whether the text ends with the beginning of what was said, begins with its end, or is a part of it."""
    shorter = min(len(said), len(text))
    return (
        text in said
        or any(said.startswith(text[-length:]) for length in range(_PIECE, shorter))
        or any(said.endswith(text[:length]) for length in range(_PIECE, shorter))
    )
