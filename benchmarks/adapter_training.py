"""How long the training of a linear adapter takes: vectors of passages, and queries that are passages after a rotation.

python -m benchmarks.adapter_training [--goldens 2000] [--dimensions 384] [--passages 10000] [--rotation 1.2]
"""

import time

import numpy as np
from scipy.linalg import expm

from benchmarks.shared import options
from ragset.retrieval.embedding import normalised
from ragset.training.adapter import EPOCHS, Validation, best_rows, train_adapter
from ragset.training.info_nce import QuerySet

NEGATIVES = 10


def main() -> None:
    asked = options(__doc__, goldens=2_000, dimensions=384, passages=10_000, rotation=1.2)
    rng = np.random.default_rng(0)
    size, validating = asked.dimensions, asked.goldens // 4
    passages = normalised(rng.normal(size=(asked.passages, size)))
    half = rng.normal(size=(size, size)) / size**0.5
    turn = expm(asked.rotation * (half - half.T))
    answers = rng.integers(asked.passages, size=asked.goldens + validating)
    vectors = normalised(passages[answers] @ turn + 0.05 * rng.normal(size=(len(answers), size)))
    train, answered = vectors[: asked.goldens], answers[: asked.goldens]
    nearest = zip(best_rows(train, passages, NEGATIVES + 1), answered.tolist(), strict=True)
    positives = tuple(answered[:, None].astype(np.intp))
    negatives = tuple(np.array([row for row in rows if row != answer][:NEGATIVES]) for rows, answer in nearest)
    queries = QuerySet(tuple(map(str, range(asked.goldens))), train, positives, negatives, positives)
    relevant = [[{row: 1}] for row in answers[asked.goldens :].tolist()]
    start = time.perf_counter()
    trained = train_adapter(queries, Validation(vectors[asked.goldens :], relevant), passages)
    seconds, epochs = time.perf_counter() - start, len(trained.stop.candidates)
    print(f"{asked.goldens:,} goldens × {size}, {validating:,} for validation, {asked.passages:,} passages")
    print(f"{seconds:.1f} s for {epochs} of at most {EPOCHS} epochs; {trained.stop.told}")


if __name__ == "__main__":
    main()
