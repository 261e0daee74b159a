"""Write a dataset folder in one step."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ragset.dataset.manifest import MANIFEST, Manifest
from ragset.dataset.review.file import REVIEWS
from ragset.dataset.review.order import PLAN
from ragset.dataset.swap import check_free, replaced
from ragset.dataset.table import goldens_csv
from ragset.documents.corpus import Corpus
from ragset.models import Golden, Model, Reject


def write_dataset(
    folder: Path,
    *,
    goldens: Sequence[Golden],
    rejects: Iterable[Reject],
    corpus: Corpus,
    manifest: Manifest,
    report: str,
    more: Mapping[str, str] | None = None,
) -> None:
    """Write all files and `more` (text by name) at once, in place of a dataset that is there; no reader sees half of it.

    What people said of the goldens stays beside them.
    """
    table = goldens_csv(goldens, corpus)
    with replaced(folder, MANIFEST, keep=(REVIEWS, PLAN)) as new:
        _write_lines(new / "goldens.jsonl", goldens)
        _write_lines(new / "rejects.jsonl", rejects)
        corpus.copy(new / "corpus.jsonl")
        facts = json.dumps(manifest.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"
        for name, text in {"goldens.csv": table, "report.html": report, **(more or {}), MANIFEST: facts}.items():
            (new / name).write_text(text, encoding="utf-8", newline="")


def check_output(folder: Path) -> None:
    """Raise an InputError if a dataset cannot be written to `folder`, as far as can be told before the work is done."""
    check_free(folder, MANIFEST)


def _write_lines(path: Path, records: Iterable[Model]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            file.write(json.dumps(record.model_dump(mode="json"), ensure_ascii=False) + "\n")
