"""How much of what people marked as evidence does `label` find, when it sees their questions alone?

    python -m benchmarks.label HUMAN_SET [DATASET] [--sample 0]
    python -m benchmarks.label HUMAN_SET --files FOLDER [--sample 0]

HUMAN_SET is a test set by people that `benchmark` reads (such as SQuAD's JSON). Without DATASET its questions, stripped of
their labels, are labelled over its documents by the offline rules; DATASET is what `label` made of them, with a model perhaps.
The second form writes the documents, and the questions as `queries.txt`, from which `python -m flows label` makes a DATASET.
`--sample N` takes N random questions.
"""

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.shared import ROOT, options
from benchmarks.validity import write_documents
from ragset.dataset import Dataset, read_dataset
from ragset.dataset.completeness import RELEVANT, completeness_of, judged_of
from ragset.dataset.importers import read_goldens
from ragset.dataset.relevance.qrels import is_relevant
from ragset.errors import InputError
from ragset.generation.labelling.queries import folded
from ragset.models import Golden, Span


class Found(NamedTuple):
    """What became of the questions that people gave evidence for; all are numbers of questions."""

    questions: int
    pooled: int
    """Whose evidence is in a graded passage, which is the most that can be found."""
    relevant: int
    """Whose evidence is in a passage that was graded as relevant."""
    labelled: int
    """Whose evidence overlaps evidence or equivalents of the golden."""
    unanswerable: int
    undecided: int

    def told(self) -> str:
        """A line for each."""
        names = {
            "pooled": "evidence in a graded passage (the ceiling)",
            "relevant": "evidence in a passage graded as relevant",
            "labelled": "evidence among the labelled spans",
            "unanswerable": "without evidence: called unanswerable",
            "undecided": "undecided",
        }
        rows = (f"{said:45}{getattr(self, name) / self.questions:7.1%}" for name, said in names.items())
        return "\n".join([f"{self.questions} questions with evidence by people", *rows])


def measure(by_people: Sequence[Golden], dataset: Dataset) -> Found:
    """The questions of people against the goldens of the same words."""
    made = {folded(golden.query): golden for golden in dataset.goldens}
    undecided = {folded(reject.query): reject for reject in dataset.rejects if reject.stage in {"grade", "answer"}}
    counts = dict.fromkeys(Found._fields, 0)
    for human in by_people:
        if not human.evidence:
            continue
        counts["questions"] += 1
        golden = made.get(folded(human.query))
        if golden is None:
            counts["undecided"] += 1
            if reject := undecided.get(folded(human.query)):  # its chunks are the relevant passages
                found = _holds(map(Span.of_id, reject.chunks), human)
                counts["pooled"] += found
                counts["relevant"] += found
            continue
        judged = judged_of(golden)
        counts["pooled"] += _holds((Span.of_id(one.passage) for one in judged), human)
        counts["relevant"] += _holds((Span.of_id(one.passage) for one in judged if one.grade >= RELEVANT), human)
        counts["labelled"] += _holds((*golden.evidence, *golden.equivalents), human)
        counts["unanswerable"] += golden.answer is None
    return Found(**counts)


def _holds(passages: Iterable[Span], human: Golden) -> bool:
    return any(
        one.doc_id == span.doc_id and is_relevant(one.start, one.end, span)
        for one in passages
        for span in human.evidence
    )


def write_files(human: Path, questions: Sequence[Golden], folder: Path) -> tuple[Path, Path]:
    """Write the documents and the questions; where they are."""
    documents, queries = folder / "documents", folder / "queries.txt"
    write_documents(human, documents)
    queries.write_text("\n".join(golden.query for golden in questions) + "\n", encoding="utf-8")
    return documents, queries


def _label(human: Path, questions: Sequence[Golden], folder: Path) -> Path:
    documents, queries = write_files(human, questions, folder)
    out = folder / "labelled"
    command = [sys.executable, "-m", "flows", "label", str(documents), "--queries", str(queries), "--out", str(out)]
    env = {**os.environ, "RAGSET_HOME": str(folder / "home")}
    subprocess.run(command, cwd=ROOT, env=env, check=True)
    return out


def main() -> None:
    asked = options(__doc__, "human_set", "dataset?", files="", sample=0)
    try:
        goldens = read_goldens(asked.human_set).goldens
        questions = random.Random(0).sample(goldens, min(asked.sample, len(goldens))) if asked.sample else goldens
        if asked.files:
            documents, queries = write_files(asked.human_set, questions, Path(asked.files))
            print(f"{len(questions)} questions in {queries}, documents in {documents}")
            return
        with tempfile.TemporaryDirectory() as folder:
            dataset = read_dataset(asked.dataset or _label(asked.human_set, questions, Path(folder)))
            print(measure(questions, dataset).told())
        if labels := completeness_of(dataset.goldens):
            late = f", and {labels.late:.0%} of the queries had their last one late" if labels.late else ""
            print(f"{labels.relevant:,} of {labels.judged:,} graded passages are relevant{late}")
    except InputError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
