"""Repositories of the Hugging Face Hub: Parquet files, and a card that says what they are."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from ragset.dataset.exporters.card import card_text
from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.files import write_parquet
from ragset.dataset.exporters.parts import PARTS
from ragset.dataset.exporters.registry import exporter
from ragset.dataset.exporters.tables import columns, parquet_rows

_SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}


@exporter(
    "huggingface", "a repository of the Hub: corpus, queries, qrels and goldens as Parquet, and a card", keeps=PARTS
)
def write_huggingface(given: ExportSet, folder: Path) -> Mapping[str, int]:
    """`datasets` loads the configurations `corpus`, `queries`, `default` (the judgements) and `goldens`."""
    write_repository(given, folder, tags=())
    return given.unreached


def write_repository(given: ExportSet, folder: Path, *, tags: tuple[str, ...], usage: str = "") -> None:
    """Write the files and the card, with further tags and how else to use it."""
    import pyarrow as pa

    text, texts = pa.string(), pa.list_(pa.string())
    for name in ("qrels", "goldens"):
        (folder / name).mkdir()
    write_parquet(
        folder / "corpus.parquet",
        {"_id": text, "title": text, "text": text, "sources": texts},
        ({"_id": one.id, "title": one.title, "text": one.text, "sources": one.sources} for one in given.passages),
    )
    write_parquet(
        folder / "queries.parquet",
        {"_id": text, "text": text, "answer": text, "kind": text},
        ({"_id": one.id, "text": one.query, "answer": one.answer, "kind": one.kind} for one in given.goldens),
    )
    judgement = {"query-id": text, "corpus-id": text, "score": pa.int32()}
    for split in given.judged_splits:  # `datasets` refuses a split without rows
        write_parquet(folder / "qrels" / f"{split}.parquet", judgement, _judgements(given, split))
    for split in given.splits:
        write_parquet(folder / "goldens" / f"{split}.parquet", columns(), parquet_rows(given, split))
    head = yaml.safe_dump(_head(given, tags), allow_unicode=True, sort_keys=False)
    (folder / "README.md").write_text(f"---\n{head}---\n\n{card_text(given, usage)}", encoding="utf-8")


def _judgements(given: ExportSet, split: str) -> Iterator[dict[str, Any]]:
    for query, passage, grade in given.judgements(split):
        yield {"query-id": query, "corpus-id": passage, "score": grade}


def _head(given: ExportSet, tags: tuple[str, ...]) -> dict[str, Any]:
    def files(folder: str, splits: Iterable[str]) -> list[dict[str, str]]:
        return [{"split": split, "path": f"{folder}/{split}.parquet"} for split in splits]

    judged = files("qrels", given.judged_splits)

    def whole(name: str) -> dict[str, Any]:
        return {"config_name": name, "data_files": [{"split": name, "path": f"{name}.parquet"}]}

    number, asked = len(given.goldens), [] if given.manifest.drawn_from == "queries" else ["synthetic"]
    return {
        "pretty_name": given.name,
        "language": [given.language],
        "license": "unknown",  # of the documents; whoever publishes the set knows it
        "size_categories": [next((size for limit, size in _SIZES.items() if number < limit), "n>1M")],
        "task_categories": ["text-retrieval", "question-answering"],
        "tags": ["rag", "retrieval", "evaluation", *asked, "ragset", *tags],
        "configs": [
            *([{"config_name": "default", "data_files": judged}] if judged else ()),
            whole("corpus"),
            whole("queries"),
            {"config_name": "goldens", "data_files": files("goldens", given.splits)},
        ],
    }
