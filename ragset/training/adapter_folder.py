"""The files of a trained adapter: for ragset, for LlamaIndex, and a card."""

from pathlib import Path

import yaml

from ragset import __version__
from ragset.evaluation.effect.model import Effect
from ragset.retrieval.embedding import Vectors
from ragset.retrieval.embedding.adapter import write_adapter
from ragset.settings import EmbeddingSettings
from ragset.training.early_stop import EarlyStop
from ragset.training.llamaindex_adapter import write_llamaindex_adapter

CARD, LLAMAINDEX = "README.md", "llamaindex"


def write_adapter_folder(
    folder: Path,
    *,
    matrix: Vectors,
    embedding: str,
    embedded_by: EmbeddingSettings,
    dataset: str,
    stop: EarlyStop,
    effect: Effect,
) -> None:
    """Write them into the folder; `embedding` is the name of what it was trained on, by `embedded_by`."""
    write_adapter(folder, embedding, matrix)
    write_llamaindex_adapter(folder / LLAMAINDEX, matrix)
    card = f"""# Linear adapter for queries of {embedding}

Trained by ragset {__version__} with InfoNCE and hard negatives on {effect.trained_with:,} goldens of {dataset}. It turns the vectors of
queries; passages stay as they are indexed.

- Validation: {stop.told}.
- Test: {effect.told}

Use it in any flow or grid, with the path of this folder: `{usage(embedded_by, "FOLDER")}`.
`{LLAMAINDEX}/` holds the same matrix for `LinearAdapterEmbeddingModel` of llama-index-embeddings-adapter.
"""
    (folder / CARD).write_text(card, encoding="utf-8")


def usage(embedded_by: EmbeddingSettings, folder: str) -> str:
    """The embedding with the adapter as a configuration has it, on one line."""
    given = {**embedded_by.model_dump(mode="json", exclude_defaults=True), "adapter": folder}
    return f"embedding: {yaml.safe_dump(given, default_flow_style=True, sort_keys=False, width=10_000).strip()}"
