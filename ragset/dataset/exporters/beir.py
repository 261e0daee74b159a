"""BEIR folders: `corpus.jsonl`, `queries.jsonl` and judgements in `qrels/*.tsv`."""

from collections.abc import Mapping
from pathlib import Path

from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.files import write_json_lines
from ragset.dataset.exporters.registry import exporter
from ragset.dataset.exporters.tables import labels

HEADER = ("query-id", "corpus-id", "score")


@exporter(
    "beir",
    "a folder with corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv, as BEIR has them",
    keeps=("queries", "unanswerable", "answers", "evidence", "grades", "equivalents", "splits", "labels", "documents"),
)
def write_beir(given: ExportSet, folder: Path) -> Mapping[str, int]:
    """Queries without a relevant passage, the unanswerable too, have no judgements; their metadata say of what kind they are."""
    write_json_lines(
        folder / "corpus.jsonl",
        (
            {"_id": one.id, "title": one.title, "text": one.text, "metadata": {"sources": one.sources}}
            for one in given.passages
        ),
    )
    write_json_lines(
        folder / "queries.jsonl",
        (
            {"_id": one.id, "text": one.query, "metadata": {"answer": one.answer, "kind": one.kind, **labels(one)}}
            for one in given.goldens
        ),
    )
    (folder / "qrels").mkdir()
    for split in given.splits:
        with (folder / "qrels" / f"{split}.tsv").open("w", encoding="utf-8", newline="\n") as file:
            file.write("\t".join(HEADER) + "\n")
            file.writelines(f"{query}\t{passage}\t{grade}\n" for query, passage, grade in given.judgements(split))
    return given.unreached
