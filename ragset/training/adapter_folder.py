"""The adapter as LlamaIndex reads it: `LinearAdapterEmbeddingModel(base_embed_model, FOLDER)` of llama-index-embeddings-adapter.

Torch is not needed: its file is a zip archive with the numbers, and a pickle that says what they are.
"""

import json
import pickle
import zipfile
from pathlib import Path

import numpy as np
import yaml

from ragset import __version__
from ragset.evaluation.effect.model import Effect
from ragset.retrieval.embedding import Vectors
from ragset.retrieval.embedding.adapter import write_adapter
from ragset.settings import EmbeddingSettings
from ragset.training.early_stop import EarlyStop

CONFIG, MATRIX = "config.json", "pytorch_model.bin"


def write_llamaindex_adapter(folder: Path, matrix: Vectors) -> None:
    """Write the two files of LlamaIndex's linear layer into the folder."""
    folder.mkdir(parents=True)
    rows, columns = matrix.shape
    config = {"in_features": columns, "out_features": rows, "bias": False}
    (folder / CONFIG).write_text(json.dumps(config) + "\n", encoding="utf-8")
    with zipfile.ZipFile(folder / MATRIX, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("archive/data.pkl", _state("linear.weight", rows, columns))
        archive.writestr("archive/byteorder", "little")
        archive.writestr("archive/data/0", np.ascontiguousarray(matrix, dtype="<f4").tobytes())
        archive.writestr("archive/version", "3\n")


def _state(name: str, rows: int, columns: int) -> bytes:
    """The pickle of `{name: tensor}`, as torch.save writes a float32 tensor that is stored under the key 0."""
    numbers = (
        pickle.MARK
        + _text("storage")
        + _global("torch", "FloatStorage")
        + _text("0")
        + _text("cpu")
        + _number(rows * columns)
        + pickle.TUPLE
        + pickle.BINPERSID
    )
    size, stride = (_number(one) + _number(other) + pickle.TUPLE2 for one, other in ((rows, columns), (columns, 1)))
    hooks = _global("collections", "OrderedDict") + pickle.EMPTY_TUPLE + pickle.REDUCE
    needs_gradient, starts_at = pickle.NEWFALSE, _number(0)
    arguments = pickle.MARK + numbers + starts_at + size + stride + needs_gradient + hooks + pickle.TUPLE
    tensor = _global("torch._utils", "_rebuild_tensor_v2") + arguments + pickle.REDUCE
    return pickle.PROTO + b"\x02" + pickle.EMPTY_DICT + _text(name) + tensor + pickle.SETITEM + pickle.STOP


def _global(module: str, name: str) -> bytes:
    return pickle.GLOBAL + f"{module}\n{name}\n".encode()


def _text(text: str) -> bytes:
    return pickle.BINUNICODE + len(text.encode()).to_bytes(4, "little") + text.encode()


def _number(number: int) -> bytes:
    return pickle.BININT + number.to_bytes(4, "little", signed=True)


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
