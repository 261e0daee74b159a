"""Does the interval of a corrected mean hold the true mean as often as it says? Simulated goldens, labels and judges.

    python -m benchmarks.ppi [--repeats 1000]

Each time 600 goldens are drawn from 100 documents that differ, a judge scores all, and people label a random part. `usual` is the
interval without Wilson's form and with a normal quantile. Beside a random judge, people's labels count alone.
"""

import math
from typing import NamedTuple

import numpy as np

from benchmarks.shared import options
from ragset.evaluation.metrics.ppi import Estimate, corrected
from ragset.evaluation.metrics.resample import Floats

GOLDENS, DOCUMENTS = 600, 100
NORMAL = 1.959963984540054  # quantile of 95 %
OF_DOCUMENTS = 0.2  # share of the variance of quality between documents
JUDGES = ("random", "perfect", "biased")
GRADES = {  # the quantiles of quality at which the grade rises
    "1 to 5, mean 0.74": (0.07, 0.16, 0.31, 0.5),
    "1 to 5, mean 0.95": (0.014, 0.029, 0.055, 0.1),
    "good or bad, 70 % good": (0.3,),
    "good or bad, 90 % good": (0.1,),
    "good or bad, 97 % good": (0.03,),
}


class Coverage(NamedTuple):
    """Shares of intervals that held the true mean, and the mean width of ours."""

    ours: float
    usual: float
    width: float


def coverage(grades: tuple[float, ...], judge: str, n: int, repeats: int, *, clustered: bool = True) -> Coverage:
    """Of `repeats` simulations with `n` labels; not `clustered`: each golden has a document of its own."""
    from scipy.stats import norm

    rng, cuts = np.random.default_rng((0, n)), norm.ppf(grades)
    truth = 1 - sum(grades) / len(grades)

    def simulate() -> Estimate:
        quality, documents = rng.normal(size=GOLDENS), None
        if clustered:
            documents = rng.integers(0, DOCUMENTS, GOLDENS).tolist()
            quality *= math.sqrt(1 - OF_DOCUMENTS)
            quality += math.sqrt(OF_DOCUMENTS) * rng.normal(size=DOCUMENTS)[documents]
        people = np.digitize(quality, cuts) / len(cuts)
        labels = _labelled(people, n, rng)
        return corrected(labels, _judged(judge, quality, people, cuts, rng), documents)

    return _share(truth, [simulate() for _ in range(repeats)])


def coverage_of_differences(better: float, n: int, repeats: int) -> Coverage:
    """Of one system less another, on the same goldens and by the biased judge; one is `better` by so much, in quality."""
    from scipy.stats import norm

    rng, cuts = np.random.default_rng((0, n)), norm.ppf(GRADES["1 to 5, mean 0.74"])
    truth = float((norm.sf(cuts - better) - norm.sf(cuts)).mean())

    def simulate() -> Estimate:
        query, ours, theirs = rng.normal(size=(3, GOLDENS)) * math.sqrt(0.5)
        answers = query + ours + better, query + theirs
        people = np.subtract(*(np.digitize(answer, cuts) / len(cuts) for answer in answers))
        judged = np.subtract(*(_judged("biased", answer, answer, cuts, rng) for answer in answers))
        return corrected(_labelled(people, n, rng), judged, least=-1.0)

    return _share(truth, [simulate() for _ in range(repeats)])


def _share(truth: float, found: list[Estimate]) -> Coverage:
    rows = [
        (one.low <= truth <= one.high, abs(one.mean - truth) <= NORMAL * one.error + 1e-9, one.high - one.low)
        for one in found
    ]
    return Coverage(*np.mean(rows, axis=0).tolist())


def _labelled(people: Floats, n: int, rng: np.random.Generator) -> Floats:
    """A random `n` of them, and NaN."""
    labels = np.full(GOLDENS, np.nan)
    part = rng.choice(GOLDENS, n, replace=False)
    labels[part] = people[part]
    return labels


def _judged(judge: str, quality: Floats, people: Floats, cuts: Floats, rng: np.random.Generator) -> Floats:
    """`biased` is lenient, and unsure."""
    if judge == "perfect":
        return people
    seen = rng.permutation(quality) if judge == "random" else quality + 0.7 + rng.normal(0, 0.5, len(quality))
    return np.digitize(seen, cuts) / len(cuts)


def main() -> None:
    asked = options(__doc__, repeats=1_000)
    print(f"Share of 95 % intervals that hold the true mean, and their widths ({asked.repeats:,} simulations each)")
    print(f"{'labels':26}{'judge':10}{'n':>5}{'ours':>8}{'usual':>8}{'width':>8}")
    for name, grades in GRADES.items():
        for judge in JUDGES:
            for n in (50, 100, 300):
                one = coverage(grades, judge, n, asked.repeats)
                print(f"{name:26}{judge:10}{n:5}{one.ours:8.1%}{one.usual:8.1%}{one.width:8.3f}", flush=True)
    for better in (0.0, 0.3):
        for n in (50, 100, 300):
            one, name = coverage_of_differences(better, n, asked.repeats), f"difference, {better} better"
            print(f"{name:26}{'biased':10}{n:5}{one.ours:8.1%}{one.usual:8.1%}{one.width:8.3f}", flush=True)


if __name__ == "__main__":
    main()
