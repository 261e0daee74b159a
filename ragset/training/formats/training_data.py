"""What training files are written of: examples, the texts of their chunks, and their scores."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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


@dataclass(frozen=True)
class TrainingData:
    """The examples of a train side, with all that a trainer sees."""

    dataset: str
    """Name of the dataset, without the number of its version."""
    version: int
    chunking: str
    embedding: str
    examples: tuple[TrainingExample, ...]
    texts: Mapping[str, str]
    """By id, of each chunk of the examples."""
    scores: Mapping[str, Sequence[float]]
    """By golden, the cosine of its query and each of its `shown_chunks`."""
    batch: int
    """Rows to a batch."""
    seed: int

    @cached_property
    def chunks(self) -> dict[str, int]:
        """The number, from 0, of each chunk of the examples, in the order of their ids."""
        found = sorted({chunk for one in self.examples for chunk in shown_chunks(one)})
        return {chunk: number for number, chunk in enumerate(found)}

    @property
    def numbers(self) -> dict[str, int]:
        """The number, from 0, of each query, by golden."""
        return {one.golden: number for number, one in enumerate(self.examples)}

    @cached_property
    def ways(self) -> int:
        """How many negatives each row of a list has: the number at which lists hold most negatives in all; 0: there are none.

        Trainers want lists of one length, so longer ones are cut to it and shorter ones left out.
        """
        counts = Counter(len(one.negatives) for one in self.rows(0, cut=False))
        held = {ways: ways * sum(rows for length, rows in counts.items() if length >= ways) for ways in counts}
        return max(held, key=lambda ways: (held[ways], ways), default=0)

    def rows(self, negatives: int, *, cut: bool = True) -> list[TrainingExample]:
        """A row for each query and positive that has so many negatives, cut to them, in batches (see `batches_of`)."""
        rows = [
            one.model_copy(
                update={
                    "positives": (positive,),
                    "avoided": (*one.avoided, *(other for other in one.positives if other != positive)),
                    "negatives": one.negatives[:negatives] if cut else one.negatives,
                }
            )
            for one in self.examples
            if len(one.negatives) >= negatives
            for positive in one.positives
        ]
        return [row for batch in batches_of(rows, self.batch, self.seed) for row in batch] if cut else rows

    def scores_of(self, row: TrainingExample) -> list[float]:
        """The cosine of its query and each of its `shown_chunks`."""
        example = self.examples[self.numbers[row.golden]]
        known = dict(zip(shown_chunks(example), self.scores[row.golden], strict=True))
        return [known[chunk] for chunk in shown_chunks(row)]
