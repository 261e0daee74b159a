import numpy as np

from ragset.dataset.duplicates.find import Repeat
from ragset.dataset.manifest import Leakage
from ragset.dataset.train_test_split import components, measure_leakage
from ragset.models import Conversation, Golden, Span, Turn


def golden(number: int, document: str, start: int) -> Golden:
    span = Span(doc_id=document, start=start, end=start + 10)
    return Golden(id=f"g-{number}", query="q", answer="a", evidence=(span,), chunks=(f"{document}:0-100",))


def test_what_stands_on_both_sides_is_counted() -> None:
    made = [golden(0, "a", 0), golden(1, "a", 5), golden(2, "b", 0), golden(3, "c", 0)]
    sides = {"g-0": "train", "g-1": "test", "g-2": "train", "g-3": "test"}
    vectors = np.array([[1, 0], [3, 4], [0, 1], [-1, 0]], dtype=np.float32)
    found = measure_leakage(made, sides, vectors, repeats=[Repeat(3, 2, "near", 0.9), Repeat(2, 0, "near", 0.9)])
    # of train (1, 0) and (0, 1), of test (0.6, 0.8) and (-1, 0): 0.8 at most
    assert found == (
        Leakage(sides=("test", "train"), evidence=2, chunks=2, repeats=2, documents=1, highest_cosine=0.8),
    )


def test_a_passage_as_good_as_the_evidence_leaks_too() -> None:
    made = [golden(0, "a", 0), golden(1, "b", 0)]
    passage = Span(doc_id="b", start=9, end=20)
    (found,) = measure_leakage(made, {"g-0": "train", "g-1": "test"}, equivalents={"g-0": [passage]})
    assert (found.evidence, found.documents, found.highest_cosine) == (2, 1, None)


def test_the_evidence_of_earlier_turns_leaks_and_keeps_goldens_together() -> None:
    said = golden(0, "a", 0)
    turn = Turn(question="q", answer="a", evidence=(Span(doc_id="b", start=5, end=12),))
    conversation = Conversation(turns=(turn,), question="And?")
    made = [said.model_copy(update={"conversation": conversation}), golden(1, "b", 0)]
    (found,) = measure_leakage(made, {"g-0": "train", "g-1": "test"})
    assert (found.evidence, found.documents) == (2, 1)
    assert len(components(made)) == 1


def test_one_side_alone_leaks_nothing() -> None:
    assert measure_leakage([golden(0, "a", 0)], {"g-0": "test"}) == ()
