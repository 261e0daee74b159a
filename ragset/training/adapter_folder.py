"""The files of a trained adapter: for ragset, for LlamaIndex, and a card."""

from pathlib import Path

from ragset import __version__
from ragset.evaluation.effect import Effect
from ragset.retrieval.embedding import Vectors
from ragset.retrieval.embedding.adapter import write_adapter
from ragset.training.early_stop import EarlyStop
from ragset.training.llamaindex_adapter import write_llamaindex_adapter

CARD, LLAMAINDEX = "README.md", "llamaindex"


def write_adapter_folder(
    folder: Path, *, matrix: Vectors, embedding: str, model: str, dataset: str, stop: EarlyStop, effect: Effect
) -> None:
    """Write them into the folder; `embedding` is the name of what was trained on, and `model` that of its setting."""
    write_adapter(folder, embedding, matrix)
    write_llamaindex_adapter(folder / LLAMAINDEX, matrix)
    card = f"""# Linear adapter for queries of {embedding}

Trained by ragset {__version__} with InfoNCE and hard negatives on {effect.trained_with:,} goldens of {dataset}. It turns the vectors of
queries; passages stay as they are indexed.

- Validation: {stop.told}.
- Test: {effect.told}

Use it in any flow or grid with `embedding: {{model: {model}, adapter: PATH-OF-THIS-FOLDER}}`. `{LLAMAINDEX}/` holds the same
matrix for `LinearAdapterEmbeddingModel` of llama-index-embeddings-adapter.
"""
    (folder / CARD).write_text(card, encoding="utf-8")
