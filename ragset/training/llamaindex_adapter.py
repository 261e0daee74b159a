"""The adapter as LlamaIndex reads it: `LinearAdapterEmbeddingModel(base_embed_model, FOLDER)` of llama-index-embeddings-adapter.

Torch is not needed: its file is a zip archive with the numbers, and a pickle that says what they are.
"""

import json
import pickle
import zipfile
from pathlib import Path

import numpy as np

from ragset.retrieval.embedding import Vectors

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
