"""The goldens that systems are measured on: a dataset or an imported test set, and what is in it."""

import shutil
import tempfile
import weakref
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ragset.dataset import Dataset, read_dataset
from ragset.dataset.importers import Unaligned, read_goldens, recognise
from ragset.documents import read_documents
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Golden
from ragset.settings import DocumentSettings


class TestSet(NamedTuple):
    """The goldens of one test set, and their documents."""

    name: str
    goldens: tuple[Golden, ...]
    corpus: Corpus
    problems: tuple[Unaligned, ...] = ()


TestSet.__test__ = False  # type: ignore[attr-defined]  # for pytest


def open_test_set(
    dataset: str | Path | Dataset, splits: Sequence[str] = (), documents: str | Path | None = None
) -> TestSet:
    """A dataset, or a test set in any format that can be imported; of `splits` only, where any are named."""
    path = dataset.folder if isinstance(dataset, Dataset) else Path(dataset)
    name = path.resolve().name
    if isinstance(dataset, Dataset) or (path.exists() and recognise(path) == "ragset"):
        found = dataset if isinstance(dataset, Dataset) else read_dataset(path if path.is_dir() else path.parent)
        goldens, corpus, problems = found.goldens, found.corpus, ()
    else:
        given = read_documents(DocumentSettings(sources=(str(documents),))).documents if documents else None
        imported = read_goldens(path, documents=given)
        goldens, problems = imported.goldens, imported.problems
        folder = tempfile.mkdtemp(prefix="ragset-")
        corpus = Corpus.write(Path(folder) / "corpus.jsonl", imported.documents)
        weakref.finalize(corpus, shutil.rmtree, folder, ignore_errors=True)
    if not goldens:
        told = "".join(f"\n  {problem.where}: {problem.reason}" for problem in problems[:10])
        raise InputError(f"no golden in {path}{told}")
    return TestSet(name, of_splits(goldens, splits), corpus, problems)


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
