"""Thresholds chosen on few judged goldens: what do they keep of other goldens, and how often is a score raised that says nothing?

    python -m benchmarks.thresholds [--repeats 200]

Simulated goldens, of which people call 80 % good, have two scores of 4 or 5: `groundedness` says nothing about people, `clarity` nothing, a
little or much. Wanted are 95 % good. `calibrate-critic` raises what is shown to help; `highest share` takes what looks best.
`seen` is the share good among the judged goldens themselves.
"""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from benchmarks.shared import options
from ragset.dataset.review.calibration import Judged, keep, recommended

BEFORE = {"groundedness": 4, "clarity": 4}
WANTED = 0.95
CLARITY = {"nothing": 0.0, "a little": 0.7, "much": 0.9}  # the correlation with quality behind the score
Rule = Callable[[Sequence[Judged]], Mapping[str, int]]


def draw(rng: np.random.Generator, number: int, correlation: float) -> list[Judged]:
    quality, other, noise = rng.normal(size=(3, number))
    seen = correlation * quality + math.sqrt(1 - correlation**2) * noise
    scores = (np.where(values > -0.5, 5, 4).tolist() for values in (other, seen))
    good = (quality > -0.84).tolist()
    return [Judged(dict(zip(BEFORE, one[:2], strict=True)), one[2]) for one in zip(*scores, good, strict=True)]


def highest_share(judged: Sequence[Judged]) -> Mapping[str, int]:
    """Of the pairs of thresholds that reach the share, the one that keeps most good goldens; else that of the highest share."""

    def worth(thresholds: Mapping[str, int]) -> tuple[bool, float]:
        kept = keep(judged, thresholds)
        reached = kept.precision.share >= WANTED
        return reached, kept.recall.share if reached else kept.precision.share

    pairs = [dict(zip(BEFORE, pair, strict=True)) for pair in ((4, 4), (5, 4), (4, 5), (5, 5))]
    return max((pair for pair in pairs if keep(judged, pair).precision.n), key=worth)


RULES: dict[str, Rule] = {
    "calibrate-critic": lambda judged: recommended(judged, BEFORE, WANTED),
    "highest share": highest_share,
}


def main() -> None:
    asked = options(__doc__, repeats=200)
    print(
        f"Of other goldens: share good of what is kept, and share kept of the good ones ({asked.repeats} simulations each)"
    )
    print(f"{'clarity says':14}{'judged':>7}  {'rule':18}{'good':>7}{'kept':>7}{'groundedness raised':>21}{'seen':>8}")
    for says, correlation in CLARITY.items():
        others = draw(np.random.default_rng(1), 20_000, correlation)
        known = {pair: keep(others, dict(zip(BEFORE, pair, strict=True))) for pair in ((4, 4), (5, 4), (4, 5), (5, 5))}
        for number in (50, 100, 300):
            rng = np.random.default_rng((2, number))
            samples = [draw(rng, number, correlation) for _ in range(asked.repeats)]
            for name, rule in RULES.items():
                chosen = [rule(sample) for sample in samples]
                kept = [known[one["groundedness"], one["clarity"]] for one in chosen]
                seen = np.mean([keep(*one).precision.share for one in zip(samples, chosen, strict=True)])
                good, recall = (np.mean([getattr(one, of).share for one in kept]) for of in ("precision", "recall"))
                raised = np.mean([one["groundedness"] > 4 for one in chosen])
                print(f"{says:14}{number:7}  {name:18}{good:7.1%}{recall:7.1%}{raised:21.1%}{seen:8.1%}", flush=True)


if __name__ == "__main__":
    main()
