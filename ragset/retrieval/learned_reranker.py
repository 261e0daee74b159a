"""A reranker learned from goldens: a passage's score is a weighted sum of what searches and words say of it.

It asks no model: the cosine and the BM25 score come from the index. `ragset.training` finds the weights.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import FiniteFloat, ValidationError

from ragset.errors import InputError, problems_of
from ragset.models import Model
from ragset.retrieval.embedding import Vectors
from ragset.retrieval.embedding.adapter import name_of
from ragset.retrieval.fusion import Hit
from ragset.retrieval.index import Index
from ragset.settings.command_line import command
from ragset.text.rules.content_words import content_words
from ragset.text.words import tokenise

FILE = "reranker.json"
_TRAIN = f"train one with `{command('train-reranker')}`"

Floats = NDArray[np.float64]


class Weights(Model):
    """What each feature counts; the fields are the features, in their order."""

    dense: FiniteFloat
    """Cosine of query and passage."""
    bm25: FiniteFloat
    """BM25 score."""
    coverage: FiniteFloat
    """Share of the query's words of content, by stem, that the passage has."""


FEATURES = tuple(Weights.model_fields)


class LearnedReranker(Model):
    """What is in the file."""

    format: Literal["ragset learned reranker"] = "ragset learned reranker"
    version: Literal[1] = 1
    embedding: str
    """The name of the embedding whose cosines were weighed."""
    language: str
    """Whose words of content are counted, two letters."""
    weights: Weights

    def rerank(
        self, index: Index, queries: Sequence[str], vectors: Vectors, found: Sequence[Sequence[Hit]]
    ) -> list[list[Hit]]:
        """What was found for each query in the order of the weighted sums; equals stay as they were.

        Raises:
            InputError: the index is of another embedding.
        """
        if index.meta.embedding != self.embedding:
            raise InputError(
                f"reranker: was trained with the embedding {self.embedding}, and this index has {index.meta.embedding}; "
                "name that embedding, or train a reranker with this one"
            )
        ids = [[hit.id for hit in hits] for hits in found]
        return reordered(found, passage_features(index, queries, vectors, ids, self.language), self.weights)


def reordered(found: Sequence[Sequence[Hit]], features: Sequence[Floats], weights: Weights) -> list[list[Hit]]:
    """What was found for each query by the weighted sum of its features, a row each; equals stay as they were."""
    counts = np.array([getattr(weights, name) for name in FEATURES])
    pairs = zip(found, features, strict=True)
    scored = (zip(hits, (rows @ counts).tolist(), strict=True) for hits, rows in pairs)
    return [sorted((Hit(hit.id, score) for hit, score in one), key=lambda hit: -hit.score) for one in scored]


@lru_cache(maxsize=2**16)
def _content_set(text: str, language: str) -> frozenset[str]:
    return frozenset(content_words(text, language))


def passage_features(
    index: Index, queries: Sequence[str], vectors: Vectors, ids: Sequence[Sequence[str]], language: str
) -> list[Floats]:
    """For each query a row of `FEATURES` for each of its `ids`; `vectors` are of the queries, row for row."""
    needed = list(dict.fromkeys(id_ for of in ids for id_ in of))
    texts = {chunk.id: chunk.text for chunk in index.chunks([index.rows[id_] for id_ in needed])}
    terms = {id_: index.statistics.document_weights(tokenise(text)) for id_, text in texts.items()}

    def features(query: str, vector: NDArray[np.float32], of: Sequence[str]) -> Floats:
        weights = index.statistics.query_weights(tokenise(query))
        asked = _content_set(query, language)
        found = np.empty((len(of), len(FEATURES)))
        found[:, 0] = index.vectors[[index.rows[id_] for id_ in of]] @ vector
        for row, id_ in enumerate(of):
            found[row, 1] = sum(weight * terms[id_].get(term, 0.0) for term, weight in weights.items())
            found[row, 2] = len(asked & _content_set(texts[id_], language)) / max(1, len(asked))
        return found

    return [features(*one) for one in zip(queries, vectors, ids, strict=True)]


def write_reranker(folder: Path, reranker: LearnedReranker) -> None:
    """Write the file into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(reranker.model_dump_json(indent=2) + "\n", encoding="utf-8")


def read_reranker(folder: Path) -> LearnedReranker:
    """Read the file of a folder.

    Raises:
        InputError: it is not there, damaged, or of another kind.
    """
    path = folder / FILE
    try:
        return LearnedReranker.model_validate_json(path.read_bytes())
    except OSError:
        raise InputError(f"{folder}: is no folder of a learned reranker, {FILE} is not there; {_TRAIN}") from None
    except ValidationError as error:
        raise InputError(f"{path}: is damaged ({problems_of(error)}); {_TRAIN}") from None


def reranker_name(folder: Path) -> str:
    """The last name of the folder with a digest of its file, wherever it is; without one if there is no file."""
    return name_of(folder, FILE)
