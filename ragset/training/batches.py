"""Batches in which no example shows a chunk that answers, or may answer, the query of another."""

from collections.abc import Sequence
from random import Random

from ragset.training.examples import TrainingExample, shown_chunks


def batches_of(examples: Sequence[TrainingExample], size: int, seed: int) -> list[list[TrainingExample]]:
    """All examples in batches of at most `size`, in an order of the seed; the full ones first.

    Losses with in-batch negatives take the chunks of the other examples of a batch for wrong answers.
    """
    order = list(range(len(examples)))
    Random(seed).shuffle(order)  # noqa: S311 (no secret)
    shows = [frozenset(shown_chunks(one)) for one in examples]
    answers = [frozenset((*one.positives, *one.avoided)) for one in examples]
    batches: list[list[TrainingExample]] = []
    while order:
        batch: list[int] = []
        shown, answering = set[str](), set[str]()
        later: list[int] = []
        for place in order:
            if len(batch) < size and shown.isdisjoint(answers[place]) and answering.isdisjoint(shows[place]):
                batch.append(place)
                shown |= shows[place]
                answering |= answers[place]
            else:
                later.append(place)
        batches.append([examples[place] for place in batch])
        order = later
    return sorted(batches, key=lambda batch: -len(batch))
