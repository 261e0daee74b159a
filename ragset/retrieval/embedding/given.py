"""Vectors that exist already, in place of asking the model that made them."""

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ragset.errors import InputError
from ragset.retrieval.embedding import Embedder
from ragset.retrieval.embedding.vectors import Vectors, normalised

_LOOKED_AT = 5
_LEAST_ALIKE = 0.5
"""Mean cosine of vectors of one model for a text and the same text with its metadata in front; of two models it is about 0."""


class GivenVectors:
    """An embedder that has the vectors of some texts, and asks another one for the rest."""

    def __init__(self, embedder: Embedder, given: Mapping[str, NDArray[np.float32]]) -> None:
        """Raises InputError if `embedder` is not the model that made the vectors, by a few of them."""
        self._embedder, self._given = embedder, given
        self.name = embedder.name
        whole = hashlib.sha256()
        for text, vector in given.items():
            whole.update(text.encode(errors="replace") + b"\0" + vector.tobytes())
        self.identity = f"{embedder.identity} given {whole.hexdigest()[:16]}"
        self._check()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """As `Embedder.embed`."""
        if missing := [text for text in texts if text not in self._given]:
            made = dict(zip(missing, self._embedder.embed(missing), strict=True))
            return np.stack([made[text] if text in made else self._given[text] for text in texts])
        return np.stack([self._given[text] for text in texts])

    def _check(self) -> None:
        texts = [text for text in self._given if text.strip()][:_LOOKED_AT]
        ours, theirs = self._embedder.embed(texts), [self._given[text] for text in texts]
        mend = "name the model that made the vectors as the embedding, or leave fields.vector out to embed the texts"
        if len(theirs[0]) != ours.shape[1]:
            told = f"vectors have {len(theirs[0])} numbers, and {self.name} gives {ours.shape[1]}"
            raise InputError(f"fields.vector: {told}; {mend}")
        if (alike := float(np.mean(np.sum(ours * np.stack(theirs), axis=1)))) < _LEAST_ALIKE:
            raise InputError(f"fields.vector: {self.name} did not make the vectors (mean cosine {alike:.2f}); {mend}")


def given_embedder(embedder: Embedder, given: Sequence[tuple[str, NDArray[np.float32]]]) -> Embedder:
    """`embedder` with the vectors of texts that are `given`; itself where none are.

    Raises:
        InputError: a vector has no length, or another size, or `embedder` did not make them.
    """
    if not given:
        return embedder
    texts, vectors = zip(*given, strict=True)
    if len({len(vector) for vector in vectors}) > 1:
        raise InputError("fields.vector: the vectors have several lengths; name a field of vectors of one model")
    unit = normalised(np.stack(vectors))
    if not (np.isfinite(unit).all() and unit.any(axis=1).all()):
        raise InputError("fields.vector: a vector is zero, or holds no finite numbers; embed the texts instead")
    return GivenVectors(embedder, dict(zip(texts, unit, strict=True)))
