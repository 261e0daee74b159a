"""Queries as vectors, with the rows of the passages that do and do not answer them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ragset.retrieval.embedding import Vectors
from ragset.training.examples import TrainingExample

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class QuerySet:
    """Training examples over the vectors of an index; all fields have an entry for each query."""

    goldens: tuple[str, ...]
    vectors: Vectors
    positives: tuple[Rows, ...]
    negatives: tuple[Rows, ...]
    masked: tuple[Rows, ...]
    """What is never a wrong answer: the positives, and passages that may answer too."""

    def __len__(self) -> int:
        return len(self.goldens)

    @classmethod
    def of(cls, examples: Iterable[TrainingExample], vectors: Vectors, rows: Mapping[str, int]) -> Self:
        """Of examples with the `vectors` of their queries, in one order; `rows` are of the chunks by id."""
        examples = tuple(examples)

        def places(chunks: Iterable[str]) -> Rows:
            return np.array([rows[chunk] for chunk in chunks], dtype=np.intp)

        return cls(
            goldens=tuple(one.golden for one in examples),
            vectors=vectors,
            positives=tuple(places(one.positives) for one in examples),
            negatives=tuple(places(negative.chunk for negative in one.negatives) for one in examples),
            masked=tuple(places((*one.positives, *one.avoided)) for one in examples),
        )

    def part(self, goldens: Collection[str]) -> Self:
        """The queries of these goldens."""
        kept = [place for place, golden in enumerate(self.goldens) if golden in goldens]

        def of(field: Sequence[Rows]) -> tuple[Rows, ...]:
            return tuple(field[place] for place in kept)

        names = tuple(self.goldens[place] for place in kept)
        return type(self)(names, self.vectors[kept], of(self.positives), of(self.negatives), of(self.masked))
