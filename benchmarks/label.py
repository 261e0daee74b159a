"""How much of what people marked as evidence does `label` find, when it sees their questions alone?

    python -m benchmarks.label HUMAN_SET --files FOLDER [--sample 0]
    python -m benchmarks.label HUMAN_SET DATASET [--sample 0]

HUMAN_SET is a test set by people that `benchmark` reads (such as SQuAD's JSON). The first form writes its documents, and its questions
as `queries.txt`, from which `python -m flows label` makes a DATASET; the second says what is in it.
`--sample N` takes N random questions.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.shared import options
from benchmarks.validity import write_documents
from ragset.dataset import Dataset, read_dataset
from ragset.dataset.completeness import RELEVANT, completeness_of, judged_of
from ragset.dataset.importers import read_goldens
from ragset.dataset.relevance.qrels import is_relevant
from ragset.errors import InputError
from ragset.generation.labelling.queries import folded
from ragset.models import Golden, Span

TOLD = {
    "pooled": "evidence in a graded passage (the ceiling)",
    "relevant": "evidence in a passage graded as relevant",
    "labelled": "evidence among the labelled spans",
    "unanswerable": "without evidence: called unanswerable",
    "undecided": "undecided",
}
"""What became of questions that people gave evidence for."""


def measure(by_people: Sequence[Golden], dataset: Dataset) -> Iterator[str]:
    """A line for each share of the questions of people, by the goldens of the same words."""
    made = {folded(golden.query): golden for golden in dataset.goldens}
    undecided = {folded(reject.query): reject for reject in dataset.rejects if reject.stage in {"grade", "answer"}}
    asked = [golden for golden in by_people if golden.evidence]
    counts = Counter[str]()
    for human in asked:
        golden = made.get(folded(human.query))
        if golden is None:
            counts["undecided"] += 1
            if reject := undecided.get(folded(human.query)):  # its chunks are the relevant passages
                found = _holds(map(Span.of_id, reject.chunks), human)
                counts.update(pooled=found, relevant=found)
            continue
        judged = judged_of(golden)
        counts.update(
            pooled=_holds((Span.of_id(one.passage) for one in judged), human),
            relevant=_holds((Span.of_id(one.passage) for one in judged if one.grade >= RELEVANT), human),
            labelled=_holds((*golden.evidence, *golden.equivalents), human),
            unanswerable=golden.answer is None,
        )
    yield f"{len(asked)} questions with evidence by people"
    yield from (f"{told:45}{counts[name] / len(asked):7.1%}" for name, told in TOLD.items())


def _holds(passages: Iterable[Span], human: Golden) -> bool:
    return any(
        one.doc_id == span.doc_id and is_relevant(one.start, one.end, span)
        for one in passages
        for span in human.evidence
    )


def main() -> None:
    asked = options(__doc__, "human_set", "dataset?", files="", sample=0)
    try:
        goldens = read_goldens(asked.human_set).goldens
        questions = random.Random(0).sample(goldens, min(asked.sample, len(goldens))) if asked.sample else goldens
        if asked.files:
            documents, queries = Path(asked.files, "documents"), Path(asked.files, "queries.txt")
            write_documents(asked.human_set, documents)
            queries.write_text("\n".join(golden.query for golden in questions) + "\n", encoding="utf-8")
            print(f"{len(questions)} questions in {queries}, documents in {documents}")
            return
        if not asked.dataset:
            raise InputError("name a DATASET, or give --files")
        dataset = read_dataset(asked.dataset)
        print("\n".join(measure(questions, dataset)))
        if labels := completeness_of(dataset.goldens):
            late = f", and {labels.late:.0%} of the queries had their last one late" if labels.late else ""
            print(f"{labels.relevant:,} of {labels.judged:,} graded passages are relevant{late}")
    except InputError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
