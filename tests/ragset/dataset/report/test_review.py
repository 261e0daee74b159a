import os
from pathlib import Path

from lxml import html

from ragset.dataset.report import render_report, renew_report
from ragset.dataset.report.review import is_behind, review_section
from ragset.dataset.review.figures import figures_of
from ragset.dataset.review.file import REVIEWS, ReviewFile
from ragset.dataset.review.records import Review
from tests.small_dataset import corpus_of, files_of, golden_of, manifest_of, map_of, write_small

GOLDENS = [golden_of(f"Query {number}?", style="<b>open</b>" if number % 2 else "factoid") for number in range(8)]


def said(number: int, verdict: str = "good", reviewer: str = "Ada", **more: object) -> Review:
    return Review.of(reviewer, GOLDENS[number].id, "golden", "golden@1", verdict=verdict, **more)


def dataset(folder: Path) -> Path:
    corpus = corpus_of(folder)
    page = render_report(GOLDENS, [], manifest_of(corpus, len(GOLDENS)), map_of(GOLDENS), corpus)
    write_small(folder / "teas", corpus, GOLDENS, report=page)
    return folder / "teas"


def words(page: str) -> str:
    return " ".join(html.document_fromstring(page).text_content().split())


def test_the_section_says_what_was_judged_and_escapes_it(tmp_path: Path) -> None:
    ReviewFile(tmp_path).append(
        *(said(number, "bad" if number % 4 == 0 else "good", reasons=("trivial",)) for number in range(8)),
        said(1, "bad", "Bo"),
    )
    section = review_section(figures_of(tmp_path, GOLDENS))
    text = words(section)
    # 5 good, one on which two people differ, 2 bad: 5.5 of 8
    assert "2 people judged 8 goldens by the guideline golden@1. Of 8 goldens drawn at random 69% (" in text
    assert "1 golden was judged by two people or more. They agree on 0% of the pairs" in text
    assert "2 trivial" in text
    assert "<b>open</b>" in text
    assert "<b>open</b>" not in section


def test_nothing_judged_is_no_section() -> None:
    assert review_section(None).strip() == ""


def test_the_report_of_a_dataset_is_renewed_with_each_judgement_and_nothing_else_of_it_changes(tmp_path: Path) -> None:
    folder = dataset(tmp_path)
    before = files_of(folder)
    assert not is_behind(folder)
    assert renew_report(folder) is None
    assert files_of(folder) == before
    pages: list[str] = []
    for number in range(2):
        ReviewFile(folder).append(said(number))
        assert is_behind(folder)
        os.utime(folder / REVIEWS, (0, 0))  # so that both are never written within one tick
        renew_report(folder)
        assert not is_behind(folder)
        pages.append((folder / "report.html").read_text())
        assert f"judged {number + 1} golden" in words(pages[-1])
        assert pages[-1].count('id="review"') == 1
    now = files_of(folder)
    assert {name for name in now if now[name] != before.get(name)} == {"report.html", "reviews.jsonl"}
