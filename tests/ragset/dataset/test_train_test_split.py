import os
import random as randoms
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.duplicates.find import Repeat
from ragset.dataset.train_test_split import By, measure_leakage, split_goldens
from ragset.models import Golden, Span

HALVES = {"train": 0.5, "test": 0.5}


def golden(number: int, document: str, start: int, *, length: int = 10, kind: str = "single-chunk") -> Golden:
    span = Span(doc_id=document, start=start, end=start + length)
    chunk = f"{document}:{start // 100 * 100}-{start // 100 * 100 + 100}"
    return Golden(id=f"g-{number}", query=f"q{number}", answer="a", evidence=(span,), chunks=(chunk,), kind=kind)


def test_overlapping_evidence_stays_together() -> None:
    # 95-105 and 100-110 overlap, in two chunks
    made = [golden(0, "a", 95), golden(1, "a", 100), golden(2, "b", 0), golden(3, "c", 0)]
    sides = split_goldens(made, HALVES).of
    assert sides["g-0"] == sides["g-1"] != sides["g-2"] == sides["g-3"]


def test_by_document_one_document_is_on_one_side() -> None:
    made = [golden(0, "a", 0), golden(1, "a", 900), golden(2, "b", 0), golden(3, "b", 900)]
    sides = split_goldens(made, HALVES, by="document").of
    assert sides["g-0"] == sides["g-1"] != sides["g-2"] == sides["g-3"]


def test_repeats_and_equivalents_stay_together() -> None:
    made = [golden(0, "a", 0), golden(1, "b", 0), golden(2, "c", 0), golden(3, "d", 0)]
    passage = Span(doc_id="d", start=5, end=25)
    result = split_goldens(made, HALVES, repeats=[Repeat(1, 0, "near", 0.9)], equivalents={"g-2": [passage]})
    assert result.of["g-0"] == result.of["g-1"] != result.of["g-2"] == result.of["g-3"]
    assert result.notice is None


def test_a_component_larger_than_a_side_is_told() -> None:
    made = [golden(0, "a", 0), golden(1, "a", 5), golden(2, "a", 12), golden(3, "b", 0)]
    notice = split_goldens(made, HALVES).notice
    assert notice is not None
    assert "3 instead of 2" in notice
    assert "3 do in the largest group" in notice


def test_kinds_are_spread_over_the_sides() -> None:
    kinds = ("single-chunk", "multi-chunk")
    made = [golden(number, f"d{number}", 0, kind=kinds[number % 2]) for number in range(40)]
    sides = split_goldens(made, {"train": 0.6, "test": 0.4}).sides
    assert sides["train"].kinds == {"multi-chunk": 12, "single-chunk": 12}
    assert sides["test"].kinds == {"multi-chunk": 8, "single-chunk": 8}


def test_shares_without_any_above_nought_are_refused() -> None:
    with pytest.raises(ValueError, match="shares: each is 0 or more"):
        split_goldens([], {"train": 0})


goldens = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.integers(0, 400), st.integers(1, 60)), min_size=1, max_size=25
).map(lambda made: [golden(place, doc, start, length=length) for place, (doc, start, length) in enumerate(made)])


@given(goldens, st.sampled_from(("document", "evidence")), st.integers(0, 3))
def test_no_evidence_stands_on_two_sides_and_the_order_does_not_matter(made: list[Golden], by: By, seed: int) -> None:
    repeats = [Repeat(len(made) - 1, 0, "near", 0.9)] if len(made) > 1 else []
    result = split_goldens(made, by=by, repeats=repeats, seed=seed)
    for leak in measure_leakage(made, result.of, repeats=repeats):
        assert (leak.evidence, leak.chunks, leak.repeats) == (0, 0, 0)
        assert by == "evidence" or leak.documents == 0
    last = len(made) - 1
    turned = [Repeat(last - int(repeat.of), last - repeat.index, "near", 0.9) for repeat in repeats]
    again = split_goldens(made[::-1], by=by, repeats=turned, seed=seed)
    assert again.of == result.of
    assert again.sides == result.sides


def test_sizes_are_as_wanted_where_no_golden_hangs_on_another() -> None:
    made = [golden(number, f"d{number % 7}", 1000 * number) for number in range(50)]
    for seed in range(5):
        randoms.Random(seed).shuffle(made)
        sides: dict[str, Any] = split_goldens(made, seed=seed).sides
        assert [sides[name].goldens for name in ("train", "validation", "test")] == [30, 10, 10]


@pytest.mark.parametrize(
    ("count", "shares", "sizes"),
    [
        (8, (0.6, 0.2, 0.2), [5, 2, 1]),  # of 4.8, 1.6 and 1.6
        (3, (0.6, 0.2, 0.2), [1, 1, 1]),  # of 1.8, 0.6 and 0.6
        (4, (0.6, 0.2, 0.2), [2, 1, 1]),
        (13, (0.6, 0.2, 0.2), [8, 3, 2]),  # of 7.8, 2.6 and 2.6
        (5, (0.8, 0.1, 0.1), [4, 1, 0]),  # of 4, 0.5 and 0.5
        (7, (0.7, 0.15, 0.15), [5, 1, 1]),  # of 4.9, 1.05 and 1.05
    ],
)
def test_small_sets_are_of_the_shares_to_less_than_one_golden(
    count: int, shares: tuple[float, ...], sizes: list[int]
) -> None:
    names = ("train", "validation", "test")
    for seed in range(4):
        made = [golden(number, f"d{number}", 0) for number in range(count)]
        sides = split_goldens(made, dict(zip(names, shares, strict=True)), seed=seed).sides
        assert [sides[name].goldens for name in names] == sizes


def test_groups_that_no_side_has_room_for_leave_none_empty() -> None:
    made = [golden(number, "abc"[number % 3], 10 * number, length=40) for number in range(10)]
    assert sorted(side.goldens for side in split_goldens(made).sides.values()) == [3, 3, 4]


def test_nothing_is_said_to_hang_together_where_nothing_does() -> None:
    made = [golden(number, f"d{number}", 0) for number in range(2)]
    notice = split_goldens(made).notice
    assert notice is not None
    assert notice.endswith("there are too few goldens for these shares")
    made = [golden(number, f"d{number}", 0) for number in range(20)]
    notice = split_goldens(made, held={one.id: "train" for one in made[:18]}).notice
    assert notice is not None
    assert notice.startswith("train has 18 instead of 12")
    assert notice.endswith("goldens that had a side keep it")


def test_of_three_documents_with_two_goldens_each_side_has_one() -> None:
    made = [golden(number, "abc"[number % 3], 10 * number, length=40) for number in range(6)]
    assert [side.goldens for side in split_goldens(made, by="document").sides.values()] == [2, 2, 2]


def test_a_side_that_holds_a_golden_already_is_not_empty() -> None:
    made = [golden(number, f"d{number}", 0) for number in range(13)]
    sides = split_goldens(made, {"a": 0.9, "b": 0.1}, held={"g-12": "b"}).of
    # 0.1 * 13 = 1.3: one golden, and b has it
    assert [sides[f"g-{number}"] for number in range(12)] == ["a"] * 12


SPLITS = """
import random
from ragset.dataset.train_test_split import split_goldens
from ragset.models import Golden, Span
draw = random.Random(1)
def golden(number, documents):
    proof = tuple(Span(doc_id=one, start=100 * number, end=100 * number + 20) for one in documents)
    return Golden(id=f"g{number}", query="q", answer="a", evidence=proof, chunks=(), kind="multi-chunk")
for seed in range(300):
    documents = [f"doc{number}" for number in range(draw.randint(3, 9))]
    made = [golden(number, draw.sample(documents, draw.randint(2, min(6, len(documents))))) for number in range(draw.randint(10, 40))]
    shares = draw.choice([{"train": 0.6, "validation": 0.2, "test": 0.2}, {"a": 0.5, "b": 0.5}, {"a": 1, "b": 1, "c": 1}])
    print(sorted(split_goldens(made, shares, seed=seed).of.items()))
"""


def test_splits_are_the_same_in_every_process() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", SPLITS], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "123"
    }
    assert len(said) == 1
