from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ragset.dataset.relevance.qrels import gold_of
from ragset.errors import InputError
from ragset.models import Document, Golden
from ragset.retrieval.embedding import Vectors, normalised
from ragset.training.adapter import AdapterData
from ragset.training.examples import TrainingExample
from ragset.training.sides import Sides
from tests.small_dataset import corpus_of, golden_of

LETTERS = [Document.of(letter * 20, source=letter) for letter in "abcd"]
IDS = [f"{document.id}:0-20" for document in LETTERS]


def asked(letter: int, split: str) -> Golden:
    document = LETTERS[letter]
    golden = golden_of(f"q{letter}", document=document, evidence=((0, 20),))
    return golden.model_copy(update={"split": split})


def embed(queries: Sequence[str]) -> Vectors:
    """`q2` is nearest to the passage of row 2, then to that of row 3."""
    vectors = np.eye(4) + 0.5 * np.roll(np.eye(4), 1, axis=1)
    return normalised(vectors[[int(query[1:]) for query in queries]])


def data_of(folder: Path, examples: Sequence[TrainingExample], sides: Sides) -> AdapterData:
    rows = {id_: row for row, id_ in enumerate(IDS)}
    index: Any = SimpleNamespace(ids=IDS, rows=rows, vectors=np.eye(4, dtype=np.float32))
    gold = gold_of(sides.held_out, corpus_of(folder, *LETTERS))
    return AdapterData.of(examples, sides, gold, index, embed, 0)


EXAMPLE = TrainingExample(
    golden="g", document=LETTERS[0].id, query="q0", positives=(IDS[0],), negatives=(), avoided=(IDS[3],)
)
SIDES = Sides(train=(), validation=(asked(1, "validation"),), test=(asked(2, "test"),))


def test_test_queries_find_the_passages_nearest_to_them(tmp_path: Path) -> None:
    data = data_of(tmp_path, [EXAMPLE], SIDES)
    (hits,) = data.retrieve(None).values()
    # (1, 0.5) as a direction is 1/1.118 = 0.894 and 0.447.
    assert [hit.id for hit in hits][:2] == [IDS[2], IDS[3]]
    assert [hit.score for hit in hits] == pytest.approx([0.894, 0.447, 0, 0], abs=1e-3)
    swapped = np.eye(4, dtype=np.float32)[[0, 1, 3, 2]]
    (hits,) = data.retrieve(swapped).values()
    assert [hit.id for hit in hits][:2] == [IDS[3], IDS[2]]


def test_passages_that_may_answer_are_masked_and_grades_are_by_row(tmp_path: Path) -> None:
    data = data_of(tmp_path, [EXAMPLE], SIDES)
    assert [rows.tolist() for rows in (*data.train.positives, *data.train.masked)] == [[0], [0, 3]]
    assert data.validation.relevant == [[{1: 1}]]


def test_a_side_without_evidence_is_named(tmp_path: Path) -> None:
    unanswerable = asked(1, "validation").model_copy(update={"evidence": ()})
    for examples, sides, side in (
        ([], SIDES, "train"),
        ([EXAMPLE], SIDES._replace(validation=(unanswerable,)), "validation"),
    ):
        with pytest.raises(InputError, match=f"no golden of the {side} side has evidence in a chunk"):
            data_of(tmp_path, examples, sides)
