"""Embeddings that were paid for or took long, each kept before anything uses it: one for each text and embedder.

They are in `embeddings.sqlite` of RAGSET_HOME and are written by the journal, so a process that is killed loses the requests
under way and nothing else, and several processes may share the file. Whoever deletes it pays for the texts again that are
embedded again; indexes hold copies of the vectors of their chunks.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragset.llm.journal import Journal

_AT_ONCE = 500
"""Keys of one query; SQLite bounds their number."""


class StoredEmbedding(NamedTuple):
    """The embedding of one text."""

    vector: NDArray[np.float32]
    tokens: int
    """That the provider counted in the text; 0 where it is free."""


class EmbeddingStore:
    """The embeddings of one embedder, by text."""

    def __init__(self, journal: Journal, identity: str) -> None:
        self._journal = journal
        self._identity = identity

    def get(self, texts: Iterable[str]) -> dict[str, StoredEmbedding]:
        """What is kept of `texts`.

        Raises:
            InputError: the file is damaged.
        """
        rows = self._select("vector, tokens", texts)
        return {
            text: StoredEmbedding(np.frombuffer(vector, dtype="<f4"), tokens) for text, (vector, tokens) in rows.items()
        }

    def tokens(self, texts: Iterable[str]) -> dict[str, int]:
        """Of those of `texts` that are kept."""
        return {text: tokens for text, (tokens,) in self._select("tokens", texts).items()}

    def put(
        self, kept: Mapping[str, StoredEmbedding], *, run: str = "", tokens: int = 0, cost: float | None = None
    ) -> None:
        """Keep the embeddings of one request, and what it cost the `run`; when this returns they outlive the process.

        An embedding that is there already stays as it was.

        Raises:
            InputError: the file cannot be written.
        """
        rows = [(self._key(text), one.vector.astype("<f4").tobytes(), one.tokens) for text, one in kept.items()]

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT OR IGNORE INTO embeddings.vectors VALUES (?, ?, ?)", rows)
            if run:
                connection.execute("INSERT INTO spending VALUES (?, ?, ?)", (run, tokens, cost))

        self._journal.write(write)

    def _select(self, fields: str, texts: Iterable[str]) -> dict[str, tuple[Any, ...]]:
        found: dict[str, tuple[Any, ...]] = {}
        keys = iter({self._key(text): text for text in texts}.items())
        while some := dict(islice(keys, _AT_ONCE)):
            places = ", ".join("?" * len(some))
            query = f"SELECT key, {fields} FROM embeddings.vectors WHERE key IN ({places})"  # noqa: S608
            found |= {some[key]: tuple(values) for key, *values in self._journal.select(query, *some)}
        return found

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self._identity}\0{text}".encode(errors="replace")).digest()
