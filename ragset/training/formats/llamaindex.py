"""LlamaIndex: `EmbeddingQAFinetuneDataset`, as its `from_json` reads it and its fine-tuning engines take it."""

import json
from pathlib import Path

from ragset.dataset.exporters.frameworks import EMBEDDING_DATASET
from ragset.training.formats.registry import training_format
from ragset.training.formats.training_data import TrainingData


@training_format("llamaindex", f"{EMBEDDING_DATASET} for LlamaIndex's EmbeddingQAFinetuneDataset")
def write_llamaindex(data: TrainingData, folder: Path) -> dict[str, int]:
    """The corpus holds the passages of all examples, negatives too, which the engines do not use."""
    dataset = {
        "queries": {one.golden: one.query for one in data.examples},
        "corpus": {chunk: data.texts[chunk] for chunk in data.chunks},
        "relevant_docs": {one.golden: list(one.positives) for one in data.examples},
        "mode": "text",
    }
    # Escaped to ASCII, because LlamaIndex reads files in the encoding of the computer.
    (folder / EMBEDDING_DATASET).write_text(json.dumps(dataset, indent=1) + "\n", encoding="ascii")
    return {EMBEDDING_DATASET: len(data.examples)}
