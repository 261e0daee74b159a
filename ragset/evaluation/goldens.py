"""The goldens that systems are measured on: those of some splits, and whether whole documents are their evidence."""

from collections import Counter
from collections.abc import Sequence

from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Golden


def of_splits(goldens: tuple[Golden, ...], splits: Sequence[str]) -> tuple[Golden, ...]:
    """The goldens of some splits, or all where none is named; raises InputError where a split has none."""
    there = Counter(golden.split for golden in goldens)
    if missing := [split for split in splits if split not in there]:
        told = ", ".join(f"{name} ({number})" for name, number in sorted(there.items()))
        raise InputError(f"splits: no golden is of {missing[0]!r}; there are {told}")
    return tuple(golden for golden in goldens if golden.split in splits) if splits else goldens


def whole_documents(goldens: Sequence[Golden], corpus: Corpus) -> bool:
    """Whether in more than half of the goldens with evidence nine tenths of its documents are evidence."""
    shares = [
        sum(span.end - span.start for span in golden.evidence)
        / sum(len(corpus[doc_id].text) for doc_id in {span.doc_id for span in golden.evidence})
        for golden in goldens
        if golden.evidence
    ]
    return sum(share >= 0.9 for share in shares) * 2 > len(shares)
