"""Late interaction: PyLate, and the `MultiVectorEncoder` of sentence-transformers."""

from pathlib import Path

from ragset.dataset.exporters.files import write_parquet
from ragset.training.examples import shown_chunks
from ragset.training.formats.registry import training_format
from ragset.training.formats.sentence_transformers import write_lists
from ragset.training.formats.training_data import TrainingData

DISTILLATION, QUERIES, DOCUMENTS = "distillation.parquet", "queries.parquet", "documents.parquet"


@training_format(
    "pylate",
    f"lists (query, positive, negatives) and {DISTILLATION} for PyLate and sentence-transformers' MultiVectorEncoder",
)
def write_late_interaction(data: TrainingData, folder: Path) -> dict[str, int]:
    """As lists of texts, and for distillation as ids with scores, the texts in files of their own.

    The scores are cosines of the embedding that mined the negatives; a teacher's are to be put in their place.
    """
    import pyarrow as pa

    written = write_lists(data, folder, "query")
    if not data.ways:
        return written
    rows, text = data.rows(data.ways), pa.string()
    write_parquet(
        folder / DISTILLATION,
        {"query_id": text, "document_ids": pa.list_(text), "scores": pa.list_(pa.float32())},
        ({"query_id": row.golden, "document_ids": shown_chunks(row), "scores": data.scores_of(row)} for row in rows),
    )
    queries = ({"query_id": one.golden, "text": one.query} for one in data.examples)
    write_parquet(folder / QUERIES, {"query_id": text, "text": text}, queries)
    documents = ({"document_id": chunk, "text": data.texts[chunk]} for chunk in data.chunks)
    write_parquet(folder / DOCUMENTS, {"document_id": text, "text": text}, documents)
    return {**written, DISTILLATION: len(rows), QUERIES: len(data.examples), DOCUMENTS: len(data.chunks)}
