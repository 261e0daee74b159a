from pathlib import Path
from typing import Any

from lxml import html

from ragset.evaluation.results.facts import DatasetCutRate, DatasetDiscrimination
from ragset.evaluation.results.report import render_results
from tests.small_results import HOSTILE, alike_of, tea_results


def page_of(folder: Path, **changes: Any) -> Any:
    return html.document_fromstring(render_results(tea_results(folder, **changes)))


def rate_of(dataset: str, chunking: str, cut: float = 0.3, **changes: Any) -> DatasetCutRate:
    fields: dict[str, Any] = {"goldens": 100, "chance": 0.3, "noise": 0.09, **changes}
    return DatasetCutRate(dataset=dataset, chunking=chunking, cut=cut, **fields)


def words(element: Any) -> str:
    return " ".join(element.text_content().split())


def test_cut_rates_have_a_row_for_each_chunking_and_a_column_for_each_dataset(tmp_path: Path) -> None:
    rates = (rate_of("short", "token"), rate_of("short", "recursive", 0.25), rate_of("long", "token", 0.35))
    table = page_of(tmp_path, cut_rates=rates).xpath("//section[@id='validity']//table")[0]
    assert [[words(cell) for cell in row] for row in table.xpath(".//tr")] == [
        ["Chunking", "short", "long"],
        ["token", "30.0% (chance 30.0% ± 9.0%)", "35.0% (chance 30.0% ± 9.0%)"],
        ["recursive", "25.0% (chance 30.0% ± 9.0%)", "–"],
    ]


def test_the_leaderboard_says_which_chunkings_a_dataset_favours(tmp_path: Path) -> None:
    rates = (rate_of(HOSTILE, "token", 0.1), rate_of("long", "recursive", home=True), rate_of("long", "sentence"))
    page = page_of(tmp_path, cut_rates=rates)
    notices = [words(notice) for notice in page.xpath("//section[@id='leaderboard']//p[@class='notice']")]
    assert len(notices) == 2
    assert "favours token, which cuts the evidence of 10.0% of its goldens" in notices[0]
    assert "long favours recursive: its queries were drawn from chunks of that chunking" in notices[1]
    assert not page.xpath("//img")


def test_the_pairs_told_apart_are_said(tmp_path: Path) -> None:
    found = [DatasetDiscrimination(dataset=name, metric="mrr", goldens=9, told=1, pairs=3) for name in ("a", "b")]
    section = page_of(tmp_path, discrimination=tuple(found)).xpath("//section[@id='validity']")[0]
    assert "a tells 1 of 3 pairs of configurations apart with 9 goldens; b tells 1 of 3" in words(section)


def test_a_ceiling_stands_beside_its_agreement(tmp_path: Path) -> None:
    ceiling: dict[str, Any] = {
        "ceiling": 0.9,
        "ceiling_low": 0.7,
        "ceiling_high": 1.0,
        "ceiling_goldens": 50,
        "ratio": 0.889,
    }
    section = page_of(tmp_path, agreements=(alike_of(**ceiling),)).xpath("//section[@id='agreement']")[0]
    assert "50 random goldens of long and the rest of it have τb 0.900 (0.700 to 1.000)." in words(section)
    assert "The agreement is 89% of it." in words(section)
    assert "The ceiling:" not in words(page_of(tmp_path, agreements=(alike_of(),)))


def test_without_either_there_is_no_section(tmp_path: Path) -> None:
    page = page_of(tmp_path)
    assert not page.xpath("//section[@id='validity']")
    assert "#validity" not in page.xpath("//nav//@href")
