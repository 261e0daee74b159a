from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.relevance.qrels import gold_of
from ragset.models import Document, Golden, Span
from ragset.retrieval.fusion import Hit
from ragset.training.examples import ExampleSet, make_examples, shown_chunks
from ragset.training.formats.training_data import batches_of
from ragset.training.negatives import NegativeSettings, Ranking
from ragset.training.sides import By, HeldOut
from tests.small_dataset import corpus_of

LENGTH, STEP = 100, 10
DOCUMENTS = [Document.of(f"{name}{number:04d} " * 20, source=name) for name in "ab" for number in (7,)]
IDS = [f"{document.id}:{at}-{at + STEP}" for document in DOCUMENTS for at in range(0, LENGTH, STEP)]


def golden(number: int, split: str, document: Document, start: int, size: int = 5, **metadata: object) -> Golden:
    span = Span(doc_id=document.id, start=start, end=start + size)
    chunk = f"{document.id}:{start}-{start + size}"
    fields = {"query": f"q{number}", "answer": "a", "evidence": (span,), "chunks": (chunk,), "metadata": metadata}
    return Golden.model_validate({"id": f"g-{number}", "split": split, **fields})


def everything(queries: Sequence[str], _positives: object) -> list[list[Ranking]]:
    """A search that finds every chunk below the positive."""
    return [[Ranking("dense", [Hit(one, 0.5) for one in IDS], 1.0)] for _ in queries]


def made_of(goldens: Sequence[Golden], folder: Path, by: By = "evidence") -> tuple[ExampleSet, HeldOut]:
    gold = gold_of(goldens, corpus_of(folder, *DOCUMENTS))
    held_out = HeldOut.of([one for one in goldens if one.split != "train"], gold, by)
    train = [one for one in goldens if one.split == "train"]
    return make_examples(train, gold, IDS, held_out, everything, NegativeSettings()), held_out


def ids(document: int, *starts: int) -> tuple[str, ...]:
    return tuple(f"{DOCUMENTS[document].id}:{start}-{start + STEP}" for start in starts)


def test_evidence_equivalents_and_what_the_golden_doubts_are_no_negatives(tmp_path: Path) -> None:
    first, second = DOCUMENTS
    doubts = {
        "contradicted": [{"chunk": f"{first.id}:30-40", "reason": ""}, {"reason": "r"}, "r"],
        "partial": [{"chunk": f"{first.id}:60-65", "reason": ""}],
        "left_out": None,
        "judged": [
            {"passage": f"{first.id}:40-50", "grade": 2, "ranks": {"bm25": 1}},
            {"passage": f"{first.id}:50-60", "grade": 1, "ranks": {"bm25": 1}},
        ],
    }
    # The evidence, 12 to 21, is half of the chunk at 10 and one character of the chunk at 20.
    one = golden(1, "train", first, 12, 9, **doubts)
    one = one.model_copy(update={"equivalents": (Span(doc_id=second.id, start=5, end=10),)})
    (example,) = made_of([one], tmp_path)[0].examples
    assert example.positives == (*ids(0, 10), *ids(1, 0))
    assert set(example.avoided) == {*ids(0, 20, 30, 40, 60)}
    assert [one.chunk for one in example.negatives] == [*ids(0, 0, 50, 70, 80, 90), *ids(1, 10, 20, 30, 40, 50)]
    assert example.document == first.id


def test_goldens_that_make_no_example_are_counted(tmp_path: Path) -> None:
    first = DOCUMENTS[0]
    empty = golden(1, "train", first, 0).model_copy(update={"evidence": (), "answer": None, "kind": "unanswerable"})
    beside = golden(2, "train", first, 14)
    beyond = golden(3, "train", first, 101)
    found, _ = made_of([empty, beside, beyond, golden(4, "test", first, 10, 4)], tmp_path)
    assert found.examples == ()
    reasons = ["without evidence", "evidence shares a passage with the test side", "evidence in no chunk"]
    assert found.left_out == dict.fromkeys(reasons, 1)


PLACES = st.tuples(st.sampled_from(["train", "validation", "test"]), st.integers(0, 1), st.integers(0, 94))


@pytest.mark.parametrize("by", ["document", "evidence"])
@given(drawn=st.lists(PLACES, max_size=12))
def test_no_passage_of_the_test_side_is_in_training_data(
    by: Literal["document", "evidence"], drawn: list[tuple[str, int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    goldens = [golden(number, side, DOCUMENTS[of], at) for number, (side, of, at) in enumerate(drawn)]
    found, held_out = made_of(goldens, tmp_path_factory.mktemp("corpus"), by)
    held = [one.evidence[0] for one in goldens if one.split != "train"]
    shown = [Span.of_id(chunk) for one in found.examples for chunk in shown_chunks(one)]
    assert not any(chunk.overlap(span) for chunk in shown for span in held)
    if by == "document":
        assert {chunk.doc_id for chunk in shown}.isdisjoint(span.doc_id for span in held)
    assert not any(held_out.holds(chunk) for one in found.examples for chunk in shown_chunks(one))
    assert {one.golden for one in found.examples} <= {one.id for one in goldens if one.split == "train"}
    assert len(found.examples) + sum(found.left_out.values()) == sum(one.split == "train" for one in goldens)


@given(places=st.lists(st.integers(0, 9), max_size=14), size=st.integers(1, 5), seed=st.integers(0, 3))
def test_in_a_batch_nothing_that_answers_one_query_stands_for_a_wrong_answer_of_another(
    places: list[int], size: int, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    goldens = [golden(number, "train", DOCUMENTS[number % 2], place * STEP) for number, place in enumerate(places)]
    examples = made_of(goldens, tmp_path_factory.mktemp("corpus"))[0].examples
    batches = batches_of(examples, size, seed)
    assert sorted(one.golden for batch in batches for one in batch) == sorted(one.golden for one in examples)
    assert batches == batches_of(examples, size, seed)
    assert [len(batch) for batch in batches] == sorted((len(batch) for batch in batches), reverse=True)
    for batch in batches:
        assert len(batch) <= size
        for one in batch:
            others = [chunk for other in batch if other != one for chunk in shown_chunks(other)]
            assert {*one.positives, *one.avoided}.isdisjoint(others)
