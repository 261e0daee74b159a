"""Batches in which no example shows a chunk that answers, or may answer, the query of another."""

from collections.abc import Sequence
from random import Random

from ragset.training.examples import TrainingExample, shown_chunks


def batches_of(examples: Sequence[TrainingExample], size: int, seed: int) -> list[list[TrainingExample]]:
    """All examples in batches of at most `size`, in an order of the seed; the full ones first.

    Losses with in-batch negatives take the chunks of the other examples of a batch for wrong answers.
    """
    left = list(examples)
    Random(seed).shuffle(left)  # noqa: S311 (no secret)
    batches: list[list[TrainingExample]] = []
    while left:
        batch: list[TrainingExample] = []
        shown, answering = set[str](), set[str]()
        later: list[TrainingExample] = []
        for example in left:
            shows, answers = set(shown_chunks(example)), {*example.positives, *example.avoided}
            if len(batch) < size and shown.isdisjoint(answers) and answering.isdisjoint(shows):
                batch.append(example)
                shown |= shows
                answering |= answers
            else:
                later.append(example)
        batches.append(batch)
        left = later
    return sorted(batches, key=lambda batch: -len(batch))
