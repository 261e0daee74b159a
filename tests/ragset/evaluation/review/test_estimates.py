import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from lxml import html

from ragset.dataset.review.file import read_reviews
from ragset.evaluation.metrics.ppi import corrected
from ragset.evaluation.results.corrected import CorrectedMetric, Judged
from ragset.evaluation.results.folder import read_results
from ragset.evaluation.review.estimates import correct_results, judged
from ragset.evaluation.review.pool import Pool, read_pool
from tests.small_results import HOSTILE
from tests.small_review import GOLDENS, HOT, LONG, PLAN, grade, judged_results


def found(folder: Path) -> dict[str, Judged]:
    bench = folder / "bench"
    return {one.kind: one for one in judged(read_results(bench), read_pool(bench, PLAN), read_reviews(bench).lines)}


def answers(pool: Pool, grades: Mapping[str, int], drawn: int = 4) -> dict[str, int]:
    """Grades by answer for the items of the first goldens drawn."""
    goldens = pool.drawn["answer"][:drawn]
    return {
        id_: grades[item.answer] for id_, item in pool.items.items() if item.kind == "answer" and item.golden in goldens
    }


GRADES = {"80 °C": 5, "Cold.": 1, "Warm.": 3}


def metric_of(folder: Path, kind: str, name: str) -> CorrectedMetric:
    return next(one for one in found(folder)[kind].metrics if one.metric == name)


def test_where_everything_is_judged_people_alone_count(tmp_path: Path) -> None:
    grade(tmp_path, answers(judged_results(tmp_path), GRADES))
    metric = metric_of(tmp_path, "answer", "correctness")
    good, bad = metric.means
    assert (good.configuration, good.mean, good.labels, good.plain) == ("good", 1.0, 4, 1.0)
    # Cold. 0, 80 °C 1, no answer 0, Warm. 1/2: people say 3/8, and so did the critic.
    assert (bad.configuration, bad.mean, bad.labels, bad.plain) == ("bad", 0.375, 4, 0.375)
    [less] = metric.differences
    assert (less.configuration, less.against, less.difference, less.plain) == ("bad", "good", -0.625, -0.625)


def test_a_judge_who_is_off_by_as_much_everywhere_is_corrected_by_that(tmp_path: Path) -> None:
    # The critic gives 1/4 more than people do: 4 and 3 of 5 where people say 3 and 2; of the third and fourth only it speaks.
    said = {"good": ["a", "b", "c", "d"]}
    pool = judged_results(tmp_path, said, {"good": [0.75, 0.5, 0.75, 0.5]})
    grades = {"a": 3, "b": 2, "c": 3, "d": 2}
    grade(tmp_path, answers(pool, grades, 2))
    [one] = metric_of(tmp_path, "answer", "correctness").means
    labelled = [golden.id in pool.drawn["answer"][:2] for golden in GOLDENS]
    people, critic = np.array([0.5, 0.25, 0.5, 0.25]), np.array([0.75, 0.5, 0.75, 0.5])
    expected = corrected(np.where(labelled, people, np.nan), critic, [golden.id for golden in GOLDENS])
    assert one.mean == pytest.approx(expected.mean)
    assert (one.labels, one.plain) == (2, 0.625)


def test_the_random_part_ends_at_the_first_golden_that_nobody_looked_at(tmp_path: Path) -> None:
    pool = judged_results(tmp_path)
    first, second, *_ = pool.drawn["answer"]
    asked = pool.asked["answer"]
    [item] = asked["good", second]
    assert item
    grade(tmp_path, {item: 5})
    assert found(tmp_path)["answer"].judgements == 1
    assert all(
        not one.labels for of in found(tmp_path)["answer"].metrics for one in of.means if one.configuration == "good"
    )
    [before] = asked["good", first]
    assert before
    grade(tmp_path, {before: None})  # looked at, and skipped
    one = next(one for one in metric_of(tmp_path, "answer", "correctness").means if one.configuration == "good")
    assert (one.labels, one.low, one.high) == (1, None, None)
    assert found(tmp_path)["answer"].skipped == 1
    grade(tmp_path, {before: 3})
    one = next(one for one in metric_of(tmp_path, "answer", "correctness").means if one.configuration == "good")
    assert one.labels == 2


def test_two_people_count_with_their_mean_and_their_agreement_is_told(tmp_path: Path) -> None:
    pool = judged_results(tmp_path)
    grade(tmp_path, answers(pool, GRADES), "Ada")
    grade(tmp_path, answers(pool, {**GRADES, "80 °C": 3}), "Bob")
    one = found(tmp_path)["answer"]
    assert (one.judgements, one.people, one.shared) == (12, 2, 6)
    assert one.raw == pytest.approx(2 / 6)  # of "Cold." and "Warm."
    means = {row.configuration: row.mean for row in one.metrics[0].means}
    # Of "80 °C" 1 and 1/2: 3/4. Of the other 0 + 3/4 + 0 + 1/2 of 4.
    assert means == pytest.approx({"good": 0.75, "bad": 0.3125})


def test_judgements_under_two_texts_are_not_mixed(tmp_path: Path) -> None:
    pool = judged_results(tmp_path)
    grade(tmp_path, answers(pool, {"80 °C": 1, "Cold.": 1, "Warm.": 1}))
    grade(tmp_path, answers(pool, GRADES), "Bob", version=2)
    one = found(tmp_path)["answer"]
    assert (one.guideline, one.others, one.judgements) == ("answer@2", {"answer@1": 6}, 6)
    assert {row.configuration: row.mean for row in one.metrics[0].means} == {"good": 1.0, "bad": 0.375}


def test_rankings_are_scored_by_the_grades_of_their_passages(tmp_path: Path) -> None:
    pool = judged_results(tmp_path)
    grades = {HOT: 2, LONG: 1}
    grade(tmp_path, {id_: grades[item.passage] for id_, item in pool.items.items() if item.kind == "relevance"})
    names = [one.metric for one in found(tmp_path)["relevance"].metrics]
    assert names == ["precision@2", "hit_rate@2"]  # the largest cut-off that is judged
    # One of two passages answers a part, the other nothing.
    assert [one.mean for one in metric_of(tmp_path, "relevance", "precision@2").means] == [0.5, 0.5]
    assert [one.mean for one in metric_of(tmp_path, "relevance", "hit_rate@2").means] == [1.0, 1.0]
    assert {one.plain for one in metric_of(tmp_path, "relevance", "precision@2").means} == {1.0, 0.5}


def test_without_a_judge_the_words_in_common_are_corrected(tmp_path: Path) -> None:
    pool = judged_results(tmp_path)
    stored = read_results(tmp_path / "bench")
    stored.scores.loc[stored.scores["metric"] == "correctness", "metric"] = "token_f1"
    grade(tmp_path, answers(pool, GRADES))
    one = judged(stored, pool, read_reviews(tmp_path / "bench").lines)[0].metrics[0]
    assert (one.metric, one.judge, one.means[0].plain, one.means[0].mean) == ("correctness", "token_f1", None, 1.0)


def test_where_nobody_judged_nothing_is_estimated(tmp_path: Path) -> None:
    judged_results(tmp_path)
    assert found(tmp_path) == {}


def section_of(folder: Path) -> str:
    page = html.document_fromstring((folder / "bench" / "report.html").read_text())
    assert len(page.xpath("//script")) == 3
    assert not page.xpath("//img")
    [section] = page.xpath("//section[@id='people']")
    return " ".join(section.text_content().split())


def test_what_people_say_is_written_into_the_manifest_and_the_report(tmp_path: Path) -> None:
    pool = judged_results(tmp_path, report=True)
    assert section_of(tmp_path).startswith("What people say Nobody has judged")
    before = (tmp_path / "bench" / "report.html").read_text()
    assert correct_results(tmp_path / "bench") == ()
    assert (tmp_path / "bench" / "report.html").read_text() == before
    grade(tmp_path, dict.fromkeys((id_ for id_, item in pool.items.items() if item.kind == "answer"), 5))
    found = correct_results(tmp_path / "bench")
    assert read_results(tmp_path / "bench").benchmark.judged == found
    said = section_of(tmp_path)
    assert "1 person has judged answers of random goldens" in said
    assert "correctness as people would find it" in said
    assert "Nobody has judged" not in said
    # It can be written again, and the rest of the page is as it was.
    correct_results(tmp_path / "bench")
    assert section_of(tmp_path) == said
    after = (tmp_path / "bench" / "report.html").read_text()
    assert after.partition("<!-- people -->")[0] == before.partition("<!-- people -->")[0]
    assert after.partition("<!-- /people -->")[2] == before.partition("<!-- /people -->")[2]


def test_judgements_outlive_the_results_that_they_are_of(tmp_path: Path) -> None:
    pool = judged_results(tmp_path)
    grade(tmp_path, dict.fromkeys((id_ for id_, item in pool.items.items() if item.kind == "answer"), 5))
    correct_results(tmp_path / "bench")
    judged_results(tmp_path, {"good": ["80 °C"] * 4, "bad": ["Ice."] * 4})
    assert json.loads((tmp_path / "bench" / "benchmark.json").read_text())["judged"] == []
    [one] = correct_results(tmp_path / "bench")
    # The answers of `good` are the same; those of `bad` are others, and nobody has seen them.
    assert {row.configuration: row.labels for row in one.metrics[0].means} == {"good": 4}


def test_hostile_names_end_no_section(tmp_path: Path) -> None:
    name = f"{HOSTILE} <!-- /people --> <!-- people -->"
    pool = judged_results(tmp_path, {name: ["a", "b", "c", "d"]}, {name: [1.0] * 4}, report=True)
    grade(tmp_path, dict.fromkeys((id_ for id_, item in pool.items.items() if item.kind == "answer"), 4))
    correct_results(tmp_path / "bench")
    correct_results(tmp_path / "bench")
    assert name in section_of(tmp_path)
