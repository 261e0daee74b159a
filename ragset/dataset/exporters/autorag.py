"""AutoRAG: `qa.parquet` and `corpus.parquet`."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from ragset.dataset.exporters.export_set import ExportSet, Passage
from ragset.dataset.exporters.files import write_parquet
from ragset.dataset.exporters.registry import exporter
from ragset.models import Span

QA = "qa.parquet"
CORPUS = "corpus.parquet"
_KEEPS = ("queries", "unanswerable", "answers", "evidence", "equivalents", "splits", "documents")


@exporter("autorag", f"{QA} and {CORPUS} for AutoRAG", keeps=_KEEPS)
def write_autorag(given: ExportSet, folder: Path) -> dict[str, int]:
    """A list of passages for each span of the evidence, of which one is enough; an unanswerable query has an empty list."""
    import pyarrow as pa

    text = pa.string()
    texts = pa.list_(text)
    qa = [
        {
            "qid": golden.id,
            "query": golden.query,
            "retrieval_gt": _needed(given.needed(golden)),
            "generation_gt": [golden.answer] if golden.answer else [],
            "split": golden.split,
        }
        for golden in given.goldens
    ]
    columns = {"qid": text, "query": text, "retrieval_gt": pa.list_(texts), "generation_gt": texts, "split": text}
    write_parquet(folder / QA, columns, qa)
    columns = {
        **dict.fromkeys(("doc_id", "path", "contents"), text),
        "start_end_idx": pa.list_(pa.int64()),
        "metadata": pa.struct(dict.fromkeys(("title", "prev_id", "next_id"), text)),
    }
    write_parquet(folder / CORPUS, columns, _corpus(given))
    return given.unreached


def _needed(groups: Sequence[Sequence[str]]) -> list[list[str]]:
    """Each group once; AutoRAG's way to say that there is none is one empty group."""
    return [list(group) for group in dict.fromkeys(map(tuple, groups)) if group] or [[]]


def _corpus(given: ExportSet) -> Iterator[dict[str, Any]]:
    for _, group in groupby(given.passages, key=lambda passage: passage.doc_id):
        passages = [passage for passage in group if passage.text]
        ids = ["", *(passage.id for passage in passages), ""]
        for passage, before, after in zip(passages, ids, ids[2:], strict=False):
            yield {
                "doc_id": passage.id,
                "path": next(iter(passage.sources), ""),
                "contents": passage.text,
                "start_end_idx": _place(passage),
                "metadata": {"title": passage.title, "prev_id": before or None, "next_id": after or None},
            }


def _place(passage: Passage) -> list[int]:
    """First and last character: AutoRAG counts the last one in."""
    span = Span.of_id(passage.id) if passage.id != passage.doc_id else None
    return [span.start, span.end - 1] if span else [0, len(passage.text) - 1]
