"""Models that run on this machine, through sentence-transformers (`pip install 'ragset[local]'`)."""

import hashlib
import importlib
import re
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ragset.errors import InputError, install
from ragset.retrieval.embedding.requests import Answer
from ragset.retrieval.embedding.vectors import Vectors, normalised
from ragset.settings import EmbeddingSettings


def load_local_model(what: str, kind: str, model: str, **options: Any) -> Any:
    """A model of sentence-transformers by the name of its class, for `what` errors name. Draws no progress bars."""
    try:
        library: Any = importlib.import_module("sentence_transformers")
    except ImportError as error:
        raise InputError(f"{what} needs sentence-transformers: {install('local')} ({error})") from error
    with suppress(ImportError, AttributeError):
        bars: Any = importlib.import_module("transformers.utils.logging")
        bars.disable_progress_bar()
    try:
        return getattr(library, kind)(model, **options)
    except Exception as error:  # the library raises whatever its loaders meet: OSError, ValueError, KeyError …
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(f"{what}: the model cannot be loaded: {reason[:300]}") from error


class LocalEmbedder:
    """A sentence-transformers model by name or folder, loaded once."""

    def __init__(self, model: str, settings: EmbeddingSettings) -> None:
        what, size = f"embedding local:{model}", settings.dimensions
        self._model = load_local_model(what, "SentenceTransformer", model, truncate_dim=size)
        self.model, self.batch_size = settings.model, settings.batch_size
        self._lock = threading.Lock()
        self.name = self.identity = f"local-{model_name(model)}" + (f"-{size}" if size else "")

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One text may be longer than the model reads; the rest of it is ignored, as the model does."""
        options = {"batch_size": self.batch_size, "show_progress_bar": False, "convert_to_numpy": True}
        with self._lock:  # tokenizers are not safe to share between threads
            vectors = self._model.encode(list(texts), **options)
        return normalised(np.asarray(vectors, dtype=np.float32))

    def ask(self, texts: Sequence[str]) -> Answer:
        """`embed`, free of charge."""
        return Answer(self.embed(texts))


@cache
def model_name(model: str) -> str:
    """The last name of a folder, with a digest of its files: a model is known by its content, wherever it is."""
    folder = Path(model)
    known = folder.resolve().name if folder.is_dir() else model
    name = re.sub(r"[^A-Za-z0-9.]+", "-", known).strip("-")
    return f"{name}-{_digest(folder)}" if folder.is_dir() else name


def _digest(folder: Path) -> str:
    """Eight hexadecimal digits of all files of a model but hidden ones; about a second for each gigabyte."""
    whole = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder)
        if any(part.startswith(".") for part in name.parts):
            continue  # what git and downloaders note down
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        whole.update(f"{name.as_posix()} {content}\n".encode())
    return whole.hexdigest()[:8]
