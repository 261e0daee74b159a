from pathlib import Path
from typing import Any

import pytest
from lxml import html

from ragset.dataset.manifest import CutRate
from ragset.dataset.report import render_report
from tests.small_dataset import corpus_of, golden_of, manifest_of, map_of

RATES = (
    CutRate(chunking="recursive-96-0-tokens", goldens=40, cut=0.0, chance=0.3, noise=0.14),
    CutRate(chunking="token-256-0-tokens", goldens=40, cut=0.125, chance=0.1, noise=0.09),
)


def page_of(folder: Path, **changes: Any) -> Any:
    corpus, goldens = corpus_of(folder), [golden_of()]
    manifest = manifest_of(corpus).model_copy(update=changes)
    return html.document_fromstring(render_report(goldens, [], manifest, map_of(goldens), corpus))


def test_each_chunking_has_a_row(tmp_path: Path) -> None:
    section = page_of(tmp_path, cut_rates=RATES).xpath("//section[@id='cut']")[0]
    assert [[cell.text_content() for cell in row] for row in section.xpath(".//tbody/tr")] == [
        ["recursive-96-0-tokens", "0.0%", "30.0% ± 14.0%", "favoured"],
        ["token-256-0-tokens", "12.5%", "10.0% ± 9.0%", ""],
    ]


@pytest.mark.parametrize(("source", "named"), [({}, True), ({"from": "chunks"}, True), ({"from": "passages"}, False)])
def test_the_chunking_that_queries_were_drawn_from_is_named(
    tmp_path: Path, source: dict[str, str], named: bool
) -> None:
    parameters = {"chunking": {"size": 96}, "sampling": source}
    for kind in ("single-chunk", "multi-chunk"):
        page = page_of(tmp_path / kind, cut_rates=RATES, parameters=parameters, kind=kind)
        assert page.text_content().count("drawn from chunks of recursive-96-0-tokens") == named


def test_an_older_dataset_has_no_such_section(tmp_path: Path) -> None:
    page = page_of(tmp_path)
    assert not page.xpath("//section[@id='cut']")
    assert "#cut" not in page.xpath("//nav//@href")
