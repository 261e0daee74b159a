"""The learning curve: what fewer goldens would have given."""

from collections.abc import Callable, Sequence

import numpy as np

from ragset.evaluation.effect.evaluation_set import EvaluationSet
from ragset.evaluation.effect.model import LearningPoint
from ragset.evaluation.results.model import Run

SHARES = (0.25, 0.5)
DRAWS = 3


def learning_curve(
    evaluation_set: EvaluationSet,
    before: Run,
    after: Run,
    trained_with: Sequence[str],
    fit: Callable[[frozenset[str]], Run],
    *,
    shares: Sequence[float] = SHARES,
    draws: int = DRAWS,
) -> tuple[LearningPoint, ...]:
    """The primary metric without training, after training with parts of the goldens, and with all of them.

    `trained_with` are ids of the goldens of the training split. `fit` trains with those that it is given, and returns the run on
    the goldens held out. Each of the `draws` draws one random order, of which a smaller part is the beginning of a larger one.
    """
    ids = sorted(set(trained_with))
    orders = [np.random.default_rng((evaluation_set.seed, draw)).permutation(len(ids)) for draw in range(draws)]
    sizes = [size for size in dict.fromkeys(round(share * len(ids)) for share in sorted(shares)) if 0 < size < len(ids)]
    parts = [
        _point(size, [evaluation_set.mean(fit(frozenset(ids[place] for place in order[:size]))) for order in orders])
        for size in sizes
    ]
    return (_point(0, [evaluation_set.mean(before)]), *parts, _point(len(ids), [evaluation_set.mean(after)]))


def _point(goldens: int, means: Sequence[float]) -> LearningPoint:
    return LearningPoint(
        goldens=goldens, draws=len(means), mean=float(np.mean(means)), lowest=min(means), highest=max(means)
    )
