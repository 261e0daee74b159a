from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

from ragset.dataset.relevance.qrels import gold_of
from ragset.errors import InputError
from ragset.models import Document, Golden
from ragset.retrieval.embedding import Vectors, normalised
from ragset.training.adapter import AdapterData, TrainedAdapter, Validation, best_rows, train_adapter
from ragset.training.examples import TrainingExample
from ragset.training.info_nce import QuerySet
from ragset.training.sides import Sides
from tests.small_dataset import corpus_of, golden_of

SIZE, PASSAGES, VALIDATION = 16, 500, 100


def planted(
    seed: int, queries: int = 300, *, shuffled: bool = False
) -> tuple[TrainedAdapter, Vectors, Vectors, list[int]]:
    """Passages, and queries that are passages after a rotation, with some noise."""
    rng = np.random.default_rng(seed)
    turn = expm(0.6 * _skew(rng))
    passages = normalised(rng.normal(size=(PASSAGES, SIZE)))
    answers = rng.integers(PASSAGES, size=queries + 2 * VALIDATION)
    vectors = normalised(passages[answers] @ turn + 0.15 * rng.normal(size=(len(answers), SIZE)))
    labels = answers[:queries]
    if shuffled:
        labels = rng.permutation(labels)
    places = tuple(labels[:, None].astype(np.intp))
    none = (np.empty(0, np.intp),) * queries
    train = QuerySet(tuple(map(str, range(queries))), vectors[:queries], places, none, places)
    validating, testing = vectors[queries:-VALIDATION], vectors[-VALIDATION:]
    relevant = [[{int(row): 1}] for row in answers[queries:-VALIDATION]]
    trained = train_adapter(train, Validation(validating, relevant), passages, seed)
    return trained, passages, testing, answers[-VALIDATION:].tolist()


def _skew(rng: np.random.Generator) -> np.ndarray:
    half = rng.normal(size=(SIZE, SIZE)) / SIZE**0.5
    return half - half.T


def found_first(queries: Vectors, passages: Vectors, answers: list[int]) -> float:
    pairs = zip(best_rows(queries, passages, 1), answers, strict=True)
    return float(np.mean([rows[0] == answer for rows, answer in pairs]))


@pytest.mark.parametrize("seed", range(2))
def test_a_planted_rotation_is_learnt(seed: int) -> None:
    trained, passages, queries, answers = planted(seed)
    assert trained.matrix is not None
    before = found_first(queries, passages, answers)
    after = found_first(normalised(queries @ trained.matrix.T), passages, answers)
    assert after > before + 0.1


@pytest.mark.parametrize("seed", range(3))
def test_an_adapter_trained_on_shuffled_labels_is_refused(seed: int) -> None:
    trained, *_ = planted(seed, shuffled=True)
    assert trained.matrix is None
    assert not trained.stop.kept


def test_the_best_rows_are_those_of_a_full_sort() -> None:
    rng = np.random.default_rng(0)
    queries, passages = normalised(rng.normal(size=(70, 5))), normalised(rng.normal(size=(30, 5)))
    expected = np.argsort(-(queries @ passages.T), axis=1)[:, :4].tolist()
    assert list(best_rows(queries, passages, 4)) == expected


def test_there_may_be_fewer_passages_than_are_asked_for() -> None:
    assert [sorted(rows) for rows in best_rows(np.eye(3, dtype=np.float32), np.eye(3, dtype=np.float32), 10)] == [
        [0, 1, 2]
    ] * 3


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
