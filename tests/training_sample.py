"""Training data small enough to know every row of it."""

from ragset.training.examples import TrainingExample, shown_chunks
from ragset.training.formats import TrainingData
from ragset.training.negatives import HardNegative

TEXTS = {
    "d:0-9": "Green tea turns bitter above 80 °C.",
    "d:10-19": "Steep it\tfor two minutes.\nNot longer.",
    "d:20-29": "Milk boils over 🥛.",
    "e:0-9": "Coffee is brewed at 96 °C.",
    "e:10-19": "Cocoa is stirred.",
}


def example(golden: str, query: str, positives: str, negatives: str) -> TrainingExample:
    """Chunks are given by their places in `TEXTS`, a digit each."""
    ids = [*TEXTS]
    found = [HardNegative(chunk=ids[int(place)], score=1.0, source="dense") for place in negatives]
    of = tuple(ids[int(place)] for place in positives)
    return TrainingExample(golden=golden, document="d", query=query, positives=of, negatives=tuple(found))


EXAMPLES = (
    example("g-1", "How hot may green tea be?", "0", "342"),
    example("g-2", "Tea or coffee, „which“ is\nhotter?", "03", "42"),
    example("g-3", "What is stirred?", "4", "0"),
)


def sample(*examples: TrainingExample, batch: int = 1) -> TrainingData:
    """Of `EXAMPLES` where none are given; the cosine of the n-th chunk shown, from 0, is 1 less n tenths."""
    given = examples or EXAMPLES
    return TrainingData(
        dataset="teas",
        version=2,
        chunking="recursive-256-0-tokens",
        embedding="offline-512",
        examples=given,
        texts=TEXTS,
        scores={one.golden: [1 - n / 10 for n in range(len(shown_chunks(one)))] for one in given},
        batch=batch,
        seed=0,
    )
