import json
from pathlib import Path

from lxml import html

from ragset.evaluation.results.folder import read_results
from ragset.evaluation.review.estimates import correct_results
from tests.small_results import HOSTILE
from tests.small_review import grade, judged_results


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
