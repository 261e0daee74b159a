import json
from pathlib import Path

import pytest

from flows.deploy.review.benchmarks import BenchmarkItems
from flows.deploy.review.items import is_reviewed, open_items
from flows.deploy.review.session import Session
from ragset.dataset.review.file import read_reviews
from ragset.dataset.review.records import Review
from ragset.errors import InputError
from ragset.evaluation.review.estimates import correct_results
from tests.small_dataset import TEA
from tests.small_review import GOLDENS, HOT, judged_results


def open_bench(folder: Path) -> BenchmarkItems:
    judged_results(folder)
    found = open_items(folder / "bench")
    assert isinstance(found, BenchmarkItems)
    return found


def test_nothing_that_a_person_sees_tells_the_system(tmp_path: Path) -> None:
    items = open_bench(tmp_path)
    assert is_reviewed(tmp_path / "bench")
    shown = json.dumps([(one.item, items.view(one.item)) for one in items.order])
    assert "good" not in shown
    assert "bad" not in shown


def test_an_answer_is_shown_with_the_reference_and_its_evidence(tmp_path: Path) -> None:
    items = open_bench(tmp_path)
    cold = next(one.item for one in items.order if items.view(one.item).get("answer") == "Cold.")
    view = items.view(cold)
    assert (view["query"], view["reference"]) == (GOLDENS[0].query, GOLDENS[0].answer)
    assert view["marks"] == [{"doc": TEA.id, "start": 0, "end": 35, "kind": "evidence"}]
    assert view["passages"][0]["text"] == TEA.text
    assert items.critic(cold) == [("correctness by the critic", "1 of 5")]


def test_a_passage_is_marked_in_its_document(tmp_path: Path) -> None:
    items = open_bench(tmp_path)
    passages = [one.item for one in items.order if items.kinds[one.item] == "relevance"]
    assert {items.view(item)["marks"][0]["start"] for item in passages} == {0, 36}
    hot = next(item for item in passages if items.view(item)["marks"][0]["start"] == 0)
    assert "answer" not in items.view(hot)
    assert items.critic(hot) == [("evidence of the test set", "yes")]
    assert HOT.endswith(":0-35")


def test_grades_of_a_session_correct_the_results(tmp_path: Path) -> None:
    items = open_bench(tmp_path)
    session = Session(tmp_path / "bench", items, tmp_path / "leases.sqlite")
    assert list(session.start(reviewer="Ada")["kinds"]) == ["answer", "relevance"]
    for _ in items.order:
        view = session.next(reviewer="Ada")["view"]
        grade = 1 if view["kind"] == "relevance" else 5
        judged = Review.of("Ada", view["item"], view["kind"], f"{view['kind']}@1", grade=grade)
        session.add(**judged.model_dump(mode="json"))
    assert session.next(reviewer="Ada")["view"] is None
    assert len(read_reviews(tmp_path / "bench").lines) == len(items.order)
    answers, passages = correct_results(tmp_path / "bench")
    # One answer of `bad` is missing.
    assert {row.configuration: row.mean for row in answers.metrics[0].means} == {"good": 1.0, "bad": 0.75}
    assert {row.mean for metric in passages.metrics for row in metric.means} == {0.0}


def test_a_benchmark_without_answers_and_passages_has_nothing_to_judge(tmp_path: Path) -> None:
    judged_results(tmp_path, {"none": [None] * 4}, {"none": [0.0] * 4})
    with pytest.raises(InputError, match="no answer and no passage to judge"):
        open_items(tmp_path / "bench")
