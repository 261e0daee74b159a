"""A linear adapter of queries in its folder. Queries' vectors are multiplied by its matrix; passages stay as they are indexed."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from pydantic import ValidationError

from ragset.errors import InputError, problems_of
from ragset.models import Model
from ragset.retrieval.embedding.vectors import Vectors, normalised
from ragset.settings.command_line import command

if TYPE_CHECKING:
    from ragset.retrieval.embedding import Embedder

MATRIX, CONFIG = "adapter.safetensors", "config.json"
_TENSOR = "matrix"
_TRAIN = f"train one with `{command('train-adapter')}`"


class AdapterConfig(Model):
    """What the matrix is for."""

    format: Literal["ragset linear adapter"] = "ragset linear adapter"
    version: Literal[1] = 1
    embedding: str
    """The name of the embedding whose queries it was trained on."""
    dimensions: int


@dataclass(frozen=True)
class Adapter:
    """A square matrix, with a row for each dimension of an adapted query."""

    name: str
    """The name of its folder and a digest of its matrix, as results call it."""
    embedding: str
    matrix: Vectors


class AdaptedEmbedder:
    """Embeds queries by another embedder and applies the adapter: normalise(W q)."""

    def __init__(self, embedder: "Embedder", adapter: Adapter) -> None:
        """Raises InputError if the adapter was trained on another embedding."""
        if embedder.name != adapter.embedding:
            raise InputError(
                f"embedding.adapter {adapter.name}: was trained on queries of {adapter.embedding}, and this embedding is "
                f"{embedder.name}; name that embedding, or train an adapter on this one"
            )
        self._embedder, self._adapter = embedder, adapter
        self.name = f"{embedder.name} + {adapter.name}"
        self.identity = f"{embedder.identity} + {adapter.name}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """As `Embedder.embed`."""
        vectors = self._embedder.embed(texts)
        if not len(vectors):
            return vectors
        if (size := len(self._adapter.matrix)) != vectors.shape[1]:
            raise InputError(
                f"embedding.adapter {self._adapter.name}: is for vectors of {size} numbers, and {self._embedder.name} gives "
                f"{vectors.shape[1]}; train an adapter on this embedding"
            )
        return normalised(vectors @ self._adapter.matrix.T)


def write_adapter(folder: Path, embedding: str, matrix: Vectors) -> Adapter:
    """Write matrix and config into the folder, and return the adapter."""
    from safetensors.numpy import save

    folder.mkdir(parents=True, exist_ok=True)
    # `save_file` would make a file that nobody else may read.
    (folder / MATRIX).write_bytes(save({_TENSOR: np.ascontiguousarray(matrix, dtype=np.float32)}))
    config = AdapterConfig(embedding=embedding, dimensions=len(matrix))
    (folder / CONFIG).write_text(config.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return read_adapter(folder)


def read_adapter(folder: Path) -> Adapter:
    """The adapter in a folder.

    Raises:
        InputError: there is none, or its files are damaged, or of something else.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    where = f"embedding.adapter: {folder}"
    for name in (CONFIG, MATRIX):
        if not (folder / name).is_file():
            raise InputError(f"{where} holds no {name}, so it is no folder of an adapter; {_TRAIN}")
    try:
        config = AdapterConfig.model_validate_json((folder / CONFIG).read_bytes())
    except ValidationError as error:
        raise InputError(f"{where}/{CONFIG}: is not of an adapter of ragset ({problems_of(error)}); {_TRAIN}") from None
    try:
        matrix = load_file(folder / MATRIX)[_TENSOR]
    except (SafetensorError, KeyError, ValueError) as error:
        raise InputError(f"{where}/{MATRIX}: is damaged ({type(error).__name__}); {_TRAIN} again") from None
    if matrix.shape != (config.dimensions, config.dimensions) or not np.isfinite(matrix).all():
        wanted = f"{config.dimensions} × {config.dimensions} finite numbers as {CONFIG} says"
        raise InputError(f"{where}/{MATRIX}: does not hold {wanted}; {_TRAIN} again")
    return Adapter(adapter_name(folder), config.embedding, matrix.astype(np.float32))


def adapter_name(folder: str | Path) -> str:
    """The last name of the folder with a digest of its matrix, wherever it is; without one if there is no matrix."""
    return name_of(Path(folder), MATRIX)


def name_of(folder: Path, file: str) -> str:
    """Its last name with a digest of its `file`; without one if there is no such file."""
    name, path = folder.resolve().name, folder / file
    return f"{name}-{hashlib.sha256(path.read_bytes()).hexdigest()[:8]}" if path.is_file() else name
