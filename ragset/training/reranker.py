"""Finds the weights of a learned reranker: passages that answer a query should score above its hard negatives.

A conditional logistic regression (McFadden, 1974): the probability that a positive is chosen among itself and the negatives of its query
is the softmax of their weighted sums. The loss is convex, and there are as many weights as features, so some dozen goldens suffice.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ragset.errors import InputError
from ragset.retrieval.embedding import Vectors
from ragset.retrieval.fusion import Hit
from ragset.retrieval.index import Index
from ragset.retrieval.learned_reranker import FEATURES, Floats, Weights, passage_features, reordered
from ragset.training.early_stop import EarlyStop, RelevantRows, judge, ndcg
from ragset.training.examples import TrainingExample, shown_chunks

PENALTY = 1e-3
"""Of the squared weights, for features of standard deviation 1: keeps them finite where they sort all examples rightly."""

Choices = Sequence[Floats]
"""Passages as rows of features: in each choice a positive first, and then the hard negatives of its query, at least one."""


@dataclass(frozen=True)
class Searched:
    """What a search found for some queries, with its features."""

    found: list[list[Hit]]
    features: list[Floats]

    @classmethod
    def of(
        cls, index: Index, queries: Sequence[str], vectors: Vectors, found: list[list[Hit]], language: str
    ) -> "Searched":
        """Of queries with these `vectors`."""
        ids = [[hit.id for hit in hits] for hits in found]
        return cls(found, passage_features(index, queries, vectors, ids, language))

    def reranked(self, weights: Weights) -> list[list[Hit]]:
        """In the order of the weighted sums."""
        return reordered(self.found, self.features, weights)


@dataclass(frozen=True)
class RerankerTraining:
    """What weights are found from; any part of the goldens can be trained with."""

    choices: Mapping[str, Choices]
    """By golden."""
    validation: Searched
    relevant: RelevantRows
    """To the validation queries."""
    rows: Mapping[str, int]
    """By id, of the chunks of the index."""

    def train(self, goldens: Collection[str]) -> "TrainedReranker":
        """The weights that fit these goldens, if they gain on the validation queries.

        Raises:
            InputError: no golden has a hard negative.
        """
        weights = fit_weights([choice for golden in sorted(goldens) for choice in self.choices.get(golden, ())])
        base, after = (self._ndcg(found) for found in (self.validation.found, self.validation.reranked(weights)))
        stop = judge(base, [after])
        return TrainedReranker(weights if stop.kept else None, stop)

    def _ndcg(self, found: Sequence[Sequence[Hit]]) -> Floats:
        return ndcg(([self.rows[hit.id] for hit in hits] for hits in found), self.relevant)


@dataclass(frozen=True)
class TrainedReranker:
    """What training came to."""

    weights: Weights | None
    """None: they were no better than the order of retrieval."""
    stop: EarlyStop


def choices_of(
    examples: Iterable[TrainingExample], index: Index, vectors: Vectors, language: str
) -> dict[str, list[Floats]]:
    """By golden, a choice for each positive of the examples whose queries have these `vectors`."""
    examples = tuple(examples)
    ids = [shown_chunks(one) for one in examples]
    features = passage_features(index, [one.query for one in examples], vectors, ids, language)
    found = defaultdict[str, list[Floats]](list)
    for one, rows in zip(examples, features, strict=True):
        count = len(one.positives)
        if one.negatives:
            found[one.golden] += [np.concatenate([rows[place : place + 1], rows[count:]]) for place in range(count)]
    return dict(found)


def fit_weights(choices: Choices) -> Weights:
    """The weights under which the positives are most probable."""
    from scipy.optimize import minimize

    if not choices:
        raise InputError("negatives: no golden for training has a hard negative, so there is no order to learn")
    spread = np.concatenate(choices).std(axis=0)
    spread[spread == 0] = 1.0
    scaled = [choice / spread for choice in choices]
    found = minimize(partial(loss_and_slope, scaled), np.zeros(len(FEATURES)), jac=True, method="L-BFGS-B")
    return Weights(**dict(zip(FEATURES, (found.x / spread).tolist(), strict=True)))


def loss_and_slope(choices: Choices, weights: Floats) -> tuple[float, Floats]:
    """The mean negative log-probability of the positives with the penalty, and its gradient."""
    rows, sizes = np.concatenate(choices), np.array([len(choice) for choice in choices])
    firsts = np.cumsum(sizes) - sizes
    scores = rows @ weights
    scores -= np.repeat(np.maximum.reduceat(scores, firsts), sizes)
    shares = np.exp(scores)
    totals = np.add.reduceat(shares, firsts)
    loss = np.mean(np.log(totals) - scores[firsts]) + PENALTY / 2 * weights @ weights
    shares /= np.repeat(totals, sizes)
    shares[firsts] -= 1
    return float(loss), shares @ rows / len(choices) + PENALTY * weights
