"""Every other place in a corpus that says word for word what a span says."""

import re
from collections.abc import Iterable
from itertools import product

from ragset.documents.corpus import Corpus
from ragset.models import Span
from ragset.text.words import SCRIPTS_WITHOUT_SPACES, writes_without_spaces

_LETTER = rf"[^\W_{SCRIPTS_WITHOUT_SPACES}]"

SHORTEST = 20
"""Characters, with white space folded; a shorter text is said in many places by chance."""


def find_repeats(spans: Iterable[Span], corpus: Corpus) -> dict[Span, tuple[Span, ...]]:
    """For each span the other places of its text, in reading order; none overlaps the span or another of them.

    White space is no difference. A place that begins or ends within a word counts only if the span does.
    """
    found: dict[Span, list[Span]] = {span: [] for span in spans}
    wanted: list[tuple[Span, frozenset[str], str, re.Pattern[str]]] = []
    # In the order of documents, so that each is read once.
    for span in sorted(found, key=lambda span: span.doc_id):
        words = corpus.text(span).split()
        if len(" ".join(words)) >= SHORTEST:
            pattern = same_words(corpus[span.doc_id].text, span)
            wanted.append((span, frozenset(words[1:-1]), max(words, key=len), pattern))
    for document in corpus if wanted else ():
        text, there = document.text, frozenset(document.text.split())
        for span, inner, longest, pattern in wanted:
            # Quick comparisons first: nearly every document lacks a word of nearly every span.
            if inner <= there and longest in text:
                own = span.doc_id == document.id
                for low, high in ((0, span.start), (span.end, len(text))) if own else ((0, len(text)),):
                    matches = pattern.finditer(text, low, high)
                    found[span] += [Span(doc_id=document.id, start=one.start(), end=one.end()) for one in matches]
    return {span: tuple(places) for span, places in found.items()}


def same_words(text: str, span: Span) -> re.Pattern[str]:
    """The words of a span of `text` with any white space between them.

    No word or number may be cut that was whole: "5" is not in "1.5". Scripts without spaces do not show where words end.
    """
    words = text[span.start : span.end].split()
    start = span.start + len(text[span.start : span.end]) - len(text[span.start : span.end].lstrip())
    middle = r"\s+".join(map(re.escape, words))
    cuts = [one.isalnum() and not writes_without_spaces(one) for one in (words[0][0], words[-1][-1])]
    heads = (rf"(?<!{_LETTER})(?<!\d[.,])", rf"(?<!{_LETTER})", "") if cuts[0] else ("",)
    tails = (rf"(?!{_LETTER})(?![.,]\d)", rf"(?!{_LETTER})", "") if cuts[1] else ("",)
    patterns = (re.compile(head + middle + tail) for head, tail in product(heads, tails))
    return next(pattern for pattern in patterns if pattern.match(text, start))
