"""How sure a verdict is: how often equal configurations are called different, and how often intervals hold the truth.

Scores are drawn: a golden is hard or easy for all, a configuration is good or bad at a document, and the rest is noise.
"""

from itertools import product

import numpy as np

from benchmarks.shared import options
from ragset.evaluation.metrics.paired import KnownScores, compared, differences, ranked, ties
from ragset.evaluation.metrics.resample import Floats, intervals

_DRAWS = 2_000
_SHAPES = ((40, 40), (100, 20))
"""Goldens and documents."""
_KINDS = ("hits", "shares")


def main() -> None:
    repeats = options(__doc__, repeats=400).repeats
    called = "call any of them different (with Holm's n - 1 tests), or name a winner"
    print(f"equal configurations: share of benchmarks that {called}")
    for count, (goldens, documents), kind in product((2, 3, 5, 10, 25), _SHAPES, _KINDS):
        told, holm, winner = _equal(count, goldens, documents, kind, repeats)
        shares = f"{told:.1%} ({holm:.1%}), winner {winner:.1%}"
        print(f"  {count} configurations, {goldens} goldens of {documents} documents, {kind}: {shares}", flush=True)
    print("95 % intervals that hold the truth: of a difference; of a mean")
    for (goldens, documents), kind in product(_SHAPES, _KINDS):
        pair, mean = _coverage(goldens, documents, kind, repeats)
        print(f"  {goldens} goldens of {documents} documents, {kind}: {pair:.1%}; {mean:.1%}", flush=True)


def _scores(
    rng: np.random.Generator, skills: Floats, goldens: int, documents: int, kind: str
) -> tuple[Floats, list[int]]:
    of = np.repeat(np.arange(documents), goldens // documents)
    latent = rng.normal(size=goldens) + 0.7 * rng.normal(size=(len(skills), documents))[:, of]
    latent += 0.7 * rng.normal(size=latent.shape) + skills[:, None]
    return (latent > 0).astype(float) if kind == "hits" else 1 / (1 + np.exp(-latent)), of.tolist()


def _equal(count: int, goldens: int, documents: int, kind: str, repeats: int) -> tuple[float, float, float]:
    rng = np.random.default_rng(1)
    names = [str(number) for number in range(count)]
    told = holm = winner = 0
    for number in range(repeats):
        values, labels = _scores(rng, np.zeros(count), goldens, documents, kind)
        known = KnownScores.of(values)
        tied = ties(known, names, labels, draws=_DRAWS, seed=number)
        told += len(tied) < count
        winner += len(tied) == 1
        found = compared(known, names, ranked(known, names)[0], labels, draws=_DRAWS, seed=number)
        holm += any(one.told for one in found.values())
    return told / repeats, holm / repeats, winner / repeats


def _coverage(goldens: int, documents: int, kind: str, repeats: int) -> tuple[float, float]:
    rng = np.random.default_rng(2)
    skills = np.array([0.5, 0.0])
    truth = _scores(rng, skills, 400_000, 100_000, kind)[0].mean(axis=1)
    pairs = means = 0
    for number in range(repeats):
        values, labels = _scores(rng, skills, goldens, documents, kind)
        (one,) = differences(KnownScores.of(values[0]), KnownScores.of(values[1]), labels, draws=_DRAWS, seed=number)
        pairs += one.low <= truth[0] - truth[1] <= one.high
        found = intervals(values[:1], labels, draws=_DRAWS, seed=number)[0]
        means += found.low <= truth[0] <= found.high
    return pairs / repeats, means / repeats


if __name__ == "__main__":
    main()
