"""What a training did to retrieval, measured on the test side of its dataset."""

from collections.abc import Callable, Sequence

from ragset.evaluation.effect import Effect, EvaluationSet, Validation, learning_curve, measure_effect
from ragset.evaluation.results import Run
from tasks.index import IndexFile
from tasks.run.threads import in_thread
from tasks.training import TrainingSet


async def measure_training(
    training: TrainingSet,
    index: IndexFile,
    *,
    changed: str,
    before: Run,
    after: Run,
    trained_with: Sequence[str],
    fit: Callable[[frozenset[str]], Run] | None = None,
    validation: Validation | None = None,
    seed: int = 0,
) -> Effect:
    """`ragset.evaluation.effect.measure_effect`, with the learning curve if `fit` is given and something was kept.

    Runs are of the test goldens; `trained_with` are the ids of the goldens that were trained on.
    """

    def measure() -> Effect:
        measured_on = EvaluationSet.of(training.test, training.corpus.open(), index.open().ids, seed=seed)
        kept = validation is None or validation.chosen
        curve = learning_curve(measured_on, before, after, trained_with, fit) if fit and kept else ()
        return measure_effect(
            measured_on,
            before,
            after,
            changed=changed,
            trained_with=len(set(trained_with)),
            curve=curve,
            validation=validation,
        )

    return await in_thread(measure)
