"""Finds the weights of a learned reranker: passages that answer a query should score above its hard negatives.

A conditional logistic regression (McFadden, 1974): the probability that a positive is chosen among itself and the negatives of its query
is the softmax of their weighted sums. The loss is convex, and there are as many weights as features, so some dozen goldens suffice.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from ragset.errors import InputError
from ragset.retrieval.embedding import Vectors
from ragset.retrieval.index import Index
from ragset.retrieval.learned_reranker import FEATURES, Floats, Weights, passage_features
from ragset.training.examples import TrainingExample, shown_chunks

PENALTY = 1e-3
"""Of the squared weights, for features of standard deviation 1: keeps them finite where they sort all examples rightly."""


class Choices:
    """Positives, each among the hard negatives of its query, as features."""

    def __init__(self, rows: Floats, sizes: Sequence[int]) -> None:
        """`rows` are those of all choices one after another, the positive first; `sizes` says how many each has, at least two."""
        self.rows, self._sizes = rows, np.asarray(sizes)
        self._starts = np.concatenate([[0], np.cumsum(self._sizes)[:-1]]).astype(np.intp)

    def scaled(self, spread: Floats) -> "Choices":
        """With each feature divided by its `spread`."""
        return Choices(self.rows / spread, self._sizes.tolist())

    def loss_and_slope(self, weights: Floats) -> tuple[float, Floats]:
        """The mean negative log-probability of the positives with the penalty, and its gradient."""
        scores = self.rows @ weights
        scores -= np.repeat(np.maximum.reduceat(scores, self._starts), self._sizes)
        shares = np.exp(scores)
        totals = np.add.reduceat(shares, self._starts)
        loss = np.mean(np.log(totals) - scores[self._starts]) + PENALTY / 2 * weights @ weights
        shares /= np.repeat(totals, self._sizes)
        shares[self._starts] -= 1
        return float(loss), shares @ self.rows / len(self._starts) + PENALTY * weights


def choices_of(
    examples: Iterable[TrainingExample], index: Index, queries: Sequence[str], vectors: Vectors, language: str
) -> Choices:
    """The choices of examples whose `queries` have these `vectors`.

    Raises:
        InputError: no example has a hard negative.
    """
    examples = tuple(examples)
    ids = [shown_chunks(example) for example in examples]
    rows: list[Floats] = []
    sizes: list[int] = []
    for example, features in zip(examples, passage_features(index, queries, vectors, ids, language), strict=True):
        count = len(example.positives)
        if negatives := len(example.negatives):
            for place in range(count):
                rows += [features[place : place + 1], features[count:]]
                sizes.append(1 + negatives)
    if not sizes:
        raise InputError("negatives: no example has a hard negative, so there is nothing to learn an order from")
    return Choices(np.concatenate(rows), sizes)


def fit_weights(choices: Choices) -> Weights:
    """The weights under which the positives are most probable."""
    from scipy.optimize import minimize

    spread = choices.rows.std(axis=0)
    spread[spread == 0] = 1.0
    found = minimize(choices.scaled(spread).loss_and_slope, np.zeros(len(FEATURES)), jac=True, method="L-BFGS-B")
    return Weights(**dict(zip(FEATURES, (found.x / spread).tolist(), strict=True)))
