"""The section on how complete the labels of pooled queries are."""

from pathlib import Path
from typing import Any

from lxml import html

from ragset.dataset.report import render_report
from ragset.models import Golden
from tests.ragset.dataset.report.test_content import data_of
from tests.small_dataset import corpus_of, golden_of, manifest_of, map_of

JUDGED = [
    {"passage": "a:0-9", "grade": 3, "ranks": {"bm25": 1, "dense": 1}},
    {"passage": "a:9-20", "grade": 2, "ranks": {"dense": 3}},
    {"passage": "b:0-9", "grade": 0, "ranks": {"bm25": 2}},
]


def pooled() -> Golden:
    return golden_of().model_copy(update={"metadata": {"judged": JUDGED, "weight": 4}})


def sections(folder: Path, golden: Golden) -> Any:
    corpus = corpus_of(folder)
    manifest = manifest_of(corpus).model_copy(update={"kind": "labelled"})
    page = html.document_fromstring(render_report([golden], [], manifest, map_of([golden]), corpus))
    return page.xpath("//section[@id='labels']")


def test_each_depth_of_the_pool_has_a_row(tmp_path: Path) -> None:
    (section,) = sections(tmp_path, pooled())
    assert [[cell.text_content() for cell in row] for row in section.xpath(".//tbody/tr")] == [
        ["1", "50.0%", "0.0%"],
        ["2", "50.0%", "0.0%"],
        ["3", "100.0%", "100.0%"],
    ]
    told = " ".join(section.text_content().split())
    assert "2 of 3 graded passages are relevant (grade 2 or 3), for 1 of 1 query, which were 4 of 4 times" in told
    assert "bm25 0, dense 1" in told


def test_other_datasets_have_no_such_section(tmp_path: Path) -> None:
    assert sections(tmp_path, golden_of()) == []


def test_a_golden_shows_how_often_it_was_asked_and_the_grades_of_its_passages(tmp_path: Path) -> None:
    (shown,) = data_of(tmp_path, [pooled()])["goldens"]
    assert (shown["asked"], shown["graded"]) == (4, "1 of grade 3, 1 of grade 2, 1 of grade 0")
