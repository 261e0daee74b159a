import math
from collections.abc import Collection
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.errors import InputError
from ragset.evaluation.effect.measure import EvaluationSet, learning_curve, measure_effect
from ragset.evaluation.effect.model import Effect
from ragset.evaluation.results.model import Run
from ragset.models import Golden
from tests.effect_samples import documents_of, evaluation_set_of, golden_at, run_with

SECOND = 1 / math.log2(3)
"""nDCG of one relevant chunk at rank 2."""


def test_a_change_that_finds_every_passage_earlier_helps_and_its_reverse_harms(tmp_path: Path) -> None:
    documents = documents_of(12)
    evaluation_set = evaluation_set_of(tmp_path, [golden_at(one) for one in documents], documents)
    second, first = run_with(evaluation_set, 2), run_with(evaluation_set, 1)
    better, worse = measure_effect(evaluation_set, second, first), measure_effect(evaluation_set, first, second)
    assert (better.verdict, worse.verdict) == ("helps", "harms")
    change = better.metrics[0]
    assert (change.metric, change.goldens) == ("ndcg@10", 12)
    assert (change.before, change.after) == (pytest.approx(SECOND), 1.0)
    assert change.difference == pytest.approx(1 - SECOND) == -worse.metrics[0].difference
    # Rank 2 is no hit at 1, and one at 3.
    recalls = {one.metric: (one.before, one.after) for one in better.metrics}
    assert recalls["recall@1"] == (0, 1)
    assert recalls["recall@3"] == (1, 1)
    assert "recall@512tokens" in recalls


def test_the_same_run_twice_shows_no_difference_and_moves_no_query(tmp_path: Path) -> None:
    documents = documents_of(12)
    evaluation_set = evaluation_set_of(tmp_path, [golden_at(one) for one in documents], documents)
    effect = measure_effect(evaluation_set, run_with(evaluation_set, 2), run_with(evaluation_set, 2))
    assert effect.verdict == "no difference seen"
    assert (effect.gained_count, effect.lost_count) == (0, 0)
    assert effect.told.startswith("No difference seen with 12 test goldens: ndcg@10 0.631 before, 0.631 after")


def test_gains_that_losses_make_up_for_are_no_difference(tmp_path: Path) -> None:
    documents = documents_of(12)
    goldens = [golden_at(one) for one in documents]
    evaluation_set = evaluation_set_of(tmp_path, goldens, documents)
    ranks = {golden.id: 1 + place % 2 for place, golden in enumerate(goldens)}
    other = {golden: 3 - rank for golden, rank in ranks.items()}
    effect = measure_effect(evaluation_set, run_with(evaluation_set, ranks), run_with(evaluation_set, other))
    assert effect.verdict == "no difference seen"
    assert (effect.gained_count, effect.lost_count) == (6, 6)
    smallest = effect.metrics[0].smallest
    assert smallest is not None
    assert f"{smallest:.3f} would show in 4 of 5 measurements" in effect.told


def test_five_goldens_never_suffice_for_a_verdict(tmp_path: Path) -> None:
    documents = documents_of(5)
    evaluation_set = evaluation_set_of(tmp_path, [golden_at(one) for one in documents], documents)
    effect = measure_effect(evaluation_set, run_with(evaluation_set, 0), run_with(evaluation_set, 1))
    assert effect.verdict == "no difference seen"
    assert "6 or more goldens" in effect.told


def test_only_goldens_of_the_test_split_are_measured(tmp_path: Path) -> None:
    documents = documents_of(8)
    sides = ("train", "validation", "test", "test")
    goldens = [golden_at(one, split=sides[place % 4]) for place, one in enumerate(documents)]
    evaluation_set = evaluation_set_of(tmp_path, goldens, documents)
    assert {golden.split for golden in evaluation_set.goldens} == {"test"}
    assert measure_effect(evaluation_set, run_with(evaluation_set, 1), run_with(evaluation_set, 1)).goldens == 4
    with pytest.raises(InputError, match="test split"):
        evaluation_set_of(tmp_path / "none", goldens[:2], documents)


def test_the_effect_is_broken_down_by_hardness_overlap_and_document(tmp_path: Path) -> None:
    documents = documents_of(3)

    def labelled(number: int, wheel: int) -> Golden:
        level = "hard" if wheel < 4 else "easy"
        return golden_at(documents[number], wheel, hardness={"level": level}, overlap={"covered": wheel / 10})

    goldens = [labelled(number, wheel) for number in range(3) for wheel in range(8)]
    evaluation_set = evaluation_set_of(tmp_path, goldens, documents)
    # Only the hard ones are found better.
    after = {golden.id: 1 if golden.metadata["hardness"] == {"level": "hard"} else 2 for golden in goldens}
    effect = measure_effect(evaluation_set, run_with(evaluation_set, 2), run_with(evaluation_set, after))
    groups = {(one.property, one.group): one.change for one in effect.groups}
    assert {title for title, _ in groups} == {"hardness", "overlap", "document"}
    assert groups["hardness", "hard"].difference == pytest.approx(1 - SECOND)
    assert groups["hardness", "hard"].p < 0.05
    assert groups["hardness", "easy"].difference == 0
    assert [one.group for one in effect.groups if one.property == "hardness"] == ["easy", "hard"]
    assert groups["document", "Clock 1"].goldens == 8


def test_queries_that_moved_most_come_first_with_what_was_found_first(tmp_path: Path) -> None:
    documents = documents_of(4)
    goldens = [golden_at(one, 3) for one in documents]
    evaluation_set = evaluation_set_of(tmp_path, goldens, documents)
    before = dict(zip((golden.id for golden in goldens), (0, 3, 1, 1), strict=True))
    after = dict(zip((golden.id for golden in goldens), (1, 1, 2, 1), strict=True))
    effect = measure_effect(evaluation_set, run_with(evaluation_set, before), run_with(evaluation_set, after))
    assert [(one.golden, one.rank_before, one.rank_after) for one in effect.gained] == [
        ("g-0-3", None, 1),
        ("g-1-3", 3, 1),
    ]
    [lost] = effect.lost
    assert (lost.golden, lost.rank_before, lost.rank_after) == ("g-2-3", 1, 2)
    assert lost.evidence.strip() == "Clock 2 has wheel  3 of brass."
    assert lost.top_before is not None
    assert lost.top_before.relevant
    assert lost.top_after is not None
    assert (lost.top_after.text.strip(), lost.top_after.relevant) == ("Clock 2 has wheel  0 of brass.", False)


def test_an_effect_is_read_back_from_json_as_it_was(tmp_path: Path) -> None:
    documents = documents_of(7)
    evaluation_set = evaluation_set_of(tmp_path, [golden_at(one) for one in documents], documents)
    effect = measure_effect(
        evaluation_set, run_with(evaluation_set, 2), run_with(evaluation_set, 1), changed="adapter", trained_with=3
    )
    assert Effect.model_validate_json(effect.model_dump_json()) == effect


@given(ranks=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), min_size=8, max_size=8))
@settings(max_examples=8)
def test_before_and_after_swapped_turn_every_figure_round(
    tmp_path_factory: pytest.TempPathFactory, ranks: list[tuple[int, int]]
) -> None:
    documents = documents_of(8)
    goldens = [golden_at(one) for one in documents]
    evaluation_set = evaluation_set_of(tmp_path_factory.mktemp("swapped"), goldens, documents)
    runs = [
        run_with(evaluation_set, {golden.id: pair[side] for golden, pair in zip(goldens, ranks, strict=True)})
        for side in (0, 1)
    ]
    there, back = measure_effect(evaluation_set, *runs), measure_effect(evaluation_set, *runs[::-1])
    assert (there.verdict, back.verdict) in {("helps", "harms"), ("harms", "helps"), ("no difference seen",) * 2}
    assert (there.gained_count, there.lost_count) == (back.lost_count, back.gained_count)
    for one, other in zip(there.metrics, back.metrics, strict=True):
        assert (one.before, one.after) == (other.after, other.before)
        assert one.difference == pytest.approx(-other.difference)
        assert one.p == other.p
        assert (one.low is None) == (other.high is None)
        if one.low is not None and other.high is not None:
            assert one.low == pytest.approx(-other.high)
        assert (one.p < 0.05) == (one.low is not None and one.high is not None and not one.low <= 0 <= one.high)


@pytest.fixture
def evaluation_set(tmp_path: Path) -> EvaluationSet:
    documents = documents_of(8)
    return evaluation_set_of(tmp_path, [golden_at(one) for one in documents], documents)


def test_a_part_is_drawn_at_random_and_lies_in_the_larger_part(evaluation_set: EvaluationSet) -> None:
    trained_with = [f"t-{number}" for number in range(8)]
    seen: list[frozenset[str]] = []

    def fit(part: Collection[str]) -> Run:
        seen.append(frozenset(part))
        # With k goldens of 8, k of 8 queries are found.
        return run_with(
            evaluation_set, {one.id: 1 if place < len(part) else 0 for place, one in enumerate(evaluation_set.goldens)}
        )

    before, after = run_with(evaluation_set, 0), run_with(evaluation_set, 1)
    curve = learning_curve(evaluation_set, before, after, trained_with, fit)
    assert [(one.goldens, one.draws, one.mean) for one in curve] == [(0, 1, 0), (2, 3, 0.25), (4, 3, 0.5), (8, 1, 1)]
    quarters, halves = seen[:3], seen[3:]
    assert len(set(halves)) > 1
    assert all(small < large <= set(trained_with) for small, large in zip(quarters, halves, strict=True))
    first = list(seen)
    seen.clear()
    learning_curve(evaluation_set, before, after, trained_with[::-1], fit)
    assert seen == first


def test_two_goldens_have_no_quarter(evaluation_set: EvaluationSet) -> None:
    run = run_with(evaluation_set, 1)
    curve = learning_curve(evaluation_set, run, run, ["t-0", "t-1"], lambda _: run)
    assert [one.goldens for one in curve] == [0, 1, 2]
