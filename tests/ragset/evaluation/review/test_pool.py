from dataclasses import replace
from pathlib import Path

import pytest

from ragset.dataset.review.order import ReviewPlan
from ragset.errors import InputError
from ragset.evaluation.results.model import System
from ragset.evaluation.results.writing import write_results
from ragset.evaluation.review.pool import read_pool
from ragset.retrieval.fusion import Hit
from tests.small_results import sample_results, tea_results
from tests.small_review import GOLDENS, HOT, judged_results


def test_what_two_systems_gave_is_asked_once(tmp_path: Path) -> None:
    pool = judged_results(tmp_path)
    answers = [item.answer for item in pool.items.values() if item.kind == "answer"]
    # "80 °C" of both systems to the second golden is one item, white space apart; an abstention is none.
    assert sorted(answers) == ["80 °C", "80 °C", "80 °C", "80 °C", "Cold.", "Warm."]
    second = GOLDENS[1].id
    assert pool.asked["answer"]["good", second] == pool.asked["answer"]["bad", second]
    assert ("bad", GOLDENS[2].id) not in pool.asked["answer"]
    # Two passages of four goldens, found by both.
    assert sum(item.kind == "relevance" for item in pool.items.values()) == 8
    assert pool.asked["relevance"]["good", second] == pool.asked["relevance"]["bad", second][::-1]


def test_answers_come_before_passages_and_those_of_one_golden_together(tmp_path: Path) -> None:
    pool = judged_results(tmp_path)
    order = [pool.items[one.item] for one in pool.order]
    assert len(order) == len(pool.items)
    assert [one.kind for one in order] == ["answer"] * 6 + ["relevance"] * 8
    assert tuple(dict.fromkeys(one.golden for one in order[:6])) == pool.drawn["answer"]
    assert tuple(dict.fromkeys(one.golden for one in order[6:])) == pool.drawn["relevance"]


def test_an_id_is_that_of_what_is_judged_whoever_gave_it(tmp_path: Path) -> None:
    pool = judged_results(tmp_path)
    more = {"other": ["80 °C", "Ice.", "Ice.", "Ice."], "good": ["80 °C"] * 4}
    again = judged_results(tmp_path, more, {"other": [1.0, 0.0, 0.0, 0.0], "good": [1.0] * 4})
    assert again.asked["answer"]["good", GOLDENS[0].id] == pool.asked["answer"]["good", GOLDENS[0].id]
    assert again.asked["answer"]["other", GOLDENS[0].id] == pool.asked["answer"]["good", GOLDENS[0].id]
    changed = (GOLDENS[0].model_copy(update={"answer": "70 °C"}), *GOLDENS[1:])
    other = judged_results(tmp_path, goldens=changed)
    assert other.asked["answer"]["good", GOLDENS[0].id] != pool.asked["answer"]["good", GOLDENS[0].id]
    assert other.asked["answer"]["good", GOLDENS[1].id] == pool.asked["answer"]["good", GOLDENS[1].id]


def test_a_smaller_sample_is_the_begin_of_a_larger_one(tmp_path: Path) -> None:
    results = sample_results(tmp_path / "c", goldens=12, chunkings=(("recursive-128", 128), ("token-256", 256)))
    write_results(tmp_path / "bench", results, "")
    small, large = (read_pool(tmp_path / "bench", ReviewPlan(sample=size)) for size in (3, 8))
    for kind, drawn in large.drawn.items():
        assert len(drawn) == 8
        assert drawn[:3] == small.drawn[kind]
    known = [one for one in large.order if one.item in small.items]
    assert [one.item for one in small.order] == [one.item for one in known]
    assert {item.golden for item in small.items.values() if item.kind == "answer"} <= set(small.drawn["answer"])
    # No system's name is in what a person gets to see of an item.
    names = {name for system in results.systems for name in (system.name, system.chunking, system.reader)}
    assert not any(name in id_ for name in names for id_ in large.items)


def test_a_part_of_the_goldens_goes_to_two_people_with_all_their_items(tmp_path: Path) -> None:
    judged_results(tmp_path)
    pool = read_pool(tmp_path / "bench", ReviewPlan(shared=0.5))
    by_golden = {(item.kind, item.golden): set[int]() for item in pool.items.values()}
    for one in pool.order:
        by_golden[pool.items[one.item].kind, pool.items[one.item].golden].add(one.people)
    assert all(len(people) == 1 for people in by_golden.values())
    assert sorted(people for of in by_golden.values() for people in of) == [1, 1, 1, 1, 2, 2, 2, 2]


def test_a_passage_of_several_places_shows_all_and_one_in_no_document_is_not_asked(tmp_path: Path) -> None:
    given = tea_results(tmp_path)
    golden = given.goldens[0].id
    doc = HOT.partition(":")[0]
    hits = [Hit(f"{doc}:0-5+{doc}:10-20", 0.9), Hit("unaligned-1:0-9", 0.8)]
    given = replace(given, systems=(System(name="x"),), runs={"x": {golden: hits}}, standings=())
    write_results(tmp_path / "bench", given, "")
    pool = read_pool(tmp_path / "bench", ReviewPlan())
    first, second = pool.asked["relevance"]["x", golden]
    assert first is not None
    assert [(span.start, span.end) for span in pool.items[first].spans] == [(0, 5), (10, 20)]
    assert second is None


def test_results_of_an_earlier_release_cannot_be_judged(tmp_path: Path) -> None:
    judged_results(tmp_path)
    (tmp_path / "bench" / "goldens.jsonl").unlink()
    with pytest.raises(InputError, match=r"has no goldens\.jsonl.*run the benchmark again"):
        read_pool(tmp_path / "bench", ReviewPlan())
