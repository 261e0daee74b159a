"""How many hard negatives answer after all? Negatives of labelled queries are mined as if nobody had labelled other passages.

    python -m benchmarks.negatives DATASET [--model offline] [--size 256]

DATASET is one of `label`. Of each query only the evidence is known to the mining; the grades of other passages say what was mined:
answers (2 and 3), passages on the topic (1), others (0), or passages that nobody graded.
"""

from collections import Counter
from collections.abc import Sequence

from benchmarks.shared import options, temporary_index
from ragset.dataset import read_dataset
from ragset.dataset.completeness import RELEVANT, judged_of
from ragset.dataset.relevance.qrels import Layout, gold_of, place_of
from ragset.models import Golden
from ragset.retrieval.embedding import connect_embedder
from ragset.settings import ChunkingSettings, EmbeddingSettings, Environment
from ragset.training.examples import TrainingExample, make_examples
from ragset.training.negatives import NegativeSettings, Ranking, rank_queries
from ragset.training.sides import HeldOut

MARGINS = (-10.0, 0.0, 0.05, 0.1, 0.2)
"""Below 0 nothing is left out."""


def grades_of(golden: Golden, layout: Layout) -> dict[str, int]:
    """The highest grade of a passage that shares a character with a chunk, by chunk."""
    found: dict[str, int] = {}
    for one in judged_of(golden):
        for chunk in layout.overlapping(place_of(one.passage)):
            found[chunk.id] = max(one.grade, found.get(chunk.id, 0))
    return found


def counts_of(examples: Sequence[TrainingExample], grades: dict[str, dict[str, int]]) -> Counter[str]:
    """Negatives by what they are."""
    kinds = (grades[one.golden].get(negative.chunk) for one in examples for negative in one.negatives)
    names = ("not graded" if kind is None else "answers" if kind >= RELEVANT else f"grade {kind}" for kind in kinds)
    return Counter(names)


def main() -> None:
    asked = options(__doc__, "dataset", model="offline", size=256)
    dataset = read_dataset(asked.dataset)
    labelled = [golden for golden in dataset.goldens if golden.evidence]
    # As if nobody had looked at other passages.
    known = [golden.model_copy(update={"metadata": {}, "equivalents": ()}) for golden in labelled]
    gold = gold_of(known, dataset.corpus)
    embedder = connect_embedder(EmbeddingSettings(model=asked.model), Environment())
    chunking = ChunkingSettings(size=asked.size)
    with temporary_index(dataset.corpus, embedder, chunking) as (index, store):

        def rank(queries: Sequence[str], positives: Sequence[Sequence[str]]) -> list[list[Ranking]]:
            return rank_queries(index, store, queries, embedder.embed(queries), positives)

        layout, nothing = Layout(index.ids), HeldOut.of((), gold, "evidence")
        grades = {golden.id: grades_of(golden, layout) for golden in labelled}
        print(f"{len(labelled)} queries, {len(index)} chunks")
        names = ("answers", "grade 1", "grade 0", "not graded")
        print(f"{'margin':8}{'negatives':>12}" + "".join(f"{name:>12}" for name in names))
        for margin in MARGINS:
            settings = NegativeSettings.model_construct(most=10, margin=margin)
            found = counts_of(make_examples(known, gold, index.ids, nothing, rank, settings).examples, grades)
            cells = (found.total(), *(found[name] for name in names))
            print(f"{'none' if margin < 0 else margin:<8}" + "".join(f"{cell:>12,}" for cell in cells))


if __name__ == "__main__":
    main()
