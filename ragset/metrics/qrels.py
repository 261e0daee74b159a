"""Which chunks are relevant to which golden: derived from the evidence spans, so that one test set scores every chunking.

A chunk is relevant to an evidence span where they share at least half of the shorter of the two. An evidence span is
stood for by every place in the corpus that says the same word for word.
"""

from collections.abc import Iterable, Mapping, Sequence

from ragset.corpus import Corpus
from ragset.metrics.layout import Layout
from ragset.metrics.repeats import find_repeats
from ragset.models import Golden, Span

Gold = Mapping[str, Sequence[Sequence[Span]]]
"""By golden id, for each of its evidence spans all places that hold it, the span itself first."""

Qrels = dict[str, dict[str, int]]
"""By golden id, the relevant chunks with their grade, which is 1."""


def gold_of(goldens: Iterable[Golden], corpus: Corpus) -> dict[str, tuple[tuple[Span, ...], ...]]:
    """Each golden's evidence with all its places in the corpus; () for a golden without evidence.

    Texts are the same where only white space differs. Evidence of fewer than 20 characters stands for itself alone: so
    little is said in many places by chance.

    Raises:
        InputError: evidence lies outside the corpus.
    """
    goldens = tuple(goldens)
    repeats = find_repeats((span for golden in goldens for span in golden.evidence), corpus)
    return {golden.id: tuple((span, *repeats[span]) for span in golden.evidence) for golden in goldens}


def qrels(gold: Gold, chunk_ids: Iterable[str]) -> Qrels:
    """The relevant chunks of each golden that has evidence, in reading order; empty where the chunking lost them all.

    Raises:
        InputError: an id is not `doc_id:start-end`.
    """
    layout = Layout.of(chunk_ids)
    return {
        golden: {
            chunk.id: 1
            for places in pieces
            for place in places
            for chunk in layout.overlapping(place)
            if is_relevant(chunk.start, chunk.end, place)
        }
        for golden, pieces in gold.items()
        if pieces
    }


def is_relevant(start: int, end: int, evidence: Span) -> bool:
    """Whether `start` to `end`, of the same document, share at least half of the shorter with the evidence."""
    shared = min(end, evidence.end) - max(start, evidence.start)
    return 2 * shared >= min(end - start, evidence.end - evidence.start)
