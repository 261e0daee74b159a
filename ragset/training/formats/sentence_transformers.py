"""sentence-transformers: Parquet whose columns its losses read by place, `anchor, positive, negative_1…n`."""

from collections.abc import Sequence
from pathlib import Path

from ragset.dataset.exporters.files import write_parquet
from ragset.training.examples import TrainingExample, shown_chunks
from ragset.training.formats.registry import training_format
from ragset.training.formats.training_data import TrainingData

PAIRS, TRIPLETS, LISTS = "pairs.parquet", "triplets.parquet", "lists.parquet"


@training_format(
    "sentence-transformers", f"{PAIRS}, {TRIPLETS} and {LISTS} (anchor, positive, negatives) for its trainers"
)
def write_sentence_transformers(data: TrainingData, folder: Path) -> dict[str, int]:
    """The files of negatives are missing where no example has any."""
    return write_lists(data, folder, "anchor")


def write_lists(data: TrainingData, folder: Path, query: str) -> dict[str, int]:
    """Write pairs, triplets and lists; `query` is the name of the first column."""
    kinds = {PAIRS: 0, TRIPLETS: 1, LISTS: data.ways} if data.ways else {PAIRS: 0}
    written = {name: data.rows(negatives) for name, negatives in kinds.items()}
    for name, rows in written.items():
        numbered = [f"negative_{number}" for number in range(1, kinds[name] + 1)]
        negatives = numbered if name == LISTS else ["negative"] * kinds[name]
        _write(folder / name, [query, "positive", *negatives], rows, data)
    return {name: len(rows) for name, rows in written.items()}


def _write(path: Path, columns: Sequence[str], rows: Sequence[TrainingExample], data: TrainingData) -> None:
    import pyarrow as pa

    texts = ([row.query, *(data.texts[chunk] for chunk in shown_chunks(row))] for row in rows)
    records = (dict(zip(columns, cells, strict=True)) for cells in texts)
    write_parquet(path, dict.fromkeys(columns, pa.string()), records)
