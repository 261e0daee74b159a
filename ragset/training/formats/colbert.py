"""colbert-ai: queries and passages by whole numbers, and lists of them in JSON Lines."""

import json
from collections.abc import Iterable
from pathlib import Path

from ragset.dataset.exporters.files import one_line
from ragset.training.examples import shown_chunks
from ragset.training.formats.registry import training_format
from ragset.training.formats.training_data import TrainingData

QUERIES, COLLECTION, TRIPLES = "queries.tsv", "collection.tsv", "triples.jsonl"


@training_format("colbert", f"{QUERIES}, {COLLECTION} and {TRIPLES} for colbert-ai's Trainer")
def write_colbert(data: TrainingData, folder: Path) -> dict[str, int]:
    """Numbers are places, from 0: of queries in `examples.jsonl`, of passages in `chunks.jsonl` and the collection itself.

    A line of triples is the query, the passage that answers it, and its negatives; `nway` of colbert-ai uses fewer of them.
    """
    numbers, chunks = data.numbers, data.chunks
    _write_lines(folder / QUERIES, (f"{numbers[one.golden]}\t{one_line(one.query)}" for one in data.examples))
    _write_lines(folder / COLLECTION, (f"{number}\t{one_line(data.texts[id_])}" for id_, number in chunks.items()))
    rows = data.rows(data.ways) if data.ways else []
    lists = ([numbers[row.golden], *(chunks[chunk] for chunk in shown_chunks(row))] for row in rows)
    _write_lines(folder / TRIPLES, map(json.dumps, lists))
    return {QUERIES: len(numbers), COLLECTION: len(chunks), TRIPLES: len(rows)}


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
