"""Flat tables: a row for each golden."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.files import write_json_lines, write_parquet
from ragset.dataset.exporters.registry import GOLDENS_ALONE, exporter
from ragset.dataset.labels import labels_of
from ragset.dataset.table import SCORES, goldens_csv
from ragset.models import Golden

_KINDS = ("style", "shape", "evolution")
_LABELS = ("hardness", "closed_book", "persona", "language", "missing")


@exporter(
    "csv",
    "a table for spreadsheets, as goldens.csv",
    keeps=(part for part in GOLDENS_ALONE if part not in {"grades", "lineage"}),
    ending=".csv",
)
def write_csv(given: ExportSet, path: Path) -> None:
    """Cells are text, shielded so that none is taken for a formula."""
    path.write_text(goldens_csv(given.goldens, given.corpus), encoding="utf-8", newline="")


@exporter("jsonl", "a JSON line for each golden, with the texts of its evidence", keeps=GOLDENS_ALONE, ending=".jsonl")
def write_jsonl(given: ExportSet, path: Path) -> None:
    """Lists and objects stay what they are."""
    write_json_lines(path, rows(given))


@exporter("parquet", "the same as a Parquet table", keeps=GOLDENS_ALONE, ending=".parquet")
def write_parquet_table(given: ExportSet, path: Path) -> None:
    """Lists stay lists; `conversation`, `assertions`, `lineage` and `metadata` are JSON."""
    write_parquet(path, columns(), parquet_rows(given))


def rows(given: ExportSet, split: str | None = None) -> Iterator[dict[str, Any]]:
    """All that is known of each golden, by column; `relevant` are the passages of the chunking, or documents, with grades."""
    return (_row(given, golden) for golden in given.goldens if split in {None, golden.split})


def parquet_rows(given: ExportSet, split: str | None = None) -> Iterator[dict[str, Any]]:
    """The same with `conversation`, `assertions`, `lineage` and `metadata` as JSON, whose fields differ from golden to golden."""
    for row in rows(given, split):
        nested = {name: json.dumps(row[name], ensure_ascii=False) for name in ("assertions", "lineage", "metadata")}
        said = row["conversation"]
        yield row | nested | {"conversation": said and json.dumps(said, ensure_ascii=False)}


@cache
def columns() -> Mapping[str, Any]:
    """The pyarrow type of each column."""
    import pyarrow as pa

    text, texts, number = pa.string(), pa.list_(pa.string()), pa.int32()
    relevant = pa.list_(pa.struct([("id", text), ("grade", number)]))
    return {
        **dict.fromkeys(("id", "query", "answer", "kind", "split"), text),
        "evidence": texts,
        "spans": texts,
        "grades": pa.list_(number),
        "titles": texts,
        "sources": texts,
        "places": texts,
        "equivalents": texts,
        "equivalent_spans": texts,
        "conversation": text,
        "assertions": text,
        "relevant": relevant,
        **dict.fromkeys(_KINDS, text),
        **dict.fromkeys(SCORES, number),
        **dict.fromkeys(_LABELS, text),
        "round_trip": number,
        "overlap": pa.float64(),
        "chunks": texts,
        "lineage": text,
        "metadata": text,
    }


def labels(golden: Golden) -> dict[str, str]:
    """The labels that it has, as words: style, evolution, hardness, persona, how often it was asked."""
    found = labels_of(golden)
    said = {key: golden.metadata.get(key) for key in (*_KINDS, "weight")} | {
        key: getattr(found, key) for key in _LABELS
    }
    return {key: str(value) for key, value in said.items() if value}


def _row(given: ExportSet, golden: Golden) -> dict[str, Any]:
    found, documents, words = labels_of(golden), given.places(golden), labels(golden)
    return {
        **{name: getattr(golden, name) for name in ("id", "query", "answer", "kind", "split")},
        "evidence": given.texts(golden.evidence),
        "spans": [span.id for span in golden.evidence],
        "grades": list(golden.grades or (1,) * len(golden.evidence)),
        "titles": [document.title for document in documents],
        "sources": [source for document in documents for source in document.sources],
        "places": given.where(golden),
        "equivalents": given.texts(golden.equivalents),
        "equivalent_spans": [span.id for span in golden.equivalents],
        "conversation": golden.conversation and golden.conversation.model_dump(),
        "assertions": [one.model_dump() for one in golden.assertions],
        "relevant": [{"id": id_, "grade": grade} for id_, grade in given.qrels[golden.id].items()],
        **{key: words.get(key) for key in _KINDS},
        **{name: golden.scores.get(name) for name in SCORES},
        **{key: words.get(key) for key in _LABELS},
        "round_trip": found.round_trip and found.round_trip.rank,
        "overlap": found.overlap,
        "chunks": list(golden.chunks),
        "lineage": [step.model_dump() for step in golden.lineage],
        "metadata": golden.metadata,
    }


def details(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a row says besides query and answer, without what is empty."""
    return {
        key: value for key, value in row.items() if key not in {"query", "answer"} and value not in (None, "", [], {})
    }
